/** Arbitrary collections for property tests, and a simple reference model of FIFO settlement. */
import fc from 'fast-check';
import type { DetailField } from '../../src/portfolio/lots/lot-fields.ts';
import { ledgerSale, lot } from './person.ts';
import type { FeedLine } from './stored-world.ts';

export const setCount = 3;
export const collectionNames = ['Attic', 'Barn', 'Cellar'] as const;

/** The current day in property tests, the same as in `noon`. */
const today = Date.UTC(2026, 10, 15);
const dayMs = 86_400_000;

export function daysAgo(days: number): string {
  return new Date(today - days * dayMs).toISOString().slice(0, 10);
}

const cents = fc.integer({ min: 0, max: 20_000 });
const maybeCents = fc.option(fc.integer({ min: 100, max: 50_000 }), { freq: 3 });
const conditionOf = fc.constantFrom('sealed' as const, 'sealed', 'sealed', 'used' as const);
const setOf = fc.constantFrom(0, 0, 1, 2);

/** Sale prices of each set in cents; null if it was never sold. */
const prices = fc.array(fc.record({ sealed: maybeCents, used: maybeCents }), {
  minLength: setCount,
  maxLength: setCount,
});

/** Texts that are hard to represent in CSV, JSON and HTML. */
const hardText = fc.constantFrom(
  '=1+1',
  '-1',
  "'quoted'",
  'a "b", c; d',
  'é › ü',
  '<b>&amp;',
  '@x',
);

/** What is known about units: any of the fields, or none. */
const known = fc.record(
  {
    grade: fc.nat(9),
    notes: fc.array(hardText, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n')),
    tags: fc.subarray(['gift', '=rare', "'t'", 'two words']),
    place: fc.constantFrom('Shelf A', 'Shelf A > Bin 3', "'Attic' › =2"),
    bought_at: hardText,
    asking_price_usd: cents.map((amount) => amount / 100),
    listed_at: fc.nat(300).map(daysAgo),
    listing_url: fc.constant('https://example.com/?a=1&b="'),
    own_fields: fc.dictionary(fc.constantFrom('Buyer', '=Code', '7'), hardText),
  } satisfies Readonly<Record<DetailField['wire'], unknown>>,
  { requiredKeys: [] },
);

/** Each condition has its own grades. */
const grades = {
  sealed: ['perfect', 'light_wear', 'damaged_box'],
  used: ['complete_boxed', 'complete', 'incomplete', 'incomplete_1', 'incomplete_85', 'parts'],
} as const;

/** Purchases within two years, often several on one day. */
const boughtLot = fc.record({
  set: setOf,
  condition: conditionOf,
  quantity: fc.integer({ min: 1, max: 4 }),
  price: cents,
  ago: fc.oneof(fc.nat(5), fc.nat(40), fc.nat(700)),
  collection: fc.constantFrom(...collectionNames),
  status: fc.constantFrom('owned', 'listed'),
  known,
});

/** Sales by FIFO, of a specific lot (matching or not), or with a given cost basis. */
const soldUnits = fc.record({
  set: setOf,
  condition: conditionOf,
  quantity: fc.integer({ min: 1, max: 5 }),
  ago: fc.oneof(fc.nat(20), fc.nat(400)),
  gross: cents,
  fees: fc.tuple(cents, cents, cents),
  from: fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'fifo' as const }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('lot' as const), lot: fc.nat(13) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('misfit' as const), lot: fc.nat(13) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('given' as const), cost: cents }) },
  ),
});

/** A market, lots and sales, and numbers that shuffle their lines. */
export const madeUpCollection = fc.record({
  prices,
  lots: fc.oneof(
    { weight: 1, arbitrary: fc.array(boughtLot, { maxLength: 3 }) },
    { weight: 3, arbitrary: fc.array(boughtLot, { minLength: 8, maxLength: 14 }) },
  ),
  sales: fc.array(soldUnits, { maxLength: 12, size: 'max' }),
  orders: fc.array(fc.nat(1000), { minLength: 30, maxLength: 30 }),
});

type MadeUp = typeof madeUpCollection extends fc.Arbitrary<infer T> ? T : never;

/** Lots as feed lines; `numbers` are the set numbers. */
export function lotLines({ lots }: MadeUp, numbers: readonly string[]): FeedLine[] {
  return lots.map((each, index) => {
    const { grade, ...details } = each.known;
    const own = grades[each.condition];
    return lot(`lot ${index}`, each.quantity, {
      set_number: numbers[each.set],
      condition: each.condition,
      brickfolio: each.collection,
      status: each.status,
      purchase_price_usd: each.price / 100,
      purchase_date: daysAgo(each.ago),
      ...details,
      grade: grade === undefined ? null : own[grade % own.length],
    });
  });
}

