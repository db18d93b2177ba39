/** The secret file: rejected files, and derived keys. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { hkdfSync } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';
import { findSecretKey, makeOwnSecret } from './secret-file.ts';

const secret = 'b'.repeat(64);

let folder: string;
let dataFolder: string;
let secretFile: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-secret-'));
  dataFolder = join(folder, 'data');
  secretFile = join(folder, 'secret');
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(content: string | Uint8Array, mode = 0o600): void {
  writeFileSync(secretFile, content);
  chmodSync(secretFile, mode);
}

const find = () => findSecretKey({ secretFile, dataFolder }, 'backup signature');

function expectRefused(message: string): void {
  expect(find).toThrow(ConfigError);
  expect(find).toThrow(`BRICKMARK_SECRET_FILE: ${message}`);
  expect(find).not.toThrow(secret.slice(0, 8));
}

test('without the setting there is no key', () => {
  expect(findSecretKey({ secretFile: null, dataFolder }, 'backup signature')).toBeNull();
});

test('the key is derived with HKDF-SHA256 under a fixed label', () => {
  write(secret);
  const label = 'brickmark/backup-signature/1';
  expect(find()).toEqual(new Uint8Array(hkdfSync('sha256', secret, '', label, 32)));
});

test('beside a mounted volume, no secret is made', () => {
  expect(makeOwnSecret('/proc', () => new Uint8Array(32))).toBe(false);
});

test('line ends are ignored, and any 32 bytes are accepted', () => {
  write(secret);
  const key = find();
  for (const end of ['\n', '\r\n']) {
    write(`${secret}${end}`);
    expect(find()).toEqual(key);
  }
  write(new Uint8Array(32).fill(255));
  expect(find()).not.toEqual(key);
});

describe('rejected:', () => {
  test('a missing file, and a folder', () => {
    expectRefused(`no file '${secretFile}'`);
    mkdirSync(secretFile);
    expectRefused(`no file '${secretFile}'`);
  });

  test('a path below a file', () => {
    write(secret);
    secretFile = join(secretFile, 'below');
    expect(find).toThrow(/^BRICKMARK_SECRET_FILE: (no file|cannot read) '/);
  });

  test('fewer than 32 bytes, and a large file', () => {
    write('');
    expectRefused(`'${secretFile}' has 0 bytes, fewer than 32`);
    write(`${'x'.repeat(31)}\n\n`);
    expectRefused(`'${secretFile}' has 31 bytes, fewer than 32`);
    write('x'.repeat(4097));
    expectRefused(`'${secretFile}' is larger than 4096 bytes`);
  });

  test.each([0o604, 0o644, 0o602, 0o620, 0o660, 0o666])('rights of others: %o', (mode) => {
    write(secret, mode);
    expectRefused(`other users can access '${secretFile}'`);
  });

  test.skipIf(process.getuid?.() !== 0)('rights of its group, unless root owns the file', () => {
    write(secret, 0o640);
    expect(find()).not.toBeNull();
    chownSync(secretFile, 1, 1);
    expectRefused(`other users can access '${secretFile}'`);
  });

  test('a file in the data folder, also through a link', () => {
    mkdirSync(join(dataFolder, 'deep'), { recursive: true });
    const outside = join(folder, 'link');
    symlinkSync(join(dataFolder, 'deep', 'secret'), outside);
    secretFile = join(dataFolder, 'deep', 'secret');
    write(secret);
    expectRefused(`'${secretFile}' is in the data folder`);
    secretFile = outside;
    expectRefused(`'${secretFile}' is in the data folder`);
  });
});

test('a sibling folder with the same prefix is not the data folder', () => {
  mkdirSync(dataFolder);
  secretFile = `${dataFolder}-secret`;
  write(secret);
  expect(find()).not.toBeNull();
});
