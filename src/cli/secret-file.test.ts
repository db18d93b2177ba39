/** The secret: which files are refused with which words, and what keys are made of it. */
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
import { findSecretKey } from './secret-file.ts';

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

test('the key is made by HKDF-SHA256 under a label that never changes', () => {
  write(secret);
  const label = 'brickmark/backup-signature/1';
  expect(find()).toEqual(new Uint8Array(hkdfSync('sha256', secret, '', label, 32)));
});

test('the end of the line does not count, and 32 bytes of any kind will do', () => {
  write(secret);
  const key = find();
  for (const end of ['\n', '\r\n']) {
    write(`${secret}${end}`);
    expect(find()).toEqual(key);
  }
  write(new Uint8Array(32).fill(255));
  expect(find()).not.toEqual(key);
});

describe('refused:', () => {
  test('a file that is missing, or none', () => {
    expectRefused(`no file '${secretFile}'`);
    mkdirSync(secretFile);
    expectRefused(`no file '${secretFile}'`);
  });

  test('a folder above it that is a file', () => {
    write(secret);
    secretFile = join(secretFile, 'below');
    expect(find).toThrow(/^BRICKMARK_SECRET_FILE: (no file|cannot read) '/);
  });

  test('fewer than 32 bytes, and a file that is far longer', () => {
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

  test.skipIf(process.getuid?.() !== 0)('its group, unless root hands it to that group', () => {
    write(secret, 0o640);
    expect(find()).not.toBeNull();
    chownSync(secretFile, 1, 1);
    expectRefused(`other users can access '${secretFile}'`);
  });

  test('one that lies in the data folder, also by way of a link', () => {
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

test('a folder whose name only begins like the data folder is another one', () => {
  mkdirSync(dataFolder);
  secretFile = `${dataFolder}-secret`;
  write(secret);
  expect(find()).not.toBeNull();
});
