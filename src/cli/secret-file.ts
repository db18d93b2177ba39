/**
 * The secret of the installation: a file that lies outside the store, so that whoever gets hold of
 * a store or a backup does not have it. It is read here and nowhere else.
 */
import { hkdfSync } from 'node:crypto';
import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { type Config, ConfigError } from '../config.ts';

/** As many as the keys that are made of it have; fewer could be guessed. */
const secretBytesMin = 32;

/** A secret is short; whatever is longer is another file. */
const fileBytesMax = 4096;

const keyBytes = 32;

/**
 * What a key is made for. Every purpose has a key of its own, and none of them tells anything of
 * another or of the secret. A label that was in use never changes.
 */
const labels = {
  'backup signature': 'brickmark/backup-signature/1',
  // Addresses and secrets of channels.
  channels: 'brickmark/channels/1',
  'spreadsheet links': 'brickmark/spreadsheet-links/1',
} as const;

/** One of the purposes. */
export type SecretPurpose = keyof typeof labels;

/** The key for a purpose; null when no secret is set. Throws a `ConfigError` for one of no use. */
export function findSecretKey(
  { secretFile, dataFolder }: Pick<Config, 'secretFile' | 'dataFolder'>,
  purpose: SecretPurpose,
): Uint8Array | null {
  if (secretFile === null) return null;
  const secret = readSecret(secretFile, dataFolder);
  return new Uint8Array(hkdfSync('sha256', secret, '', labels[purpose], keyBytes));
}

function readSecret(path: string, dataFolder: string): Uint8Array {
  const found = findFile(path);
  if (found.size > fileBytesMax) {
    throw new ConfigError(
      `BRICKMARK_SECRET_FILE: '${path}' is larger than ${fileBytesMax} bytes, so it is not a ` +
        'secret. Create a secret with: openssl rand -hex 32',
    );
  }
  if ((found.mode & ~rightsMax(found) & 0o777) !== 0) {
    throw new ConfigError(
      `BRICKMARK_SECRET_FILE: other users can access '${path}'. Fix it with: chmod 600 ${path}`,
    );
  }
  if (isWithin(realpathSync(path), existingPath(dataFolder))) {
    throw new ConfigError(
      `BRICKMARK_SECRET_FILE: '${path}' is in the data folder, so a copy of the folder would ` +
        'include it. Move it elsewhere.',
    );
  }
  const secret = withoutLineEnd(readFile(path));
  if (secret.length >= secretBytesMin) return secret;
  throw new ConfigError(
    `BRICKMARK_SECRET_FILE: '${path}' has ${secret.length} bytes, fewer than ${secretBytesMin}. ` +
      'Create a secret with: openssl rand -hex 32',
  );
}

function findFile(path: string): Stats {
  const found = readOrExplain(path, () => statSync(path, { throwIfNoEntry: false }));
  if (found?.isFile()) return found;
  throw new ConfigError(
    `BRICKMARK_SECRET_FILE: no file '${path}'. Create one with: ` +
      `(umask 077; openssl rand -hex 32 > ${path})`,
  );
}

/**
 * A file of root may be read by its group: so does root hand a secret to one service, and so do the
 * credentials of systemd look.
 */
function rightsMax({ uid }: Stats): number {
  return uid === 0 ? 0o640 : 0o600;
}

function readFile(path: string): Uint8Array {
  return readOrExplain(path, () => readFileSync(path));
}

/** What the system refuses is explained in a sentence. */
function readOrExplain<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code = '' } = error as { code?: string };
    throw new ConfigError(
      `BRICKMARK_SECRET_FILE: cannot read '${path}' (${code}). Check the permissions of its ` +
        'folders, and the user running this command.',
    );
  }
}

/** An editor ends the last line, another does not: the secret is the same. */
function withoutLineEnd(bytes: Uint8Array): Uint8Array {
  let { length } = bytes;
  while (length > 0 && (bytes[length - 1] === 0x0a || bytes[length - 1] === 0x0d)) length--;
  return bytes.subarray(0, length);
}

/** Where a folder really is; one that is not there yet is where it is said to be. */
function existingPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}
