/**
 * The secret of the installation and the keys derived from it. Its file must be outside the store,
 * so that a stolen store or backup does not contain it. No other code reads it.
 */

import { hkdfSync } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { makeSheetSigner, type SheetSigner } from '../accounts/sheet-links/sheet-link.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Encrypter } from '../kernel/encryption.ts';
import { makeEncrypter } from '../kernel/encryption.ts';

/** The length of the derived keys. */
const secretBytesMin = 32;

/** A larger file is not a secret. */
const fileBytesMax = 4096;

const keyBytes = 32;

/**
 * Each purpose has its own key, derived with HKDF under a label. Changing a label makes everything
 * that was signed or encrypted with its key invalid.
 */
const labels = {
  'backup signature': 'brickmark/backup-signature/1',
  // Encrypts addresses and secrets of channels.
  channels: 'brickmark/channels/1',
  'spreadsheet links': 'brickmark/spreadsheet-links/1',
  // Encrypts secrets of authenticator apps.
  'second factors': 'brickmark/second-factors/1',
} as const;

type SecretPurpose = keyof typeof labels;

type SecretSettings = Pick<Config, 'secretFile' | 'dataFolder'>;

/** Beside the data folder: a secret must not be inside. */
export function ownSecretFile(dataFolder: string): string {
  return `${resolve(dataFolder)}.secret`;
}

/** Makes a secret that only this user can read, unless the file exists. */
export function makeSecretFile(path: string, randomBytes: (count: number) => Uint8Array): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  const secret = Buffer.from(randomBytes(secretBytesMin)).toString('hex');
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx' });
}

/**
 * Makes a secret beside a data folder. False if this user may not write there, or if the folder is
 * a volume of a container, beside which nothing is kept.
 */
export function makeOwnSecret(
  dataFolder: string,
  randomBytes: (count: number) => Uint8Array,
): boolean {
  const path = ownSecretFile(dataFolder);
  if (statSync(dirname(path)).dev !== statSync(dataFolder).dev) return false;
  try {
    makeSecretFile(path, randomBytes);
    return true;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return false;
    throw error;
  }
}

/** Null if no secret is set. Throws a `ConfigError` for one that cannot be used. */
export function findSecretKey(
  { secretFile, dataFolder }: SecretSettings,
  purpose: SecretPurpose,
): Uint8Array | null {
  if (secretFile === null) return null;
  const secret = readSecret(secretFile, dataFolder);
  return new Uint8Array(hkdfSync('sha256', secret, '', labels[purpose], keyBytes));
}

/** Throws a `ConfigError` for a secret that is set but cannot be used. */
export function checkSecret(config: SecretSettings): void {
  if (config.secretFile !== null) readSecret(config.secretFile, config.dataFolder);
}

/** An encrypter, or a sentence for the operator why there is none. */
type FoundEncrypter =
  | { readonly encrypter: Encrypter; readonly problem: null }
  | { readonly encrypter: null; readonly problem: string };

/**
 * A server does not start with an unusable secret file. If it becomes unusable later, processes
 * that restart go on without channels that have an address.
 */
export function findEncrypter(
  config: SecretSettings,
  randomBytes: (count: number) => Uint8Array,
): FoundEncrypter {
  try {
    const key = findSecretKey(config, 'channels');
    if (key !== null) return { encrypter: makeEncrypter(key, randomBytes), problem: null };
    return { encrypter: null, problem: 'set BRICKMARK_SECRET_FILE to turn them on.' };
  } catch (error) {
    if (error instanceof ConfigError) return { encrypter: null, problem: error.message };
    throw error;
  }
}

/** Null without a usable secret: authenticator apps are off. */
export function findFactorEncrypter(
  config: SecretSettings,
  randomBytes: (count: number) => Uint8Array,
): Encrypter | null {
  const key = keyOrNull(config, 'second factors');
  return key && makeEncrypter(key, randomBytes);
}

/** Null without a usable secret: spreadsheet links are off. */
export function findSheetSigner(config: SecretSettings): SheetSigner | null {
  const key = keyOrNull(config, 'spreadsheet links');
  return key && makeSheetSigner(key);
}

/** Null also if the secret file cannot be used; the delivery process says why. */
function keyOrNull(config: SecretSettings, purpose: SecretPurpose): Uint8Array | null {
  try {
    return findSecretKey(config, purpose);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
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
  const secret = withoutLineEnd(readOrExplain(path, () => readFileSync(path)));
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
 * A file of root may be readable by its group: that is how root gives a secret to one service, and
 * how systemd provides credentials.
 */
function rightsMax({ uid }: Stats): number {
  return uid === 0 ? 0o640 : 0o600;
}

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

/** Editors differ in whether they end the last line. */
function withoutLineEnd(bytes: Uint8Array): Uint8Array {
  let { length } = bytes;
  while (length > 0 && (bytes[length - 1] === 0x0a || bytes[length - 1] === 0x0d)) length--;
  return bytes.subarray(0, length);
}

/** Resolves links, if the folder exists. */
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
