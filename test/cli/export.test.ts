/** `import collection`, `import sales` and `export`. */
// @runs SQLite: is about the command
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anAccount } from '../support/builders.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { openTestStore } from '../support/engines.ts';
import { programCommand } from '../support/program.ts';
import { readAt } from '../support/read-options.ts';
import { importFeed } from '../support/world.ts';

let place: Workplace;
const account = (email: string) => ['--account', email];

// One store for all tests, which use separate accounts.
beforeAll(async () => {
  place = makeWorkplace();
  const store = await openTestStore(place.data);
  const set = { kind: 'set', set_number: '10482', title: 'Harbour Lighthouse', theme: 'Coastline' };
  await importFeed(store, [{ ...set, msrp_usd: 119.99 }], () => readAt);
  for (const name of ['me', 'you', 'big', 'empty', 'new']) {
    const email = `${name}@example.com`;
    await store.accounts.addAccount(anAccount({ email, at: readAt }));
  }
  await store.close();
});

afterAll(() => place.close());

const economy =
  'Number,Theme,Subtheme,Year,SetName,Retail,Paid,Value,Condition,Date,Notes\n' +
  '10482-1,,,,,,$80,,New,31/12/2025,\n10482-1,,,,,,,,New,,\n';

const orders =
  '<ORDERS><ORDER><ORDERID>7</ORDERID><BUYER>b & c</BUYER><ORDERDATE>9/4/2026</ORDERDATE>' +
  '<ORDERTOTAL>99.50</ORDERTOTAL><ITEM><ITEMTYPE>S</ITEMTYPE><ITEMID>10482-1</ITEMID>' +
  '<LOTID>1</LOTID><QTY>1</QTY><PRICE>99.5</PRICE><CONDITION>N</CONDITION></ITEM></ORDER></ORDERS>';

function write(name: string, text: string): string {
  const path = join(place.folder, name);
  writeFileSync(path, text);
  return path;
}

test('a collection and sales survive import, export and import elsewhere', async () => {
  const [me, you] = [account('me@example.com'), account('you@example.com')];
  const first = await place.json(['import', 'collection', write('mine.csv', economy), ...me]);
  expect(first).toMatchObject({ read: 2, added: 2, rejected: 0 });
  await place.json(['import', 'sales', '-', ...me], { stdin: orders });
  const later = { now: '2026-11-18T12:00:00Z' };
  const again = await place.json(['import', 'collection', 'mine.csv', ...me], later);
  expect(again).toMatchObject({ read: 2, unchanged: 2 });
  for (const format of ['csv', 'json']) {
    for (const kind of ['collection', 'sales']) {
      const words = ['export', kind, '--format', format];
      const { status, stdout, stderr } = await place.run([...words, ...me]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const file = write(`${kind}.${format}`, stdout);
      const report = await place.json(['import', kind, file, ...you]);
      const counts = kind === 'collection' ? { read: 3 } : { read: 1 };
      const outcome = format === 'csv' ? { added: counts.read } : { unchanged: counts.read };
      expect(report).toMatchObject({ ...counts, ...outcome, rejected: 0 });
    }
  }
  for (const kind of ['collection', 'sales']) {
    const yours = await place.run(['export', kind, ...you]);
    expect(yours.stdout).toBe(readFileSync(join(place.folder, `${kind}.csv`), 'utf8'));
  }
});

test('an export ends quietly if the pipe is closed; a full disk is reported', async () => {
  const lot = {
    kind: 'holding',
    account: 'big@example.com',
    brickfolio: 'Big',
    set_number: '10482',
  };
  const bought = { condition: 'sealed', purchase_price_usd: 1, purchase_date: '2026-01-01' };
  const lots = Array.from({ length: 3000 }, (_, index) =>
    JSON.stringify({ ...lot, ...bought, source_id: `lot ${index}`, quantity: 1 }),
  );
  const big = JSON.stringify({ kind: 'brickfolio', account: 'big@example.com', name: 'Big' });
  const stdin = [big, ...lots].join('\n');
  await place.json(['import', 'feed', '-', '--no-value'], { stdin });
  const program = (await programCommand()).join(' ');
  const shell = async (to: string) => {
    const line = `${program} export collection --account big@example.com ${to}`;
    const child = Bun.spawn(['bash', '-c', `set -o pipefail; ${line}`], {
      env: await place.env(),
      stderr: 'pipe',
    });
    return [await child.exited, await new Response(child.stderr).text()];
  };
  expect(await shell('| head -1 > /dev/null')).toEqual([0, '']);
  const [status, said] = await shell('> /dev/full');
  expect(status).toBe(1);
  expect(said).toMatch(/^The output cannot be written: .*\.\n$/);
});

test('an imported lot that was bought recently is stored with a prediction', async () => {
  const sales = Array.from({ length: 12 }, (_, index) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `p${index}`,
    item_type: 'set',
    item: '10482',
    condition: 'sealed',
    price: 150 + index,
    sold_at: `2026-11-${String(index + 1).padStart(2, '0')}T12:00:00Z`,
  }));
  const feed = sales.map((sale) => JSON.stringify(sale)).join('\n');
  await place.json(['import', 'feed', '-'], { stdin: feed });
  const [heading, lot = ''] = economy.split('\n');
  const bought = `${heading}\n${lot.replace('31/12/2025', '14/11/2026')}\n`;
  await place.json([
    'import',
    'collection',
    write('bought.csv', bought),
    ...account('new@example.com'),
  ]);
  const store = await openTestStore(place.data);
  const owner = await store.accounts.findAccount('new@example.com', readAt);
  const predictions = await store.accounts.listPredictions(owner?.id ?? 0, { after: 0, limit: 10 });
  await store.close();
  expect(predictions).toHaveLength(1);
});

test('a broken file imports nothing', async () => {
  const file = write('orders.xml', orders.replace('</ORDERS>', ''));
  const { status, stderr } = await place.run([
    'import',
    'sales',
    file,
    ...account('empty@example.com'),
  ]);
  expect(status).toBe(1);
  expect(stderr).toContain(`${file}:1: the file ends before its orders do; is it complete?`);
  const { stdout } = await place.run([
    'export',
    'sales',
    '--json',
    ...account('empty@example.com'),
  ]);
  expect(JSON.parse(stdout)).toEqual({ format: 'brickmark sales', rows: [] });
});

/** A usage error, and a request for missing data. */
const mistyped: [string[], number, string][] = [
  [
    ['export', 'sales', '--account', 'x', '--format', 'pdf'],
    2,
    '--format must be csv, json or ghostfolio',
  ],
  [['import', 'sales', 'x.csv', ...account('no@a.b')], 1, "There is no account 'no@a.b'."],
];

test.each(mistyped)('%j is rejected in one sentence', async (words, status, message) => {
  const ran = await place.run(words);
  expect({ status: ran.status, stdout: ran.stdout }).toEqual({ status, stdout: '' });
  expect(ran.stderr).toContain(message);
  expect(ran.stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
});

const me = account('me@example.com');

test.each([
  [['export', ...me], 2, 'Add collection or sales.'],
  [['export', 'shoes', ...me], 2, "'shoes' must be collection or sales."],
  [['export', 'sales'], 2, '--account EMAIL is missing.'],
  [['export', 'sales', ...account('no@example.com')], 1, "There is no account 'no@example.com'."],
  [['import', 'collection', 'x.csv'], 2, "'collection' needs --account."],
] as const)('%j is refused, too', async (words, status, message) => {
  const ran = await place.run(words);
  expect(ran).toMatchObject({ status, stdout: '' });
  expect(ran.stderr).toStartWith(message);
});