export function saleLines({ lots, sales }: MadeUp, numbers: readonly string[]): FeedLine[] {
  return sales.map(({ from, fees, ...each }, index) => {
    const named = from.kind === 'lot' || from.kind === 'misfit' ? from.lot % (lots.length || 1) : 0;
    const { set, condition } = (from.kind === 'lot' && lots[named]) || each;
    const [platform, payment, shipping] = fees;
    return ledgerSale(`sale ${index}`, each.quantity, {
      set_number: numbers[set],
      condition,
      sale_date: daysAgo(each.ago),
      gross_proceeds_usd: each.gross / 100,
      platform_fees_usd: platform / 100,
      payment_fees_usd: payment / 100,
      shipping_cost_usd: shipping / 100,
      ...(from.kind === 'given' && { cost_basis_usd: from.cost / 100 }),
      ...((from.kind === 'lot' || from.kind === 'misfit') && { lot: `lot ${named}` }),
    });
  });
}

/** Shuffles lines by sort keys. */
export function inOrder(lines: readonly FeedLine[], orders: readonly number[]): FeedLine[] {
  return lines
    .map((line, index) => ({ line, place: orders[index % orders.length] ?? 0 }))
    .sort((a, b) => a.place - b.place)
    .map(({ line }) => line);
}

/** A lot with the units sold from it. */
export interface SettledLot {
  readonly line: FeedLine;
  readonly price: number;
  left: number;
  /** The sale date of each sold unit. */
  readonly taken: string[];
}

/** An accepted sale with its cost basis. */
export interface SettledSale {
  readonly line: FeedLine;
  readonly cost: number;
  /** Units taken from lots; 0 if the cost basis was given. */
  readonly units: number;
}

export function centsOf(usd: unknown): number {
  return Math.round(Number(usd) * 100);
}

/**
 * Reference model: settles sales unit by unit. Lots and sales of the same day are taken in the
 * order in which they were recorded.
 */
export function settle(lots: readonly FeedLine[], sales: readonly FeedLine[]) {
  const settled: SettledLot[] = lots.map((line) => ({
    line,
    price: centsOf(line.purchase_price_usd),
    left: Number(line.quantity),
    taken: [],
  }));
  const accepted: SettledSale[] = [];
  const rejected: FeedLine[] = [];
  const byDate = (field: string) => (a: FeedLine, b: FeedLine) =>
    String(a[field]) < String(b[field]) ? -1 : Number(a[field] !== b[field]);
  for (const line of [...sales].sort(byDate('sale_date'))) {
    if (line.cost_basis_usd !== undefined) {
      accepted.push({ line, cost: centsOf(line.cost_basis_usd), units: 0 });
      continue;
    }
    const units = settled
      .filter((each) => each.line.set_number === line.set_number)
      .filter((each) => each.line.condition === line.condition)
      .filter((each) => line.lot === undefined || each.line.source_id === line.lot)
      .sort((a, b) => byDate('purchase_date')(a.line, b.line))
      .flatMap((each) => Array<SettledLot>(each.left).fill(each))
      .slice(0, Number(line.quantity));
    if (units.length < Number(line.quantity)) {
      rejected.push(line);
      continue;
    }
    for (const each of units) {
      each.left--;
      each.taken.push(String(line.sale_date));
    }
    const cost = units.reduce((sum, each) => sum + each.price, 0);
    accepted.push({ line, cost, units: units.length });
  }
  return { lots: settled, accepted, rejected };
}

export type Settled = ReturnType<typeof settle>;

/** The expected entries, in order. */
export function heldEntries({ lots }: Settled) {
  return newestFirst(lots, ({ line }) => line.purchase_date)
    .filter(({ left }) => left > 0)
    .map(({ line, price, left }) => ({
      collection: String(line.brickfolio),
      set: String(line.set_number),
      condition: String(line.condition),
      date: String(line.purchase_date),
      status: String(line.status),
      price,
      units: left,
    }));
}

/** The expected sales, in order. */
export function keptSales({ accepted }: Settled) {
  return newestFirst(accepted, ({ line }) => line.sale_date).map(({ line, cost }) => ({
    set: String(line.set_number),
    date: String(line.sale_date),
    units: Number(line.quantity),
    gross: centsOf(line.gross_proceeds_usd),
    cost,
  }));
}

/** Sorts by date, newest first; stable within a day. */
function newestFirst<T>(rows: readonly T[], dateOf: (row: T) => unknown): T[] {
  return [...rows].sort((a, b) => String(dateOf(b)).localeCompare(String(dateOf(a))));
}
