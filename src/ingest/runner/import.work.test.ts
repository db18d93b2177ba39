/** Importing market rows into a real store: any order, repeatable, every row accounted for. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestStore } from '../../../test/support/engines.ts';
import { InTurn } from '../../../test/support/in-turn.ts';
import type { ItemInputs } from '../../market/published/publishing.ts';
import type { MarketRow, RowOutcome } from '../../market/source-rows/market-ingest.ts';
import type { PrivateRow } from '../../portfolio/lots/private-rows.ts';
import type { Store } from '../../store/store.ts';
import { readFeedLine } from '../feed/feed.work.ts';
import { type ImportTarget, importRows } from './import.work.ts';
import type { LocatedRow, SourceItem } from './located-row.ts';
import type { RejectedRow } from './report.ts';

const now = Date.UTC(2026, 10, 15, 12);

let folder: string;
let store: Store;
let rejected: RejectedRow[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-import-'));
  store = await openTestStore(folder);
  rejected = [];
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Imports lines like `import feed`, and returns the outcomes. */
async function load(lines: readonly (object | string)[], at = now) {
  async function* groups() {
    yield lines.map((line, index) => {
      const text = typeof line === 'string' ? line : JSON.stringify(line);
      return { where: `feed:${index + 1}`, text, result: readFeedLine(text, at) };
    });
  }
  const { rejects, ...counts } = await importRows(groups(), {
    ...store,
    clock: () => at,
    onReject: (reject) => rejected.push(reject),
  });
  return { ...counts, rejects: rejects.map(({ where, reason }) => `${where} ${reason}`) };
}

async function inputs(): Promise<ItemInputs[]> {
  return store.market.loadInputs(await store.market.listStale(0, 1000), {
    at: now,
    withSeries: true,
  });
}

/** ID, price and retraction of each stored sale. */
async function sales() {
  const items = await inputs();
  return items.flatMap((item) =>
    item.sales.map((sale) => [sale.sourceId, sale.priceCents / 100, sale.retractedAt !== null]),
  );
}

const castle = { kind: 'set', set_number: '75192-1', title: 'Castle', theme: 'Castles' };
const knight = {
  kind: 'minifig',
  minifig_number: 'cas001',
  name: 'Knight',
  aliases: ['fig-000001'],
};
const euro = { kind: 'fx', date: '2026-09-30', currency: 'EUR', usd_per_unit: 1.1 };
const offer = {
  kind: 'offer',
  retailer: 'retailer_a',
  set_number: '75192',
  observed_at: '2026-11-01T00:00:00Z',
  price: 119.99,
};

function sold(id: string, price: number, facts: object = {}) {
  return {
    kind: 'sale',
    source: 'shop',
    source_id: id,
    item_type: 'set',
    item: '75192',
    condition: 'sealed',
    price,
    sold_at: '2026-10-01T00:00:00Z',
    ...facts,
  };
}

const retract = (id: string) => ({ kind: 'retract', source: 'shop', source_id: id });

test('a sale, an offer and a retraction may come before the row they refer to', async () => {
  const report = await load([offer, sold('a', 100), castle, retract('b'), sold('b', 110)]);
  expect(report).toEqual({
    read: 5,
    added: 4,
    updated: 1,
    unchanged: 0,
    rejected: 0,
    rejects: [],
    warned: 0,
    warnedPrivately: 0,
    warnings: [],
  });
  expect(await sales()).toEqual([
    ['a', 100, false],
    ['b', 110, true],
  ]);
});

test('missing references are rejected, with line and name', async () => {
  const other = { item_type: 'minifig', item: 'cas009' };
  const report = await load([sold('a', 1), sold('b', 1, other), offer, retract('c')]);
  expect(report).toMatchObject({ read: 4, added: 0, rejected: 4, missing: 4 });
  expect(report.rejects).toEqual([
    "feed:1 set '75192' is not in the catalog",
    "feed:2 minifig 'cas009' is not in the catalog",
    "feed:3 set '75192' is not in the catalog",
    "feed:4 source 'shop' has no sale 'c'",
  ]);
});

test('a sale may come many rows before its set', async () => {
  const between = Array.from({ length: 10_000 }, (_, index) => ({
    kind: 'fx',
    date: '2026-01-01',
    currency: 'EUR',
    usd_per_unit: 1 + index / 10_000,
  }));
  expect(await load([sold('a', 100), ...between, castle])).toMatchObject({ rejected: 0 });
  expect(await sales()).toEqual([['a', 100, false]]);
});

