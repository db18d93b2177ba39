/** A made-up next version migrates a store, and is killed at each step. */
// @runs SQLite (rest), PostgreSQL (rest): starts many processes
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { plusPrefix } from '../../src/contract/limits.ts';
import { firstVersion } from '../../src/store/sql/schema-version.ts';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { isPostgres } from '../support/engines.ts';
import { madeUpMigrations, nextVersionCommand } from '../support/next-version.ts';
import { lot } from '../support/person.ts';
import { numbersTo, onTables } from '../support/tables.ts';

const email = 'ann@example.com';
const counts = { sales: 2_300, lots: 1_200, watched: 1_100 };

let place: Workplace;
let next: readonly string[];
let key: string;
let before: readonly unknown[];

beforeAll(async () => {
  next = await nextVersionCommand();
  place = makeWorkplace();
  await place.json(['account', 'add', email, '--plan', 'reseller']);
  ({ key } = await place.json<{ key: string }>(['key', 'add', email, '--allowance', '100000']));
  const stdin = feedLines().join('\n');
  expect(await place.json<object>(['import', 'feed', '-'], { stdin })).toMatchObject({
    rejected: 0,
  });
  await watchItems();
  before = await answersOf([]);
});

afterAll(() => place.close());

function feedLines(): string[] {
  const set = { kind: 'set', set_number: '5', title: 'Shed', theme: 'Huts' };
  const sales = Array.from({ length: counts.sales }, (_, index) => ({
    kind: 'sale',
    source: 'shop',
    source_id: String(index),
    item_type: 'set',
    item: '5',
    condition: 'sealed',
    price: 20 + (index % 7),
    sold_at: new Date(Date.UTC(2026, 10, 14) - (index % 100) * 86_400_000).toISOString(),
  }));
  const lots = Array.from({ length: counts.lots }, (_, index) => ({
    ...lot(`n${index}`, 1 + (index % 3), { purchase_price_usd: 10 + (index % 5) }),
    set_number: '5',
    account: email,
  }));
  const shelf = { kind: 'brickfolio', account: email, name: 'Shelf', description: 'All of it' };
  return [set, shelf, ...sales, ...lots].map((line) => JSON.stringify(line));
}

async function watchItems(): Promise<void> {
  await onTables(
    place.data,
    "INSERT INTO watch_list (id, account_id, name, created_at) VALUES (1, 1, 'Huts', 0)",
  );
  await onTables(
    place.data,
    `${numbersTo(counts.watched)} INSERT INTO watched_item
       (account_id, list_id, kind, key, number, note, added_at)
     SELECT 1, 1, 'set', 'x' || n, 'x' || n, 'Note ' || n, 0 FROM numbers`,
  );
}

const paths = [
  '/api/v1/set/5',
  '/api/v1/set/5/history',
  '/api/v1/brickfolio',
  '/api/v1/brickfolio/entries',
  '/api/v1/brickfolio/analytics',
  `${plusPrefix}/watchlists`,
  `${plusPrefix}/watchlists/1/items?limit=200`,
];

/** What this or another program answers and exports. */
async function answersOf(program: readonly string[]): Promise<readonly unknown[]> {
  const options = program.length === 0 ? {} : { program };
  const served = await place.serve({ ...options, flags: ['--no-sync'] });
  const answers = await Promise.all(paths.map((path) => answerOf(served, path)));
  await served.kill('SIGTERM');
  const exported = await place.start(['export', 'collection', '--account', email], options);
  expect(exported.status).toBe(0);
  return [...answers, exported.stdout];
}

async function answerOf(served: Served, path: string): Promise<unknown> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${served.url}${path}`, { headers });
  const { data } = (await response.json()) as { data: unknown };
  expect([path, response.status]).toEqual([path, 200]);
  return data;
}

const newest = firstVersion + madeUpMigrations.length;

/** The schema version; on the embedded store, of the file that is further. */
async function versionNow(): Promise<number> {
  if (isPostgres) {
    const [row] = await onTables<{ version: number }>(
      place.data,
      'SELECT max(version) AS version FROM migration',
    );
    return row?.version ?? 0;
  }
  const versions = await Promise.all(
    ['main', 'private'].map((file) =>
      onTables<{ user_version: number }>(place.data, `PRAGMA ${file}.user_version`),
    ),
  );
  return Math.max(...versions.flat().map(({ user_version }) => user_version));
}

test('a migration that is killed before any of its commits goes on from there', async () => {
  const reached: number[] = [];
  for (let commit = 1; ; commit++) {
    // First before any commit, then with one commit each time.
    const env = { KILL_BEFORE_COMMIT: commit === 1 ? '1' : '2' };
    const { status, stdout, stderr } = await place.start(['migrate'], { program: next, env });
    reached.push(await versionNow());
    if (status === 0) {
      expect(stdout).toContain('The schema is up to date.');
      break;
    }
    expect([status, stderr]).toEqual([137, '']);
    const old = await place.start(['account', 'list']);
    const refusal = commit === 1 ? '' : 'made by a newer version of Brickmark';
    expect([old.status, old.stderr]).toEqual([
      commit === 1 ? 0 : 1,
      expect.stringContaining(refusal),
    ]);
    expect(commit).toBeLessThan(40);
  }
  expect(reached).toEqual([...reached].sort((a, b) => a - b));
  expect(reached.at(-1)).toBe(newest);
  await expectFilled();
  expect(await answersOf(next)).toEqual(before);
});

/** All rows have the values of the new columns. */
async function expectFilled(): Promise<void> {
  const count = async (from: string) =>
    Number((await onTables<{ n: number }>(place.data, `SELECT count(*) AS n FROM ${from}`))[0]?.n);
  expect(await count('lot WHERE cost_cents = quantity * price_cents')).toBe(counts.lots);
  expect(await count('watched_item WHERE remark = note')).toBe(counts.watched);
  expect(await count('sale WHERE total_cents = price_cents + shipping_cents')).toBe(counts.sales);
}
