/** The demo world: reproducible, accepted by the feed, and consistent. */
import { describe, expect, test } from 'bun:test';
import { readBoxText } from '../../src/buying/boxes/box-text.ts';
import { readFeedLine } from '../../src/ingest/feed/feed.work.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { parseDay } from '../../src/kernel/time.ts';
import { detailFields } from '../../src/portfolio/lots/lot-fields.ts';
import { allocateUnits, type LotUnits } from '../../src/portfolio/lots/lots.ts';
import { makeCatalog } from './catalog.ts';
import { demoCollection, demoGifts, demoMarket, makeDemoWorld, marketRows } from './demo-world.ts';
import { makeEstateBox } from './estate-box.ts';
import { makeWatchLists } from './watch-lists.ts';
import { makeWorld } from './world.ts';

const today = Date.UTC(2026, 10, 15);
const small = { sets: 60, minifigs: 45, years: 5, salesPerSet: 20 };
const email = 'demo@example.com';
const larger = makeDemoWorld({ seed: 7, today, size: { ...small, sets: 300 } });

type Line = Record<string, unknown> & { readonly kind: string };

const marketLines = linesOf(demoMarket(makeDemoWorld({ seed: 7, today, size: small })));
const privateLines = linesOf(demoCollection(makeDemoWorld({ seed: 7, today, size: small }), email));
const market = marketLines.map(parse);
const owned = privateLines.map(parse);
const setNumbers = new Set(ofKind(market, 'set').map((line) => String(line.set_number)));
const minifigNumbers = new Set(
  ofKind(market, 'minifig').map((line) => String(line.minifig_number)),
);

describe('the market', () => {
  test('is the same for the same seed, day and size', () => {
    expect(linesOf(demoMarket(makeDemoWorld({ seed: 7, today, size: small })))).toEqual(
      marketLines,
    );
  });

  test('differs for another seed', () => {
    const other = new Set(linesOf(demoMarket(makeDemoWorld({ seed: 8, today, size: small }))));
    const shared = marketLines.filter((line) => other.has(line));
    expect(shared.length).toBeLessThan(marketLines.length / 50);
  });

  test('has only lines that the feed accepts', () => {
    expect(faults(marketLines)).toEqual([]);
  });

  test('has the rows that the feed reads from its lines', () => {
    const rows = [...marketRows(makeDemoWorld({ seed: 7, today, size: small }))];
    expect(marketLines.map((line) => readFeedLine(line, today))).toEqual(
      rows.map((row) => ({ row, mayWait: true })),
    );
  });

  test('has the requested size', () => {
    expect(ofKind(market, 'set')).toHaveLength(60);
    expect(ofKind(market, 'minifig')).toHaveLength(45);
    const sales = ofKind(market, 'sale');
    const ofSets = sales.filter((sale) => sale.item_type === 'set').length;
    expect(ofSets).toBeWithin(60 * 20 * 0.8, 60 * 20 * 1.2);
    expect(sales.length - ofSets).toBeWithin(45 * 7 * 0.7, 45 * 7 * 1.3);
    expect(ofKind(market, 'retract').length).toBeGreaterThan(0);
    expect(ofKind(market, 'offer').length).toBeGreaterThan(300);
    expect(ofKind(market, 'fx')).toHaveLength(3 * 263);
  });

  test('has unique numbers, sales and offers', () => {
    expect(setNumbers.size).toBe(60);
    expect(minifigNumbers.size).toBe(45);
    const sales = ofKind(market, 'sale').map((sale) => `${sale.source} ${sale.source_id}`);
    expect(new Set(sales).size).toBe(sales.length);
    const looks = ofKind(market, 'offer').map(
      (offer) => `${offer.retailer} ${offer.set_number} ${offer.observed_at}`,
    );
    expect(new Set(looks).size).toBe(looks.length);
  });

  test('refers only to items of its catalog', () => {
    for (const sale of ofKind(market, 'sale')) {
      const known = sale.item_type === 'set' ? setNumbers : minifigNumbers;
      expect(known.has(String(sale.item))).toBe(true);
    }
    for (const offer of ofKind(market, 'offer')) {
      expect(setNumbers.has(String(offer.set_number))).toBe(true);
    }
    const listed = ofKind(market, 'set').flatMap((set) => (set.minifigs ?? []) as string[]);
    expect(listed.filter((number) => !minifigNumbers.has(number))).toEqual([]);
  });

  test('has no events today or later, and no sale before release', () => {
    for (const line of market) {
      for (const field of ['sold_at', 'observed_at', 'date']) {
        if (line[field] !== undefined) {
          expect(Date.parse(String(line[field]))).toBeLessThan(today);
        }
      }
    }
    const released = new Map(
      ofKind(market, 'set').map((set) => [set.set_number, set.release_date]),
    );
    for (const sale of ofKind(market, 'sale')) {
      const from = released.get(sale.item);
      if (from) expect(String(sale.sold_at) >= String(from)).toBe(true);
    }
  });

  test('has a rate for every foreign sale', () => {
    const rates = ofKind(market, 'fx');
    const foreign = ofKind(market, 'sale').filter((sale) => sale.currency !== undefined);
    expect(foreign.length).toBeGreaterThan(0);
    for (const sale of foreign) {
      const first = rates.find((rate) => rate.currency === sale.currency);
      expect(String(first?.date) < String(sale.sold_at)).toBe(true);
    }
  });

  test('keeps numbers unique at the size of a real catalog', () => {
    const size = { sets: 26_000, minifigs: 17_000 };
    const { sets, minifigs } = makeCatalog(makeWorld({ seed: 7, today, size }));
    const numbers = [...sets, ...minifigs].map(({ facts }) => facts.number);
    expect(numbers).toHaveLength(43_000);
    expect(new Set(numbers).size).toBe(43_000);
  });
});

