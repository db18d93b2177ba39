/** An import that is killed and run again ends where one that was left alone does; or is undone. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { programCommand } from '../support/program.ts';
import { onTables, onTablesEach } from '../support/tables.ts';
import { until } from '../support/until.ts';

const setCount = 560;
const saleCount = 4_000;
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

/** A feed of more sets than are published at once, and of their sales. */
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
    sold_at: new Date(Date.UTC(2026, 10, 14) - (index % 400) * 86_400_000).toISOString(),
  }));
  const cents = (line: object) =>
    'price' in line ? { ...line, price: Math.round(Number(line.price) * 100) / 100 } : line;
  return [...sets, ...sales].map((line) => JSON.stringify(cents(line))).join('\n');
}

/** Everything that is published, as it stands in the store. */
function published({ data }: Workplace): Promise<Record<string, object[]>> {
  return onTablesEach(data, {
    documents: `SELECT d.key, d.body, l.search_row FROM document d JOIN listing l USING (item_id)
     ORDER BY d.key`,
    series: `SELECT i.key, s.condition, s.first_month, s.points FROM series s
     JOIN item i ON i.id = s.item_id ORDER BY i.key, s.condition`,
    themes: 'SELECT body FROM theme_list',
  });
}

/** How many rows a table has; a store that is not made yet has none. */
async function countKilled(table: string): Promise<number> {
  try {
    const sql = `SELECT count(*) AS count FROM ${table}`;
    const [row] = await onTables<{ count: number }>(killed.data, sql);
    return Number(row?.count);
  } catch {
    return 0;
  }
}

/** How far each import comes: it reads, has its rows, has learned from them, publishes. */
const stages = [
  () => Bun.sleep(300).then(() => true),
  async () => (await countKilled('sale')) > 0,
  async () => (await countKilled('parameters')) > 0,
  async () => (await countKilled('document')) > 0,
];

test('killed four times on its way, an import leaves the same documents in the end', async () => {
  for (const place of [killed, calm]) writeFileSync(join(place.folder, 'feed.ndjson'), feed());
  const program = await programCommand();
  for (const isReached of stages) {
    const child = Bun.spawn([...program, 'import', 'feed', 'feed.ndjson'], {
      cwd: killed.folder,
      env: await killed.env(),
      stdout: 'ignore',
      stderr: 'ignore',
    });
    await until(async () => child.exitCode !== null || (await isReached()));
    child.kill('SIGKILL');
    await child.exited;
    expect(child.signalCode).toBe('SIGKILL');
    expect(await countKilled('document')).toBeLessThan(setCount);
  }
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

  // What it had written before it was killed can be undone all the same.
  const { imports } = await killed.json<{ imports: { import_id: number }[] }>(['import', 'log']);
  const statuses: number[] = [];
  for (const { import_id: id } of imports) {
    statuses.push((await killed.run(['import', 'undo', String(id), '--no-value'])).status);
  }
  expect(statuses.filter((status) => status === 0)).toHaveLength(1);
  for (const table of ['item', 'sale', 'document', 'series'])
    expect(await countKilled(table)).toBe(0);
});
