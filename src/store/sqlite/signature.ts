/** The signature of a backup: whoever does not have the key can neither change it nor make one. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { BackupError, type Manifest } from './manifest.ts';

/** How a backup is taken whose maker cannot be told. */
export interface SignatureOptions {
  /** The folder of the backup. */
  readonly path: string;
  /** Signatures are made and checked with it; null: there is none. */
  readonly signingKey: Uint8Array | null;
  /** An unsigned backup is taken although there is a key. */
  readonly takesUnsigned: boolean;
}

/** The manifest with its signature, or as unsigned when there is no key. */
export function signManifest(manifest: Manifest, signingKey: Uint8Array | null): Manifest {
  if (signingKey === null) return { ...manifest, signature: null };
  return { ...manifest, signature: signatureOf(manifest, signingKey) };
}

/** Throws a `BackupError` unless the manifest is signed as it has to be. */
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

/** Over everything that the manifest says, also what this version knows nothing of. */
function signatureOf(manifest: Manifest, signingKey: Uint8Array): string {
  const signed = JSON.stringify({ ...manifest, signature: null });
  return createHmac('sha256', signingKey).update(signed).digest('hex');
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));
}
