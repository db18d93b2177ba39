/** Made-up collections for properties, and a second opinion on what becomes of their lots. */
import fc from 'fast-check';
import { ledgerSale, lot } from './person.ts';
import type { FeedLine } from './world.ts';

/** How many sets and collections there are to choose from. */
export const setCount = 3;
export const collectionNames = ['Attic', 'Barn', 'Cellar'] as const;

/** The day that properties take for today, as in `noon`. */
const today = Date.UTC(2026, 10, 15);
const dayMs = 86_400_000;

/** A date so many days ago. */
export function daysAgo(days: number): string {
  return new Date(today - days * dayMs).toISOString().slice(0, 10);
}

const cents = fc.integer({ min: 0, max: 20_000 });
const maybeCents = fc.option(fc.integer({ min: 100, max: 50_000 }), { freq: 3 });
const conditionOf = fc.constantFrom('sealed', 'sealed', 'sealed', 'used');
const setOf = fc.constantFrom(0, 0, 1, 2);

/** What each set sold for, in cents; null where it never did. */
const prices = fc.array(fc.record({ sealed: maybeCents, used: maybeCents }), {
  minLength: setCount,
  maxLength: setCount,
});

/** Purchases within two years; several on one day are likely. */
const boughtLot = fc.record({
  set: setOf,
  condition: conditionOf,
  quantity: fc.integer({ min: 1, max: 4 }),
  price: cents,
  ago: fc.oneof(fc.nat(5), fc.nat(40), fc.nat(700)),
  collection: fc.constantFrom(...collectionNames),
  status: fc.constantFrom('owned', 'listed'),
});

/** Sales first in first out, of a lot that fits or not, or with their cost given. */
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

/** A market, lots and sales, and two orders in which their lines may come. */
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

/** Lots as feed lines; `numbers` are the numbers of the sets. */
export function lotLines({ lots }: MadeUp, numbers: readonly string[]): FeedLine[] {
  return lots.map((each, index) =>
    lot(`lot ${index}`, each.quantity, {
      set_number: numbers[each.set],
      condition: each.condition,
      brickfolio: each.collection,
      status: each.status,
      purchase_price_usd: each.price / 100,
      purchase_date: daysAgo(each.ago),
    }),
  );
}

/** Sales as feed lines. */
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

/** Lines in another order, told by numbers. */
export function inOrder(lines: readonly FeedLine[], orders: readonly number[]): FeedLine[] {
  return lines
    .map((line, index) => ({ line, place: orders[index % orders.length] ?? 0 }))
    .sort((a, b) => a.place - b.place)
    .map(({ line }) => line);
}

/** A lot, with the units that sales took from it. */
export interface SettledLot {
  readonly line: FeedLine;
  readonly price: number;
  left: number;
  /** The days on which units were sold, one for each unit. */
  readonly taken: string[];
}

/** A sale that has what it sells, and what that cost. */
export interface SettledSale {
  readonly line: FeedLine;
  readonly cost: number;
  /** Units that left lots; none when the cost was given. */
  readonly units: number;
}

/** Dollars of a line as cents. */
export function centsOf(usd: unknown): number {
  return Math.round(Number(usd) * 100);
}

/**
 * What should become of lots and sales, worked out in the plainest way: one unit after another.
 * Lots come in the order in which they were recorded, so do sales of one day.
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

/** What should have become of lots and sales. */
export type Settled = ReturnType<typeof settle>;

/** The entries that should be there, in their order. */
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

/** The sales that should be there, in their order. */
export function keptSales({ accepted }: Settled) {
  return newestFirst(accepted, ({ line }) => line.sale_date).map(({ line, cost }) => ({
    set: String(line.set_number),
    date: String(line.sale_date),
    units: Number(line.quantity),
    gross: centsOf(line.gross_proceeds_usd),
    cost,
  }));
}

/** The newest first; those of one day stay in their order. */
function newestFirst<T>(rows: readonly T[], dateOf: (row: T) => unknown): T[] {
  return [...rows].sort((a, b) => String(dateOf(b)).localeCompare(String(dateOf(a))));
}