test('sales name sets and minifigs by any of their numbers', async () => {
  const report = await load([
    castle,
    knight,
    sold('a', 100, { item: '75192-1' }),
    sold('b', 8, { item_type: 'minifig', item: 'CAS001' }),
    sold('c', 9, { item_type: 'minifig', item: 'FIG-000001' }),
  ]);
  expect(report.rejects).toEqual([]);
  const held = (await inputs()).map((item) => [item.number, item.sales.length]);
  expect(held).toEqual([
    ['75192', 1],
    ['cas001', 2],
  ]);
});

const market = [castle, knight, euro, sold('a', 100), sold('b', 90, { currency: 'EUR' }), offer];

test('importing the same file again changes nothing', async () => {
  expect(await load(market)).toMatchObject({ read: 6, added: 6 });
  const before = await inputs();
  const again = await load(market, now + 60_000);
  expect(again).toMatchObject({ read: 6, added: 0, updated: 0, unchanged: 6, rejected: 0 });
  expect(await inputs()).toEqual(before);
});

test('a changed line replaces its whole record and nothing else', async () => {
  await load([{ ...castle, pieces: 1500, msrp_usd: 99 }, sold('a', 100), offer]);
  const changed = [{ ...castle, pieces: 1600 }, sold('a', 100), { ...offer, price: null }];
  expect(await load(changed)).toMatchObject({ added: 0, updated: 2, unchanged: 1 });
  const [item] = await inputs();
  expect(item?.records[0]?.facts).toMatchObject({ pieces: 1600, msrpCents: null });
  expect(item?.retail.retailer_a.offers).toMatchObject([{ priceCents: null }]);
});

test('a retracted sale stays retracted on reimport', async () => {
  const lines = [castle, sold('a', 100), retract('a')];
  expect(await load(lines)).toMatchObject({ added: 2, updated: 1 });
  expect(await load(lines, now + 60_000)).toMatchObject({ added: 0, updated: 0, unchanged: 3 });
  const [item] = await inputs();
  expect(item?.sales).toMatchObject([{ sourceId: 'a', ingestedAt: now, retractedAt: now }]);
});

test('one bad line in a hundred is rejected, and the others are imported', async () => {
  const lines = [
    castle,
    ...Array.from({ length: 99 }, (_, index) => sold(`${index}`, 100 + index)),
  ];
  const bad = JSON.stringify(sold('42', -1));
  const report = await load(lines.with(43, sold('42', -1)));
  expect(report).toMatchObject({ read: 100, added: 99, rejected: 1 });
  expect(report.missing).toBeUndefined();
  const reason = "'price' must be from 0 to 1000000, not -1";
  expect(rejected).toEqual([{ where: 'feed:44', reason, row: bad, isPrivate: false }]);
  expect(await sales()).toHaveLength(98);
});

test('every reject is reported, and the report keeps the first hundred', async () => {
  const report = await load(Array.from({ length: 150 }, (_, index) => `bad ${index}`));
  expect(report).toMatchObject({ read: 150, rejected: 150 });
  expect(report.rejects).toHaveLength(100);
  expect(rejected.map((reject) => reject.row)).toEqual(
    Array.from({ length: 150 }, (_, index) => `bad ${index}`),
  );
});

test('a sale in a currency without a rate waits until the rate is imported', async () => {
  const sale = sold('a', 100, { currency: 'EUR' });
  const note =
    '1 row waits for exchange rates: EUR of Oct 1, 2026. Importing the rates brings it in.';
  expect(await load([castle, sale])).toMatchObject({ added: 2, waiting: 1, notes: [note] });
  // Rates of the next day, or more than seven days before, do not apply.
  const others = ['2026-10-02', '2026-09-23'].map((date) => ({ ...euro, date }));
  const again = await load([sale, ...others]);
  expect(again).toMatchObject({ added: 2, unchanged: 1, waiting: 1, notes: [note] });
  // A rate that follows in the same file does.
  const last = await load([sale, { ...euro, date: '2026-09-24' }]);
  expect(last).toMatchObject({ added: 1, unchanged: 1 });
  expect(last).not.toHaveProperty('waiting');
});

test('a sale is converted by the latest rate on or before its day', async () => {
  const rates = [
    { ...euro, date: '2026-09-01', usd_per_unit: 1.05 },
    { ...euro, date: '2026-09-30', usd_per_unit: 1.1 },
    { ...euro, date: '2026-10-02', usd_per_unit: 1.2 },
  ];
  await load([castle, sold('a', 100, { currency: 'EUR' }), ...rates]);
  expect((await inputs())[0]?.sales).toMatchObject([{ priceCents: 100_00, usdPerUnit: 1.1 }]);
});

