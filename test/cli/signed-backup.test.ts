/** Signed backups: signatures, and which changes are rejected. */
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createHmac, hkdfSync } from 'node:crypto';
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorkplace, type Workplace } from '../support/cli.ts';

const secret = 'c0ffee'.repeat(8);
const fileNames = ['accounts.db', 'market.db'] as const;

let place: Workplace;
let path: string;
let signing: { env: { BRICKMARK_SECRET_FILE: string } };

interface Manifest {
  signature?: string | null;
  created_at: string;
  readonly files: Record<string, { bytes: number; sha256: string }>;
}

beforeEach(async () => {
  place = makeWorkplace();
  path = join(place.folder, 'backup');
  await place.json(['account', 'add', 'owner@example.com']);
  signing = { env: { BRICKMARK_SECRET_FILE: secretAt('secret', secret) } };
});

afterEach(() => place.close());

function secretAt(name: string, text: string): string {
  const file = join(place.folder, name);
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  return file;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
}

function writeManifest(folder: string, manifest: Manifest): void {
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
}

/** A copy of the backup, manipulated with matching sizes and checksums, but without the secret. */
function changed(name: string, sql: string, file: (typeof fileNames)[number] = 'accounts.db') {
  const copy = join(place.folder, name);
  cpSync(path, copy, { recursive: true });
  const db = new Database(join(copy, file));
  db.run(sql);
  db.close();
  const manifest = readManifest(copy);
  for (const each of fileNames) {
    const bytes = readFileSync(join(copy, each));
    const sums = { bytes: bytes.length, sha256: new Bun.SHA256().update(bytes).digest('hex') };
    Object.assign(manifest.files[each] ?? {}, sums);
  }
  writeManifest(copy, manifest);
  return copy;
}

async function refused(words: readonly string[], message: string, options = signing) {
  const target = join(place.folder, 'target');
  const typed = ['restore', ...words, '--data', target];
  const { status, stdout, stderr } = await place.run(typed, options);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(existsSync(target)).toBe(false);
}

const restored = (words: readonly string[], options = {}) =>
  place.run(['restore', ...words, '--data', join(place.folder, 'target')], options);

const backedUp = (options = {}) => place.json<{ signed: boolean }>(['backup', path], options);

const unset = { env: { BRICKMARK_SECRET_FILE: '' } };

describe('with a secret', () => {
  test('the manifest has an HMAC-SHA256 of its other fields, with a key derived from the secret', async () => {
    expect(await backedUp(signing)).toMatchObject({ signed: true });
    const manifest = readManifest(path);
    const key = hkdfSync('sha256', secret, '', 'brickmark/backup-signature/1', 32);
    const all = JSON.stringify({ ...manifest, signature: null });
    const expected = createHmac('sha256', Buffer.from(key)).update(all).digest('hex');
    expect(manifest.signature).toBe(expected);
    expect(readFileSync(join(path, 'manifest.json'), 'utf8')).not.toContain(secret);
  });

  test('backup and restore report the signature, as text and JSON', async () => {
    const ran = await place.run(['backup', path], signing);
    expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining('is signed') });
    const { status, stdout } = await restored([path], signing);
    expect(status).toBe(0);
    expect(stdout).toContain('Its signature is valid');
    const again = await restored([path, '--force', '--json'], signing);
    expect(JSON.parse(again.stdout)).toMatchObject({ signed: true });
  });

  test('a changed row is rejected, even with matching sizes and checksums', async () => {
    await backedUp(signing);
    const folder = changed('promoted', "UPDATE account SET role = 'admin'");
    await refused([folder], 'is wrong: it was changed');
    // No flag skips the check of a wrong signature.
    await refused([folder, '--unsigned', '--force'], 'is wrong: it was changed');
  });

  test('a changed manifest is rejected, and so is a file of another signed backup', async () => {
    await backedUp(signing);
    const dated = changed('dated', 'SELECT 1');
    writeManifest(dated, { ...readManifest(dated), created_at: '2026-12-24T12:00:00.000Z' });
    await refused([dated], 'is wrong');
    await place.json(['account', 'add', 'later@example.com']);
    const other = join(place.folder, 'other');
    await place.json(['backup', other], signing);
    const mixed = changed('mixed', 'SELECT 1');
    cpSync(join(other, 'accounts.db'), join(mixed, 'accounts.db'));
    const isSameSize = statSync(join(other, 'accounts.db')).size === sizeIn(mixed);
    await refused([mixed], isSameSize ? 'SHA-256' : 'its size differs');
  });

  const sizeIn = (folder: string) => readManifest(folder).files['accounts.db']?.bytes;

  test('a backup with another secret is rejected', async () => {
    await backedUp(signing);
    const other = { env: { BRICKMARK_SECRET_FILE: secretAt('other', 'd'.repeat(64)) } };
    await refused([path], 'or made with another secret', other);
  });

  test('a signed backup is rejected without the secret', async () => {
    await backedUp(signing);
    await refused([path], 'Set BRICKMARK_SECRET_FILE', unset);
    await refused([path, '--unsigned'], 'Set BRICKMARK_SECRET_FILE', unset);
  });

  test('a backup without its signature is rejected, except with --unsigned', async () => {
    await backedUp(signing);
    const { signature, ...manifest } = readManifest(path);
    expect(signature).toBeString();
    writeManifest(path, manifest);
    await refused([path], 'is damaged');
    writeManifest(path, { ...manifest, signature: null });
    await refused([path], '--unsigned');
    const { status, stdout } = await restored([path, '--unsigned'], signing);
    expect(status).toBe(0);
    expect(stdout).toContain('changes to it cannot be detected');
  });

  test('an unusable secret is reported before anything is done', async () => {
    const short = { env: { BRICKMARK_SECRET_FILE: secretAt('short', 'short') } };
    const { status, stderr } = await place.run(['backup', path], short);
    expect(status).toBe(1);
    expect(stderr).toContain('has 5 bytes, fewer than 32');
    expect(existsSync(path)).toBe(false);
    await backedUp(signing);
    await refused([path], 'fewer than 32', short);
  });
});

