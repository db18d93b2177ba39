/** Signatures of backups, which cannot be forged without the key. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { BackupError, type Manifest } from './manifest.ts';

export interface SignatureOptions {
  /** The folder of the backup. */
  readonly path: string;
  /** The key of signatures; null if there is none. */
  readonly signingKey: Uint8Array | null;
  /** Accepts an unsigned backup although there is a key. */
  readonly takesUnsigned: boolean;
}

/** Unsigned if there is no key. */
export function signManifest(manifest: Manifest, signingKey: Uint8Array | null): Manifest {
  if (signingKey === null) return { ...manifest, signature: null };
  return { ...manifest, signature: signatureOf(manifest, signingKey) };
}

/** Throws a `BackupError` if the signature is wrong, or missing although required. */
export function checkSignature(manifest: Manifest, options: SignatureOptions): void {
  const { path, signingKey, takesUnsigned } = options;
  const { signature } = manifest;
  if (signature === null) {
    if (signingKey === null || takesUnsigned) return;
    throw new BackupError(
      `The backup in '${path}' is unsigned, so changes to it cannot be detected. Use a signed ` +
        'one, or restore this one with --unsigned.',
    );
  }
  if (signingKey === null) {
    throw new BackupError(
      `The backup in '${path}' is signed, but there is no secret to check the signature. ` +
        'Set BRICKMARK_SECRET_FILE to the secret it was made with.',
    );
  }
  if (isSame(signature, signatureOf(manifest, signingKey))) return;
  throw new BackupError(
    `The signature of the backup in '${path}' is wrong: it was changed, or made with another ` +
      'secret. Use another backup, or the BRICKMARK_SECRET_FILE that it was made with.',
  );
}

/** Includes fields that this version does not know. */
function signatureOf(manifest: Manifest, signingKey: Uint8Array): string {
  const signed = JSON.stringify({ ...manifest, signature: null });
  return createHmac('sha256', signingKey).update(signed).digest('hex');
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));
}
