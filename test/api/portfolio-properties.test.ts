/** Properties of any collection: sums, units, costs, pages and repeated imports. */
// @runs SQLite, PostgreSQL (rest): slow there
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { HoldingPage, SalePage } from '../../src/contract/brickfolio.ts';
import {
  centsOf,
  collectionNames,
  heldEntries,
  inOrder,
  keptSales,
  lotLines,
  madeUpCollection,
  type Settled,
  saleLines,
  setCount,
  settle,
} from '../support/collection.ts';
import { addPerson, type Person, setWorth } from '../support/person.ts';
import { runsOnEngine } from '../support/random-runs.ts';
import { weeklyEuros } from '../support/weekly-rates.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

let world: World;
let runs = 0;

beforeAll(async () => {
  world = await startWorld();
  await world.load(weeklyEuros);
});

afterAll(() => world.close());

const collections: readonly FeedLine[] = collectionNames.map((name) => ({
  kind: 'brickfolio',
  name,
}));

const offer = { kind: 'offer', retailer: 'retailer_b', observed_at: '2026-11-01T00:00:00Z' };

/** An imported collection, its lines, and the expected result. */
interface Case {
  readonly who: Person;
  readonly lines: readonly FeedLine[];
  readonly expected: Settled;
  readonly orders: readonly number[];
}

/** Checks a property of imported collections, each with its own account and sets. */
function check(seed: number, numRuns: number, hold: (made: Case) => Promise<void>) {
  return fc.assert(
    fc.asyncProperty(madeUpCollection, async (madeUp) => {
      const run = ++runs;
      const numbers = Array.from({ length: setCount }, (_, index) => `${1000 + run}0${index}`);
      // In euros, so that values have to be rounded.
      const market = madeUp.prices.flatMap(({ sealed, used }, index) =>
        setWorth(numbers[index] ?? '', {
          ...(sealed !== null && { sealed: sealed / 100 }),
          ...(used !== null && { used: used / 100 }),
          currency: 'EUR',
        }),
      );
      market.push(...numbers.map((set_number) => ({ ...offer, set_number, price: 25 })));
      expect((await world.ingest(market)).rejects).toEqual([]);
      const own = [...lotLines(madeUp, numbers), ...saleLines(madeUp, numbers)];
      const lines = [...collections, ...inOrder(own, madeUp.orders)];
      const kind = (name: string) => lines.filter((line) => line.kind === name);
      const expected = settle(kind('holding'), kind('ledger_sale'));
      const who = await addPerson(world, `run-${run}@example.com`);
      const { added, rejected } = await who.load(...lines);
      expect({ added, rejected }).toEqual({
        added: lines.length - expected.rejected.length,
        rejected: expected.rejected.length,
      });
      await hold({ who, lines, expected, orders: madeUp.orders });
    }),
    { seed, numRuns: runsOnEngine(numRuns) },
  );
}

const unitsBought = ({ lots }: Settled) => sum(lots, ({ line }) => Number(line.quantity));
const sum = <T>(rows: readonly T[], amount: (row: T) => number) =>
  rows.reduce((total, row) => total + amount(row), 0);

type Entry = HoldingPage['entries'][number];

/** Total cost and value in cents. */
function worthOf(entries: readonly Entry[]) {
  const cost = sum(entries, (e) => centsOf(e.purchase_price_usd) * e.quantity);
  const value = sum(entries, (e) => centsOf(e.total_current_value_usd));
  return { cost, value, gain: value - cost };
}

