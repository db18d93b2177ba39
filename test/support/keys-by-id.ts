/** Changes of API keys whose account a test does not know. */
import { rollKey } from '../../src/accounts/keys/api-keys.work.ts';
import type { KeyStore } from '../../src/accounts/keys/keys.store.ts';
import type { ApiKey, KeyAccess } from '../../src/accounts/keys/keys.ts';

export function keysById(accounts: KeyStore) {
  const ownerOf = async (id: number) => (await accounts.findKeyOwner(id))?.accountId ?? 0;
  return {
    revokeKey: async (id: number, at: number) => accounts.revokeKey(await ownerOf(id), id, at),
    endOldSecret: async (id: number, at: number) =>
      accounts.endOldSecret(await ownerOf(id), id, at),
    rollKey: async (
      key: Pick<ApiKey, 'id' | 'isTest' | 'prefix'>,
      terms: { readonly expiresAt: number | null; readonly at: number },
    ) => {
      const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
      return rollKey(accounts, await ownerOf(key.id), key, terms, random);
    },
    setAllowance: async (id: number, allowance: number) =>
      accounts.setAllowance(await ownerOf(id), id, allowance),
    setKeyAccess: async (id: number, access: KeyAccess, limits: { readonly isLimited: boolean }) =>
      accounts.setKeyAccess(await ownerOf(id), id, { ...access, ...limits }),
  };
}
