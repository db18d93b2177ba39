/**
 * Addresses and secrets of channels as they are kept: encrypted with AES-256-GCM, and bound to the
 * account and the purpose that they are for. Sealed for another one, they cannot be opened.
 */
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { Sealed } from './channel.ts';

/** What something is sealed for. */
export interface SealedFor {
  readonly accountId: number;
  readonly purpose: 'address' | 'secret';
}

/** Seals and opens. */
export interface Sealer {
  seal(text: string, what: SealedFor): Sealed;
  /** Null: it was sealed with another key, for something else, or was changed since. */
  open(sealed: Sealed, what: SealedFor): string | null;
}

/** Says how it was sealed: another way would have another number. */
const version = 1;

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
/** Tells keys apart without telling anything of them. */
const keyMarkBytes = 4;
const headBytes = 1 + keyMarkBytes + nonceBytes + tagBytes;

/** A sealer with a key of 32 bytes; every text is sealed with new random bytes. */
export function makeSealer(key: Uint8Array, randomBytes: (count: number) => Uint8Array): Sealer {
  const mark = createHash('sha256').update('brickmark key mark').update(key).digest();
  const head = Buffer.concat([Uint8Array.of(version), mark.subarray(0, keyMarkBytes)]);
  return {
    seal: (text, what) => {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, key, nonce).setAAD(boundTo(head, what));
      const sealed = [sealing.update(text, 'utf8'), sealing.final()];
      const parts = [head, nonce, sealing.getAuthTag(), ...sealed];
      return new Uint8Array(Buffer.concat(parts)) as Sealed;
    },
    open: (sealed, what) => {
      const bytes = Buffer.from(sealed);
      if (bytes.length < headBytes || !bytes.subarray(0, head.length).equals(head)) return null;
      const nonce = bytes.subarray(head.length, head.length + nonceBytes);
      const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
      opening.setAAD(boundTo(head, what));
      opening.setAuthTag(bytes.subarray(head.length + nonceBytes, headBytes));
      try {
        return opening.update(bytes.subarray(headBytes), undefined, 'utf8') + opening.final('utf8');
      } catch {
        return null;
      }
    },
  };
}

function boundTo(head: Uint8Array, { accountId, purpose }: SealedFor): Buffer {
  return Buffer.concat([head, Buffer.from(`channel ${purpose} of account ${accountId}`)]);
}