test('the order of lines does not affect the order of stored sales', async () => {
  const day = (index: number) => `2026-10-${String(10 + (index % 4)).padStart(2, '0')}T00:00:00Z`;
  const lines = Array.from({ length: 40 }, (_, index) =>
    sold(`${index}`, 100 + ((index * 37) % 23), { sold_at: day(index), source: `s${index % 3}` }),
  );
  const valued = async (order: readonly object[]) => {
    const other = await openTestStore(mkdtempSync(join(folder, 'order-')));
    const before = store;
    store = other;
    try {
      expect(await load([castle, ...order])).toMatchObject({ added: 41 });
      const [item] = await inputs();
      return item?.sales;
    } finally {
      store = before;
      await other.close();
    }
  };
  const inOrder = await valued(lines);
  const times = inOrder?.map((sale) => sale.soldAt) ?? [];
  expect(times).toHaveLength(40);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(await valued(lines.toReversed())).toEqual(inOrder);
  const mixed = lines.toSorted((a, b) => a.price - b.price);
  expect(await valued(mixed)).toEqual(inOrder);
});

test('a later line replaces a deferred one with the same identity', async () => {
  const lines = [sold('a', 100), castle, sold('a', 120)];
  expect(await load(lines)).toMatchObject({
    read: 3,
    added: 2,
    rejects: [
      "feed:1 set '75192' is not in the catalog; a later line with the same identity replaces it",
    ],
  });
  expect(await sales()).toEqual([['a', 120, false]]);
  expect(await load(lines)).toMatchObject({ added: 0, updated: 2, rejected: 0 });
  expect(await sales()).toEqual([['a', 120, false]]);
});

test('a retraction before its sale and its set is applied at the end of the file', async () => {
  const retract = { kind: 'retract', source: 'shop', source_id: 'a' };
  expect(await load([retract, sold('a', 100), castle])).toMatchObject({ added: 2, updated: 1 });
  expect(await sales()).toEqual([['a', 100, true]]);
});

