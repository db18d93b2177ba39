/** Manifests of backups and their validation. */
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstVersion } from '../sql/schema-version.ts';
import { checkKnown, type Manifest, manifestName, readManifest } from './manifest.ts';
import { checkSignature, signManifest } from './signature.ts';

const folder = mkdtempSync(join(tmpdir(), 'brickmark-manifest-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = { schema: firstVersion, bytes: 3, sha256: '0a'.repeat(32) };
const manifest: Manifest = {
  format: 1,
  brickmark: '1.0.0',
  created_at: '2026-11-15T12:00:00.000Z',
  files: { 'accounts.db': file, 'market.db': file },
  signature: null,
};

/** Reads a backup with a manifest; returns it, or the error message. */
function readOf(given: unknown, contents: Readonly<Record<string, string>> = {}): unknown {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const all = { 'accounts.db': 'abc', 'market.db': 'abc', [manifestName]: text, ...contents };
  for (const [name, content] of Object.entries(all)) writeFileSync(join(folder, name), content);
  try {
    return readManifest(folder);
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a manifest', () => {
  test('is read as written', () => {
    expect(readOf(manifest)).toEqual(manifest);
    const signature = '0b'.repeat(32);
    expect(readOf({ ...manifest, signature })).toEqual({ ...manifest, signature });
  });

  test.each([
    ['that is not JSON', '{'],
    ['that is null', 'null'],
    ['of an older format', { ...manifest, format: 0 }],
    ['without a format', { ...manifest, format: undefined }],
    [
      'without a schema',
      { ...manifest, files: { ...manifest.files, 'market.db': { ...file, schema: 0 } } },
    ],
    [
      'with an empty file',
      { ...manifest, files: { ...manifest.files, 'market.db': { ...file, bytes: 0 } } },
    ],
    [
      'with a short hash',
      { ...manifest, files: { ...manifest.files, 'market.db': { ...file, sha256: '0a' } } },
    ],
    ['with an invalid signature', { ...manifest, signature: 'x' }],
    ['without a signature', { ...manifest, signature: undefined }],
    ['that is longer than 64 KiB', { ...manifest, brickmark: 'x'.repeat(65_536) }],
  ])('%s is damaged', (_, given) => {
    expect(readOf(given)).toBe(`'${join(folder, manifestName)}' is damaged; use another backup.`);
  });

  test('of exactly 64 KiB is read', () => {
    const room = 65_536 - JSON.stringify({ ...manifest, brickmark: '' }).length;
    expect(readOf({ ...manifest, brickmark: 'x'.repeat(room) })).toMatchObject({ format: 1 });
    expect(readOf({ ...manifest, brickmark: 'x'.repeat(room + 1) })).toContain('is damaged');
  });

  test('of a newer format asks for an upgrade, whatever else it contains', () => {
    expect(readOf({ format: 2, brickmark: '9.0.0' })).toBe(
      `The backup in '${folder}' was made by a newer version of Brickmark (9.0.0). ` +
        'Upgrade this one.',
    );
  });

  test.each([1, 99])(
    'of an earlier build with schema %d says how to migrate the data',
    (schema) => {
      const earlier = { ...file, schema };
      const files = { 'accounts.db': earlier, 'market.db': earlier };
      const refused =
        `The backup in '${folder}' was made by a build before 1.0.0 and cannot be ` +
        "restored: restore it with that build, run 'brickmark export collection' and 'brickmark " +
        "export sales' for each account, then import these files and your source files into an " +
        'empty store here.';
      expect(readOf({ ...manifest, files })).toBe(refused);
      // The first builds wrote no signature.
      expect(readOf({ ...manifest, files, signature: undefined })).toBe(refused);
    },
  );

  test('must match the sizes of its files', () => {
    expect(readOf(manifest, { 'market.db': 'abcd' })).toContain(
      `'${join(folder, 'market.db')}' is missing, or its size differs`,
    );
    expect(readOf(manifest, { 'accounts.db': '' })).toContain('accounts.db');
    rmSync(join(folder, manifestName));
    expect(() => readManifest(folder)).toThrow(
      `There is no backup in '${folder}': it has no manifest.json.`,
    );
  });
});

test('schemas from the first to the newest are known', () => {
  const newest = firstVersion + 5;
  checkKnown('market.db', firstVersion, newest);
  checkKnown('market.db', newest, newest);
  expect(() => checkKnown('market.db', newest + 1, newest)).toThrow(
    "'market.db' was made by a newer version",
  );
  expect(() => checkKnown('market.db', firstVersion - 1, newest)).toThrow(
    "'market.db' was made by a build before 1.0.0 and cannot be opened",
  );
});

describe('a signature', () => {
  const [key, other] = [Buffer.from('key'), Buffer.from('other')];
  const signed = signManifest(manifest, key);
  const check = (
    given: Manifest,
    signingKey: Uint8Array | null,
    { takesUnsigned = false } = {},
  ): string => {
    try {
      checkSignature(given, { path: '/backup', signingKey, takesUnsigned });
      return 'taken';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('is checked with its key', () => {
    expect(signed.signature).toMatch(/^[0-9a-f]{64}$/);
    expect(check(signed, key)).toBe('taken');
    expect(check(signed, other)).toContain('is wrong');
    expect(check({ ...signed, created_at: '' }, key)).toContain('is wrong');
    expect(check({ ...signed, added: 1 } as Manifest, key)).toContain('is wrong');
    expect(check(signed, null)).toContain('there is no secret to check the signature');
    expect(check(signed, null, { takesUnsigned: true })).toContain('there is no secret');
  });

  test('is required if there is a key, unless unsigned backups are allowed', () => {
    expect(signManifest(signed, null).signature).toBeNull();
    expect(check(manifest, null)).toBe('taken');
    expect(check(manifest, key)).toContain('is unsigned');
    expect(check(manifest, key, { takesUnsigned: true })).toBe('taken');
  });
});