test('entries add up to the collections, the summary, the months and the last point, to the cent', async () => {
  await check(1, 25, async ({ who }) => {
    const { entries } = await who.entries('?limit=250');
    for (const entry of entries) {
      const worth = worthOf([entry]);
      expect(centsOf(entry.current_value_usd) * entry.quantity).toBe(worth.value);
      expect(centsOf(entry.unrealized_gain_loss_usd)).toBe(worth.gain);
    }
    const { brickfolios, monthly_periods: months } = await who.brickfolios();
    for (const own of brickfolios) {
      const inside = entries.filter((entry) => entry.brickfolio_id === own.id);
      expect({
        sets: own.owned_set_count,
        units: own.owned_item_count,
        cost: centsOf(own.total_cost_basis_usd),
        value: centsOf(own.total_current_value_usd),
        gain: centsOf(own.unrealized_gain_loss_usd),
      }).toEqual({
        sets: new Set(inside.map((entry) => entry.set_number)).size,
        units: sum(inside, (entry) => entry.quantity),
        ...worthOf(inside),
      });
    }
    for (const period of ['30d', '90d', '1y']) {
      const { summary, value_history } = await who.analytics(period);
      const last = value_history.at(-1);
      const total = worthOf(entries);
      expect({
        cost: centsOf(summary.total_cost_basis_usd),
        value: centsOf(summary.total_current_value_usd),
        gain: centsOf(summary.unrealized_gain_loss_usd),
      }).toEqual(total);
      expect({
        cost: centsOf(last?.cost_basis_usd),
        value: centsOf(last?.total_value_usd),
        gain: centsOf(last?.gain_loss_usd),
      }).toEqual(total);
      expect(last?.gain_loss_pct).toBe(summary.unrealized_gain_loss_pct);
      expect(summary.total_items).toBe(sum(entries, (entry) => entry.quantity));
      expect(summary.total_sets).toBe(new Set(entries.map((entry) => entry.set_number)).size);
    }
    for (const month of months) {
      const inside = entries.filter((entry) => entry.purchase_date.startsWith(month.month));
      expect([month.entry_count, month.items, centsOf(month.cost_basis_usd)]).toEqual([
        inside.length,
        sum(inside, (entry) => entry.quantity),
        worthOf(inside).cost,
      ]);
    }
    expect(sum(months, (month) => month.entry_count)).toBe(entries.length);
  });
});

/** The entries of a response in the form of the expected ones. */
async function shownEntries(who: Person, entries: readonly Entry[]) {
  const names = new Map((await who.brickfolios()).brickfolios.map((b) => [b.id, b.name]));
  return entries.map((entry) => ({
    collection: names.get(entry.brickfolio_id) ?? '',
    set: entry.set_number,
    condition: String(entry.condition),
    date: entry.purchase_date,
    status: String(entry.status),
    price: centsOf(entry.purchase_price_usd),
    units: entry.quantity,
  }));
}

/** The sales of a response in the form of the expected ones. */
function shownSales(sales: SalePage['sales']) {
  return sales.map((sale) => ({
    set: sale.set_number,
    date: sale.sale_date,
    units: sale.quantity,
    gross: centsOf(sale.gross_proceeds_usd),
    cost: centsOf(sale.net_proceeds_usd) - centsOf(sale.profit_loss_usd),
  }));
}

test('units are conserved, and the cost of every sale is that of the units it took', async () => {
  await check(2, 30, async ({ who, expected }) => {
    const { entries } = await who.entries('?limit=250');
    expect(await shownEntries(who, entries)).toEqual(heldEntries(expected));
    expect(shownSales((await who.sales('?limit=250')).sales)).toEqual(keptSales(expected));
    const sold = sum(expected.accepted, ({ units }) => units);
    expect(sum(entries, (entry) => entry.quantity)).toBe(unitsBought(expected) - sold);
  });
});

/** All private responses after a publication, so that none is cached. */
async function freshAnswers(who: Person): Promise<string[]> {
  const title = `Published ${++publications} times`;
  await world.load([{ kind: 'set', set_number: '1', title, theme: 'Castle' }]);
  const { brickfolios } = await who.brickfolios();
  return Promise.all([
    ...['', '/entries?limit=250', '/retail-watch'].map((path) => who.data(`/brickfolio${path}`)),
    ...['30d', '90d', '1y'].map((period) => who.data(`/brickfolio/analytics?period=${period}`)),
    ...brickfolios.map(({ id }) => who.data(`/brickfolio/entries?brickfolio_id=${id}`)),
    who.data('/salesledger?limit=250'),
  ]);
}

let publications = 0;

test('importing the same lines again in any order changes nothing and reports them unchanged', async () => {
  await check(3, 25, async ({ who, lines, expected, orders }) => {
    const before = await freshAnswers(who);
    const rejected = expected.rejected.length;
    const unchanged = lines.length - rejected;
    const other = inOrder(lines, orders.toReversed());
    for (const again of [lines, lines.toReversed(), other]) {
      const report = await who.load(...again);
      expect(report).toMatchObject({ added: 0, updated: 0, unchanged, rejected });
    }
    // Also line by line, sales before lots.
    for (const line of lines.toReversed()) {
      expect(await who.load(line)).toMatchObject({ added: 0, updated: 0 });
    }
    expect(await freshAnswers(who)).toEqual(before);
  });
});