describe('with a given store', () => {
  const added: RowOutcome = { kind: 'added' };

  /** A store that gives every row the same outcome, and records how many rows it gets at once. */
  function storeOf(outcome: RowOutcome = added, gone = 0) {
    const calls: (readonly [method: string, count: number])[] = [];
    const apply = (method: string) => async (rows: readonly unknown[]) => {
      calls.push([method, rows.length]);
      return rows.map(() => outcome);
    };
    const target: ImportTarget = {
      market: {
        applyRows: apply('market'),
        findNumbers: async (_, keys) => new Map(keys.map((key) => [key, key])),
        findRates: async (queries) => queries.map(() => null),
        markGone: async ({ keys }) => {
          calls.push(['gone', keys.size]);
          return gone;
        },
        joinMinifigs: async () => {
          calls.push(['join', 0]);
          return null;
        },
      },
      accounts: {
        findAccount: async () => ({ id: 1 }),
        change: async (_, { rows }) => {
          const outcomes = await apply('private')(rows);
          return { outcomes, editId: null, wasApplied: false };
        },
      },
      clock: () => now,
      onReject: (reject) => rejected.push(reject),
    };
    return { target, calls };
  }

  function located(line: object): LocatedRow {
    const text = JSON.stringify(line);
    return { where: 'feed:1', text, result: readFeedLine(text, now) };
  }

  /** A row of a source other than the feed. */
  function fromSource(line: object): LocatedRow {
    const { result, ...where } = located(line);
    if (!('row' in result)) throw new Error('The line is rejected.');
    return { ...where, result: { row: { ...result.row, source: 'brickset' } as MarketRow } };
  }

  async function* inGroups(...groups: readonly (readonly SourceItem[])[]) {
    yield* groups;
  }

  const lot = {
    kind: 'holding',
    account: 'ann@example.com',
    source_id: 'a',
    brickfolio: 'Attic',
    set_number: '75192',
    quantity: 1,
    condition: 'sealed',
    purchase_price_usd: 10,
    purchase_date: '2026-01-01',
  };
  const attic = { kind: 'brickfolio', account: 'ann@example.com', name: 'Attic' };
  const ledgerSale = {
    kind: 'ledger_sale',
    account: 'ann@example.com',
    source_id: 's',
    set_number: '75192',
    platform: 'ebay',
    sale_date: '2026-06-01',
    quantity: 1,
    gross_proceeds_usd: 50,
  };
  const unchanged: RowOutcome = { kind: 'unchanged' };
  const refused: RowOutcome = { kind: 'rejected', reason: 'No.', missing: false };
  const census = { source: 'brickset', itemKind: 'set', keys: new Set(['1', '2']) } as const;

  test.each<[what: string, item: SourceItem, outcome: RowOutcome, gone: number, isJoined: boolean]>(
    [
      ['a new set', located(castle), added, 0, true],
      ['a new minifig', located(knight), added, 0, true],
      ['a known set of the feed', located(castle), unchanged, 0, false],
      ['a known set of a catalog', fromSource(castle), unchanged, 0, true],
      ['a rejected set', fromSource(castle), refused, 0, false],
      ['a new sale', located(sold('a', 1)), added, 0, false],
      ['a new rate', located(euro), added, 0, false],
      ['a new lot', located(lot), added, 0, false],
      ['a complete census', census, added, 0, false],
      ['a census without one item', census, added, 1, true],
    ],
  )('after %s, minifigs are joined only if that may matter', async (_, item, outcome, gone, is) => {
    const { target, calls } = storeOf(outcome, gone);
    await importRows(inGroups([item]), target);
    expect(calls.some(([method]) => method === 'join')).toBe(is);
  });

  test('rows are applied in batches, in which a record counts as five', async () => {
    const sizes = async (line: object, count: number) => {
      const { target, calls } = storeOf();
      const row = located(line);
      await importRows(inGroups(Array.from({ length: count }, () => row)), target);
      return calls.filter(([method]) => method !== 'join').map(([, size]) => size);
    };
    expect(await sizes(castle, 20_001)).toEqual([10_000, 10_000, 1]);
    expect(await sizes(knight, 10_001)).toEqual([10_000, 1]);
    expect(await sizes(euro, 100_001)).toEqual([50_000, 50_000, 1]);
  });

  test('private rows are applied a hundred at a time', async () => {
    const { target, calls } = storeOf();
    const row = located(lot);
    await importRows(inGroups(Array.from({ length: 201 }, () => row)), target);
    expect(calls).toEqual([
      ['private', 100],
      ['private', 100],
      ['private', 1],
    ]);
  });

  test('a lot of an unknown set is missing, and the others are applied', async () => {
    const { target, calls } = storeOf();
    const findNumbers = async () => new Map([['6001', '6001']]);
    const known = located({ ...lot, source_id: 'b', set_number: '6001' });
    const market = { ...target.market, findNumbers };
    const report = await importRows(inGroups([located(lot), known]), { ...target, market });
    expect(report).toMatchObject({ read: 2, added: 1, rejected: 1, missing: 1 });
    expect(report.rejects).toEqual([
      { where: 'feed:1', reason: "set '75192' is not in the catalog" },
    ]);
    expect(calls[0]).toEqual(['private', 1]);
  });

  test('recorded sales beyond a million are rejected', async () => {
    const { target } = storeOf();
    const row = located(ledgerSale);
    const many = Array.from({ length: 100_000 }, () => row);
    let count = 0;
    async function* groups() {
      for (; count < 20; count++) yield count === 10 ? [row] : many;
    }
    const onReject = ({ reason }: RejectedRow) => {
      throw new Error(reason);
    };
    await expect(importRows(groups(), { ...target, onReject })).rejects.toThrow(
      'more than 1000000 recorded sales in one import; split the file',
    );
    expect(count).toBe(10);
  });

  const prerequisite = () => {
    const { result } = located(attic);
    return { prerequisite: ('row' in result ? result.row : null) as PrivateRow };
  };

  test('without a prerequisite nothing is imported', async () => {
    const { target, calls } = storeOf(refused);
    const rows = inGroups([prerequisite(), located(castle)]);
    await expect(importRows(rows, target)).rejects.toThrow('Nothing was imported: No..');
    expect(calls).toEqual([['private', 1]]);
  });

  test('every row needs an outcome', async () => {
    const { target } = storeOf();
    const market = { ...target.market, applyRows: async () => [] };
    await expect(importRows(inGroups([located(castle)]), { ...target, market })).rejects.toThrow(
      'did not account for every row',
    );
  });

  test('each step waits for the previous one', async () => {
    const turns = new InTurn();
    const { target, calls } = storeOf(added, 1);
    const watched = {
      ...target,
      market: turns.watch(target.market),
      accounts: turns.watch(target.accounts),
    };
    const row = located(castle);
    const full = Array.from({ length: 10_000 }, () => row);
    const note = { note: 'It is a note.' };
    const items = [prerequisite(), note, ...full, located(lot), located(ledgerSale), census];
    const report = await importRows(inGroups(items), watched);
    expect(turns.overlaps).toEqual([]);
    expect(turns.active).toEqual([]);
    expect(calls).toEqual([
      ['private', 1],
      ['market', 10_000],
      ['private', 1],
      ['private', 1],
      ['gone', 2],
      ['join', 0],
    ]);
    expect(report).toMatchObject({ read: 10_002, gone: 1, notes: ['It is a note.'] });
  });
});
