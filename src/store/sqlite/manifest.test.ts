/** What a backup says about itself: what is believed of it, and what is not. */
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkKnown, type Manifest, manifestName, readManifest } from './manifest.ts';
import { checkSignature, signManifest } from './signature.ts';

const folder = mkdtempSync(join(tmpdir(), 'brickmark-manifest-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = { schema: 1, bytes: 3, sha256: '0a'.repeat(32) };
const manifest: Manifest = {
  format: 1,
  brickmark: '0.1.0',
  created_at: '2026-11-15T12:00:00.000Z',
  files: { 'accounts.db': file, 'market.db': file },
  signature: null,
};

/** What is read of a backup with this manifest, or why it is not. */
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
  test('is read as it was written; one without a signature is unsigned', () => {
    expect(readOf(manifest)).toEqual(manifest);
    const { signature: _, ...old } = manifest;
    expect(readOf(old)).toEqual(manifest);
    const signature = '0b'.repeat(32);
    expect(readOf({ ...manifest, signature })).toEqual({ ...manifest, signature });
  });

  test.each([
    ['that is no JSON', '{'],
    ['that is nothing', 'null'],
    ['of an older form', { ...manifest, format: 0 }],
    ['without a form', { ...manifest, format: undefined }],
    [
      'with a schema below 1',
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
    ['with a signature that is none', { ...manifest, signature: 'x' }],
    ['that is longer than 64 KiB', { ...manifest, brickmark: 'x'.repeat(65_536) }],
  ])('%s is damaged', (_, given) => {
    expect(readOf(given)).toBe(`'${join(folder, manifestName)}' is damaged; use another backup.`);
  });

  test('of exactly 64 KiB is read', () => {
    const room = 65_536 - JSON.stringify({ ...manifest, brickmark: '' }).length;
    expect(readOf({ ...manifest, brickmark: 'x'.repeat(room) })).toMatchObject({ format: 1 });
    expect(readOf({ ...manifest, brickmark: 'x'.repeat(room + 1) })).toContain('is damaged');
  });

  test('of a newer form asks for an upgrade, whatever else it says', () => {
    expect(readOf({ format: 2, brickmark: '9.0.0' })).toBe(
      `The backup in '${folder}' was made by a newer version of Brickmark (9.0.0). ` +
        'Upgrade this one.',
    );
  });

  test('belongs to files of the sizes that it says', () => {
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

test('a schema is known up to the newest', () => {
  checkKnown('market.db', 5, 5);
  expect(() => checkKnown('market.db', 6, 5)).toThrow("'market.db' was made by a newer version");
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

  test('is checked with the key that it was made with', () => {
    expect(signed.signature).toMatch(/^[0-9a-f]{64}$/);
    expect(check(signed, key)).toBe('taken');
    expect(check(signed, other)).toContain('is wrong');
    expect(check({ ...signed, created_at: '' }, key)).toContain('is wrong');
    expect(check({ ...signed, added: 1 } as Manifest, key)).toContain('is wrong');
    expect(check(signed, null)).toContain('there is no secret to check the signature');
    expect(check(signed, null, { takesUnsigned: true })).toContain('there is no secret');
  });

  test('that is not there is asked for by whoever has a key, unless told otherwise', () => {
    expect(signManifest(signed, null).signature).toBeNull();
    expect(check(manifest, null)).toBe('taken');
    expect(check(manifest, key)).toContain('is unsigned');
    expect(check(manifest, key, { takesUnsigned: true })).toBe('taken');
  });
});