test('without a secret, a backup is reported as unsigned and restored with a warning', async () => {
  const ran = await place.run(['backup', path], unset);
  expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining('is unsigned') });
  expect(readManifest(path).signature).toBeNull();
  const { status, stdout } = await restored([path], unset);
  expect(status).toBe(0);
  expect(stdout).toContain('The backup is unsigned, so changes to it cannot be detected.');
  const again = await restored([path, '--force', '--json'], unset);
  expect(JSON.parse(again.stdout)).toMatchObject({ signed: false });
});

describe('a foreign schema object is rejected by name, even in an unsigned backup:', () => {
  test.each([
    [
      'a trigger',
      `CREATE TRIGGER promote AFTER INSERT ON account
         BEGIN UPDATE account SET role = 'admin'; END`,
      "it has the trigger 'promote'",
    ],
    ['a view', 'CREATE VIEW spy AS SELECT * FROM account', "it has the view 'spy'"],
    ['a table', 'CREATE TABLE extra (a)', "it has the table 'extra'"],
    ['an index', 'CREATE INDEX extra ON account (plan)', "it has the index 'extra'"],
    ['a missing index', 'DROP INDEX lot_open', "the index 'lot_open' is missing"],
    [
      'a changed table',
      `ALTER TABLE account ADD COLUMN note TEXT`,
      "the table 'account' was changed",
    ],
    [
      'a changed index',
      'DROP INDEX tries_since; CREATE INDEX tries_since ON tries (count)',
      "the index 'tries_since' was changed",
    ],
    [
      'a name with control characters',
      'CREATE TABLE "a\u001b[2J\u202eb" (a)',
      "it has the table 'a\\u001b[2J\\u202eb'",
    ],
    ['another schema version', 'PRAGMA user_version = 99', 'differs from the manifest'],
  ])('rejects a backup with %s', async (_, sql, message) => {
    await backedUp(unset);
    await refused([changed('spoilt', sql)], message, unset);
  });

  test('also in market.db; and a live store with one is not backed up', async () => {
    await backedUp(unset);
    const sql = 'CREATE TRIGGER t AFTER INSERT ON sale BEGIN DELETE FROM sale; END';
    await refused([changed('spoilt', sql, 'market.db')], "it has the trigger 't'", unset);
    const live = new Database(join(place.data, 'market.db'));
    live.run(sql);
    live.close();
    const { status, stderr } = await place.run(['backup', join(place.folder, 'second')], signing);
    expect(status).toBe(1);
    expect(stderr).toContain("it has the trigger 't', which Brickmark did not create");
    expect(existsSync(join(place.folder, 'second'))).toBe(false);
  });
});
