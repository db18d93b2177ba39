/** A killed and repeated import has the same result as an uninterrupted one, and can be undone. */
// @runs SQLite, PostgreSQL (rest): slow there
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { programCommand } from '../support/program.ts';
import { onTables, onTablesEach, type Stall, stallInserts } from '../support/tables.ts';
import { until } from '../support/until.ts';

const setCount = 560;
const saleCount = 600;
const asOf = '2026-11-15T11:00:00Z';

let killed: Workplace;
let calm: Workplace;

beforeAll(() => {
  killed = makeWorkplace();
  calm = makeWorkplace();
});

afterAll(async () => {
  await killed.close();
  await calm.close();
});

/** More sets than are published at once, with their sales. */
function feed(): string {
  const sets = Array.from({ length: setCount }, (_, index) => ({
    kind: 'set',
    set_number: String(1000 + index),
    title: `Hut ${index}`,
    theme: `Huts ${index % 7}`,
    msrp_usd: 20 + index,
    release_date: '2022-01-01',
  }));
  const sales = Array.from({ length: saleCount }, (_, index) => ({
    kind: 'sale',
    source: 'shop',
    source_id: String(index),
    item_type: 'set',
    item: String(1000 + (index % setCount)),
    condition: index % 3 === 0 ? 'used' : 'sealed',
    price: 20 + ((index * 7919) % 3000) / 100,
    sold_at: new Date(Date.UTC(2026, 10, 14) - (index % 100) * 86_400_000).toISOString(),
  }));
  const cents = (line: object) =>
    'price' in line ? { ...line, price: Math.round(Number(line.price) * 100) / 100 } : line;
  return [...sets, ...sales].map((line) => JSON.stringify(cents(line))).join('\n');
}

/** All published tables. */
function published({ data }: Workplace): Promise<Record<string, object[]>> {
  return onTablesEach(data, {
    documents: `SELECT d.key, d.body, l.search_row FROM document d JOIN listing l USING (item_id)
     ORDER BY d.key`,
    series: `SELECT i.key, s.condition, s.first_month, s.points FROM series s
     JOIN item i ON i.id = s.item_id ORDER BY i.key, s.condition`,
    themes: 'SELECT body FROM theme_list',
  });
}

/** The number of rows of a table; 0 before the store exists. */
async function countKilled(table: string): Promise<number> {
  try {
    const sql = `SELECT count(*) AS count FROM ${table}`;
    const [row] = await onTables<{ count: number }>(killed.data, sql);
    return Number(row?.count);
  } catch {
    return 0;
  }
}

interface Stage {
  readonly stall: Stall;
  /** The rows that show that the stage before it was committed. */
  readonly committed: Stall;
}

/** When each import is killed: started, rows stored, parameters learned, publishing. */
const stages: readonly Stage[] = [
  { stall: { table: 'item', rows: 0 }, committed: { table: 'import_log', rows: 1 } },
  { stall: { table: 'parameters', rows: 0 }, committed: { table: 'sale', rows: 1 } },
  { stall: { table: 'document', rows: 0 }, committed: { table: 'parameters', rows: 1 } },
  { stall: { table: 'document', rows: 520 }, committed: { table: 'document', rows: 1 } },
];

/**
 * Starts an import, stalls it, and kills it when the condition is reached. It gets its rows only
 * once it has opened the store, which refuses a file with a trigger of ours.
 */
async function killImport(rows: string, { stall, committed }: Stage): Promise<void> {
  const before = await countKilled('import_log');
  const child = Bun.spawn([...(await programCommand()), 'import', 'feed', '-'], {
    cwd: killed.folder,
    env: await killed.env(),
    stdin: 'pipe',
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const reaches = (table: string, count: number) =>
    until(async () => child.exitCode !== null || (await countKilled(table)) >= count);
  let end = async () => {};
  try {
    await reaches('import_log', before + 1);
    end = await stallInserts(killed.data, stall);
    child.stdin.write(rows);
    await child.stdin.end();
    await reaches(committed.table, committed.rows);
  } finally {
    child.kill('SIGKILL');
    await child.exited;
    await end();
  }
  expect(child.signalCode).toBe('SIGKILL');
}

const interrupted = 'Still running, or interrupted; these rows are written.';

interface Logged {
  readonly import_id: number;
  readonly added: number;
  readonly error: string | null;
}

async function listImports(): Promise<Logged[]> {
  return (await killed.json<{ imports: Logged[] }>(['import', 'log'])).imports;
}

test('an import killed four times publishes the same documents in the end', async () => {
  for (const place of [killed, calm]) writeFileSync(join(place.folder, 'feed.ndjson'), feed());
  for (const stage of stages) {
    await killImport(feed(), stage);
    expect(await countKilled('document')).toBeLessThan(setCount);
  }
  expect(await listImports()).toMatchObject([
    { added: 0, unchanged: setCount + saleCount },
    { added: 0, unchanged: setCount + saleCount },
    { added: setCount + saleCount, unchanged: 0 },
    { error: interrupted, added: 0 },
  ]);
  for (const place of [killed, calm]) {
    const report = await place.json<{ read: number; rejected: number }>([
      'import',
      'feed',
      'feed.ndjson',
    ]);
    expect(report).toMatchObject({ read: setCount + saleCount, rejected: 0 });
    await place.json(['value', '--as-of', asOf]);
  }
  expect(await published(killed)).toEqual(await published(calm));

  // Rows written before it was killed can be undone, too.
  const statuses: number[] = [];
  for (const { import_id: id } of await listImports()) {
    statuses.push((await killed.run(['import', 'undo', String(id), '--no-value'])).status);
  }
  expect(statuses.filter((status) => status === 0)).toHaveLength(1);
  for (const table of ['item', 'sale', 'document', 'series'])
    expect(await countKilled(table)).toBe(0);
});

test('the log has the rows that a killed import has written', async () => {
  const sets = Array.from({ length: 10_050 }, (_, index) =>
    JSON.stringify({ kind: 'set', set_number: `k${index}`, title: 'Hut', theme: 'Huts' }),
  );
  await killImport(sets.join('\n'), {
    stall: { table: 'item', rows: 10_010 },
    committed: { table: 'item', rows: 10_000 },
  });
  const written = await countKilled('item');
  expect(written).toBeLessThan(sets.length);
  expect((await listImports())[0]).toMatchObject({ error: interrupted, added: written });
});