test('a sale rejected for lack of units changes nothing', async () => {
  await check(4, 25, async ({ who, lines, expected }) => {
    const before = await freshAnswers(who);
    const bought = unitsBought(expected);
    const fromLots = expected.accepted.filter(({ units }) => units > 0);
    const tooMany = fromLots.map(({ line }) => ({ ...line, quantity: bought + 1 }));
    const more = tooMany.map((line, index) => ({ ...line, source_id: `more ${index}` }));
    const tooSmall = expected.lots
      .filter(({ taken }) => taken.length > 1)
      .map(({ line, taken }) => ({ ...line, quantity: taken.length - 1 }));
    const bad = [...tooMany, ...more, ...tooSmall];
    expect(await who.load(...bad)).toMatchObject({ read: bad.length, rejected: bad.length });
    expect(await freshAnswers(who)).toEqual(before);
    expect(await who.load(...lines)).toMatchObject({ added: 0, updated: 0 });
  });
});

test('a corrected sale returns the units that it no longer takes', async () => {
  await check(7, 25, async ({ who, expected }) => {
    const bought = unitsBought(expected);
    const unitsShown = async () => {
      const { summary, value_history } = await who.analytics('30d');
      expect(value_history.at(-1)?.cost_basis_usd).toBe(summary.total_cost_basis_usd);
      const units = sum((await who.entries('?limit=250')).entries, (entry) => entry.quantity);
      expect(summary.total_items).toBe(units);
      return units;
    };
    const fromLots = expected.accepted.filter(({ units }) => units > 0);
    const fewer = fromLots.map(({ line }) => ({ ...line, quantity: 1 }));
    expect((await who.load(...fewer)).rejects).toEqual([]);
    expect(await unitsShown()).toBe(bought - fewer.length);
    const given = fewer.map(({ lot: _, ...line }: FeedLine) => ({ ...line, cost_basis_usd: 5 }));
    expect((await who.load(...given)).rejects).toEqual([]);
    expect(await unitsShown()).toBe(bought);
  });
});

test('the cost in value_history is that of the units held on each day', async () => {
  await check(5, 25, async ({ who, expected }) => {
    for (const period of ['30d', '90d', '1y']) {
      const { value_history } = await who.analytics(period);
      const costs = value_history.map(({ date }) => {
        const held = expected.lots.filter(({ line }) => String(line.purchase_date) <= date);
        return sum(held, ({ line, price, taken }) => {
          const sold = taken.filter((day) => day <= date).length;
          return (Number(line.quantity) - sold) * price;
        });
      });
      expect(value_history.map((point) => centsOf(point.cost_basis_usd))).toEqual(costs);
      for (const point of value_history) {
        const gain = centsOf(point.total_value_usd) - centsOf(point.cost_basis_usd);
        expect(centsOf(point.gain_loss_usd)).toBe(gain);
      }
    }
  });
});

test('pages of any size show every entry and every sale once, in order', async () => {
  await check(6, 25, async ({ who, expected, orders }) => {
    const limit = 1 + ((orders[0] ?? 0) % 7);
    const entries = await walk(limit, async (query) => {
      const { pagination, ...page } = await who.entries(query);
      return { pagination, rows: page.entries };
    });
    expect(await shownEntries(who, entries)).toEqual(heldEntries(expected));
    const sales = await walk(limit, async (query) => {
      const { pagination, ...page } = await who.sales(query);
      return { pagination, rows: page.sales };
    });
    expect(shownSales(sales)).toEqual(keptSales(expected));
    expect(new Set(sales.map((sale) => sale.id)).size).toBe(sales.length);
  });
});

/** All rows of all pages; checks the length of each page. */
async function walk<T>(
  limit: number,
  read: (query: string) => Promise<{ pagination: HoldingPage['pagination']; rows: T[] }>,
): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const { pagination, rows } = await read(`?limit=${limit}&offset=${all.length}`);
    all.push(...rows);
    expect(pagination.has_more).toBe(all.length < pagination.total);
    expect(rows.length).toBe(pagination.has_more ? limit : rows.length);
    if (!pagination.has_more) return all;
  }
}