describe('the collection', () => {
  test('is the same for the same seed, day and size', () => {
    expect(linesOf(demoCollection(makeDemoWorld({ seed: 7, today, size: small }), email))).toEqual(
      privateLines,
    );
  });

  test('has three brickfolios, lots and sales, all accepted by the feed', () => {
    expect(faults(privateLines)).toEqual([]);
    expect(ofKind(owned, 'brickfolio')).toHaveLength(3);
    const lots = ofKind(owned, 'holding');
    expect(lots.filter((lot) => lot.minifig_number)).toHaveLength(14);
    expect(lots.filter((lot) => lot.set_number)).toHaveLength(60);
    expect(ofKind(owned, 'ledger_sale')).toHaveLength(40);
  });

  test('has lots with every detail, and some that have been for sale for long', () => {
    const lots = ofKind(owned, 'holding');
    for (const { wire } of detailFields) {
      expect([wire, lots.some((lot) => lot[wire] !== undefined)]).toEqual([wire, true]);
    }
    const listed = lots.filter(({ status }) => status === 'listed');
    for (const { listed_at, purchase_date } of listed) {
      expect(String(listed_at) >= String(purchase_date)).toBe(true);
    }
    const slow = listed.filter(({ listed_at }) => String(listed_at) < '2026-07-20');
    expect(slow.length).toBeGreaterThan(1);
  });

  test('holds items of the market, bought and sold before today', () => {
    for (const line of owned) {
      if (line.kind === 'brickfolio') continue;
      const { set_number: set, minifig_number: minifig } = line;
      expect(set ? setNumbers.has(String(set)) : minifigNumbers.has(String(minifig))).toBe(true);
      const day = parseDay(String(line.purchase_date ?? line.sale_date));
      expect(day).toBeLessThan(today);
    }
  });

  test('sells only remaining units, with profits and a few losses', () => {
    const profits = replayLedger(owned);
    expect(profits).toHaveLength(40);
    expect(profits.filter((cents) => cents < 0).length).toBeWithin(1, 21);
  });

  test('takes its costs from lots in order, from named lots, and as given', () => {
    const sales = ofKind(owned, 'ledger_sale');
    const named = sales.filter((sale) => sale.lot !== undefined);
    const given = sales.filter((sale) => sale.cost_basis_usd !== undefined);
    expect(named.length).toBeGreaterThan(2);
    expect(given.length).toBeGreaterThan(2);
    expect(sales.length - named.length - given.length).toBeGreaterThan(10);
  });
});

