/** Making API keys; shared by everything that people use. */
import { activeKeysMax } from '../contract/limits.ts';
import type { AccountStore } from '../domain/account/account-store.ts';
import { noAccount } from '../domain/account/email.ts';
import {
  type KeyHash,
  keyDisplayPrefix,
  keyRandomBytes,
  makeKey,
  type PlainKey,
} from '../domain/account/keys.ts';
import { hasHiddenCharacters } from '../domain/kernel/text.ts';

const nameLengthMax = 100;

/** A key just made: the only moment at which it is known. */
export interface MadeKey {
  readonly id: number;
  readonly key: PlainKey;
}

/** Why a key cannot be called this, or null when it can. */
export function keyNameProblem(name: string): string | null {
  if (name.length > nameLengthMax) return `The name is longer than ${nameLengthMax} characters.`;
  return hasHiddenCharacters(name)
    ? 'The name contains invisible characters. Type it again.'
    : null;
}

/** SHA-256 of a key: what the store holds of it. */
export function hashKey(key: PlainKey): KeyHash {
  return Bun.SHA256.hash(key) as Uint8Array as KeyHash;
}

/** Makes a key for an account, or says why there is none. */
export async function createKey(
  store: AccountStore,
  options: {
    readonly email: string;
    readonly name: string;
    readonly allowance: number;
    readonly expiresAt: number | null;
    readonly at: number;
  },
  randomBytes: (count: number) => Uint8Array,
): Promise<MadeKey | { readonly refusal: string }> {
  const key = makeKey(randomBytes(keyRandomBytes));
  const added = await store.addKey({
    ...options,
    hash: hashKey(key),
    prefix: keyDisplayPrefix(key),
  });
  if (typeof added === 'object') return { id: added.id, key };
  return { refusal: messages[added](options.email) };
}

const messages = {
  'no account': (email: string) => `There is ${noAccount(email)}.`,
  'too many active': () =>
    `The account already has ${activeKeysMax} active keys. Revoke one to create another.`,
} as const;
