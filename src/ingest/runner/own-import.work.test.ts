/** Imports by an owner: accepted rows, gaps, limits and aborts. */
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAt } from '../../../test/support/read-options.ts';
import type {
  AccountOutcome,
  AccountRow,
  ChangeAccount,
  ChangeResult,
} from '../../portfolio/lots/private-rows.ts';
import { formats } from './formats.work.ts';
import {
  formatOf,
  importOwn,
  type OwnImport,
  ownRowsMax,
  readContents,
} from './own-import.work.ts';

const folder = mkdtempSync(join(tmpdir(), 'brickmark-own-'));
afterAll(() => rmSync(folder, { recursive: true }));
const me = 'me@example.com';

/** An import into a store that knows set 10482 and accepts every row. */
function workOf(name: string, text: string, given: Partial<OwnImport> = {}): OwnImport {
  const path = join(folder, name);
  writeFileSync(path, text);
  const known = { number: '10482', msrpCents: 10_00, releaseDate: null, year: null };
  const findKnown = (keys: readonly string[]) => keys.filter((key) => key === '10482');
  return {
    path,
    owner: { accountId: 1, email: me },
    settings: { brickfolio: null, missingPrice: 'msrp', missingDate: 'unknown' },
    store: {
      market: {
        findKnownSets: async (keys: readonly string[]) =>
          new Map(findKnown(keys).map((key) => [key, known])),
        findKnownMinifigs: async (keys: readonly string[]) =>
          new Map(keys.map((key) => [key, { number: key, valueCents: 1_00, year: null }])),
        findNumbers: async (_: string, keys: readonly string[]) =>
          new Map(findKnown(keys).map((key) => [key, key])),
        findRates: async (queries: readonly unknown[]) => queries.map(() => null),
      },
      accounts: {
        findAccount: async () => ({ id: 1, email: me }),
        listBrickfolios: async () => [{ name: 'Shelf', isDefault: true }],
        findLotsBySourceIds: async () => new Map(),
      },
    } as unknown as OwnImport['store'],
    clock: () => readAt,
    isRehearsal: true,
    signal: new AbortController().signal,
    ...given,
  };
}

const resultOf = (outcomes: readonly AccountOutcome[]): ChangeResult => ({
  outcomes,
  editId: null,
  wasApplied: false,
});

async function run(
  work: OwnImport,
  outcomeOf: (row: AccountRow) => AccountOutcome['kind'] = () => 'added',
) {
  const applied: AccountRow[] = [];
  const outcome = await importOwn(work, {
    change: async (_, { rows }) => {
      applied.push(...rows);
      return resultOf(rows.map((row) => ({ kind: outcomeOf(row) }) as AccountOutcome));
    },
  });
  return { ...outcome, applied };
}