test('gifts are sets of the market with an assumed price, some without a date', () => {
  const gifts = demoGifts(larger, email);
  const lots = gifts.flatMap((row) => (row.kind === 'holding' ? [row.facts] : []));
  expect(lots.length).toBeGreaterThan(4);
  expect(lots.every(({ isEstimated }) => isEstimated)).toBe(true);
  expect(new Set(lots.map(({ dateBasis }) => dateBasis))).toEqual(new Set(['unknown', 'assumed']));
});

describe('the box for sale', () => {
  const box = makeEstateBox(larger.world, larger.catalog);
  const { items, problems } = readBoxText(box.text);

  test('contains sets, minifigs and an unknown number', () => {
    expect(problems).toEqual([]);
    expect(items).toHaveLength(12);
    const market = linesOf(demoMarket(larger)).map(parse);
    const known = new Set(market.map((line) => line.set_number ?? line.minifig_number));
    expect(items.filter(({ number }) => !known.has(number))).toHaveLength(1);
    expect(new Set(items.map(({ condition }) => condition)).size).toBe(2);
    expect(items.some(({ quantity }) => quantity > 1)).toBe(true);
  });

  test('has a round price', () => {
    expect(box.askCents).toBeGreaterThan(100_00);
    expect(box.askCents % 10_00).toBe(0);
  });
});

test('watch lists have sets and minifigs of the market, most of them with a target', () => {
  const lists = makeWatchLists(larger.world, larger.catalog);
  const items = lists.flatMap((list) => list.items);
  const market = linesOf(demoMarket(larger)).map(parse);
  const known = new Set(market.map((line) => line.set_number ?? line.minifig_number));
  expect(items.filter(({ number }) => !known.has(number))).toEqual([]);
  expect(lists.map((list) => list.items.length > 3)).toEqual([true, true]);
  expect(new Set(items.map(({ kind }) => kind)).size).toBe(2);
  const aimed = items.filter(({ targetCents }) => (targetCents ?? 0) > 0);
  expect(aimed.length).toBeGreaterThan(items.length / 2);
  expect(aimed.length).toBeLessThan(items.length);
});

function linesOf(records: Iterable<JsonObject>): string[] {
  return Array.from(records, (record) => JSON.stringify(record));
}

function parse(line: string): Line {
  return JSON.parse(line) as Line;
}

function ofKind(lines: readonly Line[], kind: string): Line[] {
  return lines.filter((line) => line.kind === kind);
}

function faults(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const read = readFeedLine(line, today);
    return 'reason' in read ? [`${read.reason}: ${line}`] : [];
  });
}

/** Allocates lots like the store, and returns the profit of each sale in cents. */
function replayLedger(lines: readonly Line[]): number[] {
  const lots = ofKind(lines, 'holding').map((line, lotId) => ({
    line,
    units: {
      lotId,
      purchaseDate: String(line.purchase_date),
      priceCents: Math.round(Number(line.purchase_price_usd) * 100),
      unitsLeft: Number(line.quantity),
    },
  }));
  return ofKind(lines, 'ledger_sale').map((sale) => {
    const fees = ['platform_fees_usd', 'payment_fees_usd', 'shipping_cost_usd'];
    const kept = fees.reduce(
      (sum, fee) => sum - Number(sale[fee]),
      Number(sale.gross_proceeds_usd),
    );
    const given = sale.cost_basis_usd;
    if (given !== undefined) return (kept - Number(given)) * 100;
    const pool = lots.filter(
      ({ line }) =>
        line.set_number === sale.set_number &&
        line.condition === sale.condition &&
        (sale.lot === undefined || sale.lot === line.source_id),
    );
    return (
      kept * 100 -
      takeUnits(
        pool.map(({ units }) => units),
        sale,
      )
    );
  });
}

/** The cost of the units, which must exist and have been bought before the sale. */
function takeUnits(pool: (LotUnits & { unitsLeft: number })[], sale: Line): number {
  const allocation = allocateUnits(pool, Number(sale.quantity));
  if (!('takes' in allocation)) throw new Error(`Too few units for ${JSON.stringify(sale)}.`);
  for (const { lotId, quantity } of allocation.takes) {
    const lot = pool.find((units) => units.lotId === lotId);
    if (!lot) throw new Error('The lot is not in the pool.');
    expect(lot.purchaseDate < String(sale.sale_date)).toBe(true);
    lot.unitsLeft -= quantity;
  }
  return allocation.costCents;
}
