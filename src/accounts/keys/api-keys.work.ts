/** Creates and hashes API keys. */
import { activeKeysMax } from '../../contract/limits.ts';
import { hasHiddenCharacters } from '../../kernel/text.ts';
import type { AccountRoomStore } from '../accounts.store.ts';
import { noAccount } from '../people/email.ts';
import {
  type ApiKey,
  type KeyHash,
  keyDisplayPrefix,
  keyRandomBytes,
  makeKey,
  type NewKey,
  type PlainKey,
} from './keys.ts';

const nameLengthMax = 100;

/** A new key. It is not stored in plain text, so it can be shown only now. */
export interface CreatedKey {
  readonly id: number;
  readonly key: PlainKey;
}

export function keyNameProblem(name: string): string | null {
  if (name.length > nameLengthMax) return `The name is longer than ${nameLengthMax} characters.`;
  return hasHiddenCharacters(name)
    ? 'The name contains invisible characters. Type it again.'
    : null;
}

/** SHA-256 of a key, which is what the store has. */
export function hashKey(key: PlainKey): KeyHash {
  return Bun.SHA256.hash(key) as Uint8Array as KeyHash;
}

export type KeyOptions = Omit<NewKey, 'hash' | 'prefix'>;

/** Returns the key, or why it could not be created. */
export async function createKey(
  store: Pick<AccountRoomStore, 'addKey'>,
  options: KeyOptions,
  randomBytes: (count: number) => Uint8Array,
): Promise<CreatedKey | { readonly refusal: string }> {
  const key = makeKey(randomBytes(keyRandomBytes), options.isTest);
  const added = await store.addKey({
    ...options,
    hash: hashKey(key),
    prefix: keyDisplayPrefix(key, options.isTest),
  });
  if (typeof added === 'object') return { id: added.id, key };
  return { refusal: messages[added](options.email) };
}

/** Gives a key a second, new secret; null if the key is not active, or was rolled meanwhile. */
export async function rollKey(
  store: Pick<AccountRoomStore, 'rollKey'>,
  accountId: number,
  { id, isTest, prefix: seen }: Pick<ApiKey, 'id' | 'isTest' | 'prefix'>,
  options: { readonly expiresAt: number | null; readonly at: number },
  randomBytes: (count: number) => Uint8Array,
): Promise<PlainKey | null> {
  const key = makeKey(randomBytes(keyRandomBytes), isTest);
  const prefix = keyDisplayPrefix(key, isTest);
  const rolled = { ...options, keyId: id, seen, hash: hashKey(key), prefix };
  return (await store.rollKey(accountId, rolled)) ? key : null;
}

const messages = {
  'no account': (email: string) => `There is ${noAccount(email)}.`,
  'too many active': () =>
    `The account already has ${activeKeysMax} active keys. Revoke one to create another.`,
} as const;