const holding = {
  kind: 'holding',
  account: me,
  brickfolio: 'Shelf',
  set_number: '10482',
  quantity: 1,
  condition: 'sealed',
  purchase_price_usd: 5,
  purchase_date: '2026-01-01',
};
const lines = (...records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

test.each([
  ['a.ndjson', 'feed'],
  ['a.JSONL', 'feed'],
  ['a.ndjson.gz', 'feed'],
  ['a.json', 'collection'],
  ['a.ndjson.csv', 'collection'],
] as const)('%s is read as %s', (name, format) => {
  expect(formatOf(name)).toBe(formats[format]);
});

test("only the owner's rows of a feed are imported, ignoring the case of the email", async () => {
  const { report, rejectGroups, recognized } = await run(
    workOf(
      'mine.ndjson',
      lines(
        { ...holding, source_id: 'a', account: 'ME@example.com' },
        { ...holding, source_id: 'b', account: 'you@example.com' },
        { kind: 'set', set_number: '1', title: 'Hut', theme: 'Huts' },
        { ...holding, source_id: 'c', quantity: 0 },
      ),
    ),
  );
  expect([report.added, report.rejected]).toEqual([1, 3]);
  expect(recognized).toEqual({ name: 'Brickmark feed' });
  expect(rejectGroups.map(({ title }) => title)).toEqual([
    'Rows of another account',
    'Rows that are not collections, lots or sales',
    'Quantity not recognized',
  ]);
});

test('up to fifty added or changed lots are listed, plus collections', async () => {
  const many = Array.from({ length: 53 }, (_, index) => ({ ...holding, source_id: `${index}` }));
  const box = { kind: 'brickfolio', account: me, name: 'Box' };
  const { changes } = await run(workOf('many.ndjson', lines(box, ...many)), (row) => {
    if (row.kind !== 'holding') return 'added';
    if (row.facts.sourceId === '0') return 'unchanged';
    return row.facts.sourceId === '1' ? 'updated' : 'added';
  });
  expect(changes).toHaveLength(51);
  expect(changes.slice(0, 2).map(({ kind, row }) => [kind, row.kind])).toEqual([
    ['added', 'brickfolio'],
    ['updated', 'holding'],
  ]);
});

test('gaps of lots are counted, with the first ambiguous date', async () => {
  const table = [
    'Number,Paid,Condition,Date',
    '10482,5,New,1/2/2026',
    '10482,,New,3/4/2026',
    '10482,,New,',
  ];
  const { gaps, recognized } = await run(workOf('c.csv', `${table.join('\n')}\n`));
  const others = { farPrices: 0, otherNames: 0 };
  expect(gaps).toEqual({ withoutDate: 1, withoutPrice: 2, unclearDay: '1/2/2026', ...others });
  expect(recognized).toEqual({ name: 'BrickEconomy collection' });
});

describe('a broken file', () => {
  const broken = 'Number,Paid,Condition\n10482,5,New\n10482,"5';

  test('writes nothing, unless rehearsed', async () => {
    const work = workOf('b.csv', broken, { isRehearsal: false });
    let applied = 0;
    const change: ChangeAccount = async (_, { rows }) => {
      applied += rows.length;
      return resultOf(rows.map(() => ({ kind: 'added' })));
    };
    await expect(importOwn(work, { change })).rejects.toThrow('never closed');
    expect(applied).toBe(0);
  });
});

test('a file may have 20,000 rows', async () => {
  const row = lines({ kind: 'retract', source: 's', source_id: '1' });
  const rows = (count: number) => row.repeat(count);
  expect((await readContents(workOf('most.ndjson', rows(ownRowsMax)))).rejected).toBe(20_000);
  await expect(readContents(workOf('more.ndjson', rows(ownRowsMax + 1)))).rejects.toThrow(
    'The file has more than 20,000 rows; split it, or ask the operator',
  );
});

test('reading pauses after each part of the file', async () => {
  const sleep = () => Promise.reject(new Error('It is awaited.'));
  const text = lines({ ...holding, source_id: 'a' });
  await expect(readContents(workOf('p.ndjson', text, { sleep }))).rejects.toThrow('It is awaited.');
});

test('reading and rehearsing are aborted on timeout', async () => {
  const text = lines({ ...holding, source_id: 'a' });
  const over = AbortSignal.abort();
  const tooLong = 'The file takes too long to import. Split it.';
  await expect(run(workOf('t.ndjson', text, { signal: over }))).rejects.toThrow(tooLong);
  const work = workOf('t.ndjson', text, { signal: over, isRehearsal: false });
  await expect(run(work)).rejects.toThrow(tooLong);
});

test('writing is not aborted', async () => {
  const time = new AbortController();
  let reads = 0;
  const work = workOf('w.ndjson', lines({ ...holding, source_id: 'a' }), {
    isRehearsal: false,
    signal: time.signal,
    clock: () => {
      // The second reading starts after the first pass.
      if (++reads > 1) time.abort();
      return readAt;
    },
  });
  expect((await run(work)).report.added).toBe(1);
});

test('every reject is reported', async () => {
  const told: string[] = [];
  const onReject = ({ reason }: { readonly reason: string }) => told.push(reason);
  await run(workOf('r.ndjson', lines({ kind: 'x' }), { onReject }));
  expect(told).toHaveLength(1);
});

test('the contents of a file are its sets and minifigs; other rows are rejected', async () => {
  const minifigs = 'fig_num,quantity,condition\nfig-1,2,New\nfig-2,,\nfig-3,0,\n';
  expect(await readContents(workOf('m.csv', minifigs))).toMatchObject({
    units: [
      { kind: 'minifig', number: 'fig-1', quantity: 2, condition: 'sealed' },
      { kind: 'minifig', number: 'fig-2', quantity: 1, condition: 'used' },
    ],
    rejected: 1,
  });
  const sale = {
    kind: 'ledger_sale',
    account: me,
    source_id: 's',
    set_number: '10482',
    platform: 'ebay',
    sale_date: '2026-01-01',
    quantity: 1,
    gross_proceeds_usd: 9,
  };
  const box = { kind: 'brickfolio', account: me, name: 'Box' };
  const text = lines(box, { ...holding, source_id: 'a', quantity: 3 }, sale, { kind: 'x' });
  const { units, rejects, rejected } = await readContents(workOf('c.ndjson', text));
  expect(units).toEqual([{ kind: 'set', number: '10482', quantity: 3, condition: 'sealed' }]);
  expect(rejected).toBe(2);
  expect(rejects[0]?.reason).toBe('it is a sale, not something in a box');
});

test('a hundred rejects of the contents are listed', async () => {
  const text = lines({ kind: 'x' }).repeat(101);
  const { rejects, rejected } = await readContents(workOf('x.ndjson', text));
  expect([rejects.length, rejected]).toEqual([100, 101]);
});
