/**
 * Addresses and secrets of channels, and secrets of authenticator apps, are stored encrypted with
 * AES-256-GCM. The account and the purpose are authenticated with them, so a value copied to
 * another account cannot be decrypted.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';

/** A secret or an address, encrypted with a key that is not in the store. */
export type Encrypted = Uint8Array & { readonly encrypted: unique symbol };

export interface EncryptionContext {
  readonly accountId: number;
  readonly purpose: keyof typeof purposes;
}

export interface Encrypter {
  encrypt(text: string, context: EncryptionContext): Encrypted;
  /** Null if the key or the context is another one, or if the bytes were changed. */
  decrypt(encrypted: Encrypted, context: EncryptionContext): string | null;
}

/** Part of what is authenticated, so changing one makes all its values invalid. */
const purposes = {
  address: 'channel address',
  secret: 'channel secret',
  authenticator: 'authenticator app',
} as const;

/** The version of the byte layout. */
const version = 1;

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Part of a hash of the key: identifies the key without revealing it. */
const keyMarkBytes = 4;
const headBytes = 1 + keyMarkBytes + nonceBytes + tagBytes;

/** The key has 32 bytes. Every text gets a new random nonce. */
export function makeEncrypter(
  key: Uint8Array,
  randomBytes: (count: number) => Uint8Array,
): Encrypter {
  const mark = createHash('sha256').update('brickmark key mark').update(key).digest();
  const head = Buffer.concat([Uint8Array.of(version), mark.subarray(0, keyMarkBytes)]);
  return {
    encrypt: (text, context) => {
      const nonce = randomBytes(nonceBytes);
      const encryption = createCipheriv(cipher, key, nonce).setAAD(boundTo(head, context));
      const encrypted = [encryption.update(text, 'utf8'), encryption.final()];
      const parts = [head, nonce, encryption.getAuthTag(), ...encrypted];
      return new Uint8Array(Buffer.concat(parts)) as Encrypted;
    },
    decrypt: (encrypted, context) => {
      const bytes = Buffer.from(encrypted);
      if (bytes.length < headBytes || !bytes.subarray(0, head.length).equals(head)) return null;
      const nonce = bytes.subarray(head.length, head.length + nonceBytes);
      const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
      decryption.setAAD(boundTo(head, context));
      decryption.setAuthTag(bytes.subarray(head.length + nonceBytes, headBytes));
      try {
        const text = decryption.update(bytes.subarray(headBytes), undefined, 'utf8');
        return text + decryption.final('utf8');
      } catch {
        return null;
      }
    },
  };
}

function boundTo(head: Uint8Array, { accountId, purpose }: EncryptionContext): Buffer {
  return Buffer.concat([head, Buffer.from(`${purposes[purpose]} of account ${accountId}`)]);
}
