/** The files that a restore replaces, and its record for clients that follow changes. */
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import { onMachine } from '../../accounts/audit/audit.ts';
import { backUp } from './backup.ts';
import { restoreBackup } from './restore.ts';
import { openSqliteStore } from './store.ts';

const at = Date.UTC(2026, 10, 15, 12);
const unsigned = { signingKey: null, takesUnsigned: false, by: onMachine };

let root: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'brickmark-restore-'));
  await makeStore('first', 'ann@example.com');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (folder: string, name: 'accounts' | 'market', sql: string) => {
  using db = new Database(join(root, folder, `${name}.db`));
  db.run(sql);
};

async function makeStore(folder: string, account: string | null): Promise<void> {
  const { accounts, close } = openSqliteStore(join(root, folder));
  if (account !== null) await accounts.addAccount(anAccount({ email: account, at }));
  await close();
}

const save = (folder: string, backup: string) =>
  backUp({
    folder: join(root, folder),
    path: join(root, backup),
    version: '1.2.3',
    ...unsigned,
    at,
  });

const restore = (backup: string, folder: string, isForced = false) =>
  restoreBackup({
    folder: join(root, folder),
    path: join(root, backup),
    isForced,
    ...unsigned,
    at,
  });

const boundsOf = async (folder: string) => {
  const { market, close } = openSqliteStore(join(root, folder));
  const bounds = await market.findBulkBounds();
  await close();
  return bounds;
};

test('publications after the backup count as lost, also after a second restore', async () => {
  // The clock was far ahead when this was published.
  const ahead = 9_000_000_000_000_000;
  const setStamp = (stamp: number) =>
    run('first', 'market', `UPDATE meta SET value = ${stamp} WHERE name = 'publish_stamp'`);
  setStamp(ahead);
  save('first', 'backup');
  restore('backup', 'second');
  expect(await boundsOf('second')).toEqual({
    stamp: ahead + 1,
    lost: { after: ahead, before: ahead + 1 },
  });
  save('second', 'later');
  restore('later', 'third');
  expect(await boundsOf('third')).toEqual({
    stamp: ahead + 2,
    lost: { after: ahead, before: ahead + 2 },
  });
  setStamp(5);
  save('first', 'early');
  restore('early', 'fourth');
  const { stamp, lost } = await boundsOf('fourth');
  expect(stamp).toBeGreaterThan(at / 1_000);
  expect(lost).toEqual({ after: 5, before: stamp });
});

test.each<[string, boolean, (folder: string) => Promise<void> | void]>([
  ['no store', false, () => {}],
  ['an empty store', false, (folder) => makeStore(folder, null)],
  ['an account', true, (folder) => makeStore(folder, 'bob@example.com')],
  [
    'an exchange rate',
    true,
    async (folder) => {
      await makeStore(folder, null);
      run(folder, 'market', "INSERT INTO fx VALUES ('EUR', '2026-01-01', 1.1, 0)");
    },
  ],
  ['an empty file', false, (folder) => writeFileSync(join(root, folder, 'accounts.db'), '')],
  ['an unreadable file', true, (folder) => writeFileSync(join(root, folder, 'market.db'), 'text')],
])('a folder with %s needs --force: %p', async (name, needsForce, make) => {
  if (!existsSync(join(root, 'saved'))) save('first', 'saved');
  const target = `with ${name}`;
  const found = () => readdirSync(join(root, target)).sort();
  mkdirSync(join(root, target));
  await make(target);
  if (needsForce) {
    const before = found();
    expect(() => restore('saved', target)).toThrow('has data; choose another --data');
    expect(found()).toEqual([...new Set([...before, 'store.lock'])].sort());
  }
  const { kept, manifest } = restore('saved', target, needsForce);
  expect(kept !== null && existsSync(kept)).toBe(needsForce);
  expect(manifest.brickmark).toBe('1.2.3');
  using db = new Database(join(root, target, 'accounts.db'));
  expect(db.query('SELECT email FROM account').all()).toEqual([{ email: 'ann@example.com' }]);
});

const entriesOf = (folder: string) => {
  using db = new Database(join(root, folder, 'accounts.db'));
  return db
    .query('SELECT id, at, actor, actor_id, action, account_id, detail FROM audit ORDER BY id')
    .all();
};

const addEntry = (folder: string, action: string) =>
  run(
    folder,
    'accounts',
    `INSERT INTO audit (at, actor, action, detail) VALUES (1, 'machine', '${action}', '')`,
  );

const restored = { at, actor: 'machine', actor_id: null, action: 'store.restored' };
const when = 'backup of Nov 15, 2026, 12:00 UTC';

test('the entry counts what the backup does not have, also of another store', async () => {
  await makeStore('source', 'ann@example.com');
  addEntry('source', 'import');
  save('source', 'audited');
  restore('audited', 'nowhere');
  const entry = { ...restored, account_id: null };
  const none = { ...entry, detail: `${when}, later entries lost: 0` };
  expect(entriesOf('nowhere').slice(1)).toEqual([{ id: 2, ...none }]);
  await makeStore('other', 'bob@example.com');
  for (const action of ['export', 'export', 'export']) addEntry('other', action);
  restore('audited', 'other', true);
  const three = { ...entry, detail: `${when}, later entries lost: 3` };
  expect(entriesOf('other').slice(1)).toEqual([{ id: 4, ...three }]);
});

test('a replaced log that cannot be read is recorded as such, and an invalid time is not', async () => {
  const manifest = save('first', 'damaged');
  const file = join(root, 'damaged', 'manifest.json');
  writeFileSync(file, JSON.stringify({ ...manifest, created_at: 'by Ann, <b>today</b>' }));
  mkdirSync(join(root, 'broken'));
  writeFileSync(join(root, 'broken', 'accounts.db'), 'no database');
  restore('damaged', 'broken', true);
  const detail = 'backup of an unknown time, later entries lost: unknown';
  expect(entriesOf('broken').at(-1)).toMatchObject({ ...restored, detail });
});
