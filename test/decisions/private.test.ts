/** Decisions about collections, holdings, analytics and the ledger, one test for each. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  addPerson,
  lot,
  type Person,
  ledgerSale as sale,
  setWorth,
  shelf,
} from '../support/person.ts';
import { weeklyEuros } from '../support/weekly-rates.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.load([
    ...weeklyEuros,
    ...setWorth('100', { sealed: 100, used: 40 }),
    ...setWorth('200', { sealed: 30.33, currency: 'EUR' }),
    ...setWorth('300'),
    ...setWorth('400', { sealed: 10 }),
    ...setWorth('500', { sealed: 50 }),
    ...setWorth('600', { sealed: 60 }),
  ]);
});

afterAll(() => world.close());

let persons = 0;

/** Adds an account with these lines. */
function person(...lines: readonly FeedLine[]): Promise<Person> {
  return addPerson(world, `person-${++persons}@example.com`, lines);
}

const refusal = async (who: Person, line: FeedLine) => (await who.load(line)).rejects[0]?.reason;

test('condition is sealed or used, and each has its own value', async () => {
  const who = await person(shelf, lot('a', 1), lot('b', 1, { condition: 'used' }));
  const { entries } = await who.entries();
  expect(entries.map((e) => [e.condition, e.current_value_usd])).toEqual([
    ['sealed', 100],
    ['used', 40],
  ]);
  const reason = await refusal(who, lot('c', 1, { condition: 'new' }));
  expect(reason).toContain('one of sealed, used');
});

test('status is owned or listed and both count; entries have the units left, sold-out lots are omitted', async () => {
  const who = await person(
    shelf,
    lot('a', 3),
    lot('b', 2, { status: 'listed', set_number: '400' }),
    lot('c', 1, { condition: 'used' }),
    sale('s', 2, { lot: 'a' }),
    sale('t', 1, { lot: 'c', condition: 'used' }),
  );
  const { entries, pagination } = await who.entries();
  expect(entries.map((e) => [e.set_number, e.status, e.quantity])).toEqual([
    ['100', 'owned', 1],
    ['400', 'listed', 2],
  ]);
  expect(pagination.total).toBe(2);
  expect((await who.brickfolios()).brickfolios[0]).toMatchObject({ owned_item_count: 3 });
  expect(await refusal(who, lot('d', 1, { status: 'sold' }))).toContain('one of owned, listed');
});

test('owned_set_count counts distinct sets, owned_item_count units', async () => {
  const who = await person(
    shelf,
    lot('a', 2),
    lot('b', 3, { condition: 'used' }),
    lot('c', 4, { set_number: '400' }),
  );
  const [own] = (await who.brickfolios()).brickfolios;
  expect(own).toMatchObject({ owned_set_count: 2, owned_item_count: 9 });
  const { summary } = await who.analytics();
  expect(summary).toMatchObject({ total_sets: 2, total_items: 9 });
});

test('an account starts without collections; the first one is the default', async () => {
  const who = await person();
  expect(await who.brickfolios()).toEqual({ brickfolios: [], monthly_periods: [] });
  await who.load({ kind: 'brickfolio', name: 'Zoo' }, { kind: 'brickfolio', name: 'Attic' });
  const defaults = async () =>
    (await who.brickfolios()).brickfolios.filter((b) => b.is_default).map((b) => b.name);
  expect(await defaults()).toEqual(['Zoo']);
  await who.load({ kind: 'brickfolio', name: 'Attic', is_default: true });
  expect(await defaults()).toEqual(['Attic']);
});

test('an unknown value falls back to the purchase price, also in totals', async () => {
  const facts = { set_number: '300', purchase_price_usd: 12.34 };
  const who = await person(shelf, lot('a', 3, facts), lot('b', 1));
  expect((await who.entries()).entries[0]).toMatchObject({
    current_value_usd: 12.34,
    total_current_value_usd: 37.02,
    unrealized_gain_loss_usd: 0,
    unrealized_gain_loss_pct: 0,
  });
  expect((await who.brickfolios()).brickfolios[0]).toMatchObject({
    total_cost_basis_usd: 97.02,
    total_current_value_usd: 137.02,
    unrealized_gain_loss_usd: 40,
  });
});

test('an unpublished set has its number as title and no theme', async () => {
  const who = await person(shelf);
  const account = who.email;
  await world.ingest([...setWorth('700'), { account, ...lot('a', 1, { set_number: '700' }) }]);
  const shown = async () => (await who.entries()).entries[0];
  expect(await shown()).toMatchObject({ title: '700', theme: '', current_value_usd: 60 });
  await world.load([]);
  expect(await shown()).toMatchObject({ title: 'Set 700', theme: 'Castle' });
});

test('percentages are of the cost, with two decimals; 0 without a cost, but roi_pct is null then', async () => {
  const who = await person(shelf, lot('a', 1, { purchase_price_usd: 30 }));
  expect((await who.entries()).entries[0]?.unrealized_gain_loss_pct).toBe(233.33);
  const gift = await person(shelf, lot('a', 2, { purchase_price_usd: 0 }), sale('s', 1));
  expect((await gift.entries()).entries[0]).toMatchObject({
    unrealized_gain_loss_usd: 100,
    unrealized_gain_loss_pct: 0,
  });
  const { summary, value_history } = await gift.analytics();
  expect(summary.unrealized_gain_loss_pct).toBe(0);
  expect(value_history.at(-1)).toMatchObject({ gain_loss_usd: 100, gain_loss_pct: 0 });
  const [record] = (await gift.sales()).sales;
  expect(Object.entries(record ?? {}).filter(([, value]) => value === null)).toEqual([
    ['roi_pct', null],
  ]);
});

test('unit values are rounded before multiplication, so entries add up to the summaries', async () => {
  const facts = { set_number: '200', purchase_price_usd: 10.01 };
  const who = await person(shelf, lot('a', 3, facts), lot('b', 7, facts));
  const { entries } = await who.entries();
  // 30.33 × 1.1 = 33.363 a unit; three unrounded ones would be 100.09.
  expect(entries.map((e) => e.total_current_value_usd)).toEqual([100.08, 233.52]);
  const total = { total_cost_basis_usd: 100.1, total_current_value_usd: 333.6 };
  expect((await who.brickfolios()).brickfolios[0]).toMatchObject(total);
  expect((await who.analytics()).summary).toMatchObject(total);
});

describe('value_history', () => {
  test('30d and 90d are daily, 1y is weekly; the last point is today and equals the summary', async () => {
    const who = await person(shelf, lot('a', 2), lot('b', 1, { set_number: '200' }));
    for (const [period, first, count, days] of [
      ['30d', '2026-10-16', 31, 1],
      ['90d', '2026-08-17', 91, 1],
      ['1y', '2025-11-16', 53, 7],
    ] as const) {
      const { summary, value_history: points } = await who.analytics(period);
      const instants = points.map((point) => Date.parse(point.date));
      const steps = instants.slice(1).map((at, index) => at - (instants[index] ?? 0));
      expect(points[0]?.date).toBe(first);
      expect(points).toHaveLength(count);
      expect(new Set(steps)).toEqual(new Set([days * 86_400_000]));
      expect(points.at(-1)).toEqual({
        date: '2026-11-15',
        total_value_usd: 233.36,
        cost_basis_usd: 180,
        gain_loss_usd: 53.36,
        gain_loss_pct: 29.64,
      });
      expect(summary.total_current_value_usd).toBe(233.36);
    }
  });

  test('a lot counts from its purchase date until it is sold', async () => {
    const who = await person(
      shelf,
      lot('a', 2, { purchase_date: '2026-11-05' }),
      sale('s', 1, { sale_date: '2026-11-10' }),
      lot('b', 1, { purchase_date: '2026-11-15', set_number: '400', purchase_price_usd: 8 }),
    );
    const { value_history } = await who.analytics('30d');
    const on = (date: string) => {
      const point = value_history.find((p) => p.date === date);
      return [point?.total_value_usd, point?.cost_basis_usd];
    };
    expect(on('2026-11-04')).toEqual([0, 0]);
    expect(on('2026-11-05')).toEqual([200, 120]);
    expect(on('2026-11-09')).toEqual([200, 120]);
    expect(on('2026-11-10')).toEqual([100, 60]);
    expect(on('2026-11-14')).toEqual([100, 60]);
    expect(on('2026-11-15')).toEqual([110, 68]);
  });
});

test('top_gainer and top_loser are by set, since purchase', async () => {
  const who = await person(
    shelf,
    // A gain of 50% and a loss of 50%: neither as a set.
    lot('a', 1, { purchase_price_usd: 50 }),
    lot('b', 1, { purchase_price_usd: 150 }),
    lot('c', 1, { set_number: '400', purchase_price_usd: 8 }),
    lot('d', 1, { set_number: '200', purchase_price_usd: 40 }),
    // Larger in dollars, but smaller in percent.
    lot('e', 1, { set_number: '500', purchase_price_usd: 45 }),
    lot('f', 1, { set_number: '600', purchase_price_usd: 70 }),
  );
  for (const period of ['30d', '1y']) {
    expect((await who.analytics(period)).summary).toMatchObject({
      top_gainer: { set_number: '400', title: 'Set 400', gain_pct: 25 },
      top_loser: { set_number: '200', title: 'Set 200', loss_pct: -16.6 },
    });
  }
});

test('top_gainer and top_loser are null without a real gain or loss', async () => {
  const even = await person(shelf, lot('a', 1, { purchase_price_usd: 100 }));
  const none = { top_gainer: null, top_loser: null };
  expect((await even.analytics()).summary).toMatchObject(none);
  const nobody = await person();
  expect((await nobody.analytics()).summary).toMatchObject(none);
  await even.load(lot('b', 1, { set_number: '400', purchase_price_usd: 8 }));
  expect((await even.analytics()).summary).toMatchObject({
    top_gainer: { set_number: '400' },
    top_loser: null,
  });
});

test('platform is one of ten', async () => {
  const shops = [
    'ebay',
    'bricklink',
    'brick_owl',
    'amazon',
    'walmart',
    'facebook',
    'mercari',
    'whatnot',
  ];
  const platforms = [...shops, 'local', 'other'];
  const sales = platforms.map((platform) => sale(platform, 1, { platform, cost_basis_usd: 1 }));
  const who = await person(...sales);
  expect((await who.sales()).sales.map((s) => s.platform)).toEqual(platforms as never);
  expect(await refusal(who, sale('x', 1, { platform: 'Ebay' }))).toContain("'platform'");
});

describe('ledger', () => {
  const lots = [
    shelf,
    lot('new', 3, { purchase_date: '2026-02-01', purchase_price_usd: 20 }),
    lot('old', 2, { purchase_price_usd: 10 }),
    lot('used', 5, { purchase_date: '2025-01-01', purchase_price_usd: 1, condition: 'used' }),
  ];
  const fees = { platform_fees_usd: 10.5, payment_fees_usd: 3.25, shipping_cost_usd: 6 };
  const fifo = (more: FeedLine = {}) => sale('fifo', 3, { ...fees, ...more });
  const results = async (who: Person) =>
    (await who.sales()).sales.map((s) => [s.net_proceeds_usd, s.profit_loss_usd, s.roi_pct]);

  test('net is gross less fees and shipping; the cost is given, that of the lot, or FIFO', async () => {
    const who = await person(
      ...lots,
      fifo(),
      sale('named', 1, { sale_date: '2026-06-02', lot: 'new', gross_proceeds_usd: 15 }),
      sale('given', 1, { sale_date: '2026-06-03', cost_basis_usd: 7.5, gross_proceeds_usd: 10 }),
    );
    expect(await results(who)).toEqual([
      [10, 2.5, 33.33],
      [15, -5, -25],
      // 90 − 19.75 = 70.25; two units at 10 and one at 20 cost 40.
      [70.25, 30.25, 75.63],
    ]);
    const { entries } = await who.entries();
    expect(entries.map((e) => [e.condition, e.quantity])).toEqual([
      ['sealed', 1],
      ['used', 5],
    ]);
  });

  test('the cost is fixed when the sale is recorded, whatever is corrected later', async () => {
    const who = await person(...lots, fifo());
    await who.load(lot('old', 2, { purchase_price_usd: 99, purchase_date: '2026-03-01' }));
    expect(await results(who)).toEqual([[70.25, 30.25, 75.63]]);
    await who.load(fifo({ platform_fees_usd: 11.5, sale_date: '2026-06-05' }));
    expect(await results(who)).toEqual([[69.25, 29.25, 73.13]]);
  });

  test('of two lines with one sale in a file, the later one counts', async () => {
    const given = { cost_basis_usd: 50 };
    const who = await person(
      sale('s', 1, { ...given, sale_date: '2026-06-02', gross_proceeds_usd: 60 }),
      sale('s', 1, { ...given, sale_date: '2026-06-01', gross_proceeds_usd: 70 }),
    );
    expect((await who.sales()).sales.map((s) => s.gross_proceeds_usd)).toEqual([70]);
  });
});

test("another account's collection gives the same bytes as one that does not exist", async () => {
  const [who, other] = [await person(shelf, lot('a', 1)), await person(shelf, lot('a', 1))];
  const id = (await other.brickfolios()).brickfolios[0]?.id ?? 0;
  const texts = [id, id + 1_000_000].map(async (asked) => {
    const response = await who.ask(`/brickfolio/entries?brickfolio_id=${asked}`);
    return `${response.status} ${await response.text()}`;
  });
  const [foreign, unknown] = await Promise.all(texts);
  expect(foreign).toStartWith('404 {"error":{"code":"NotFound"');
  expect(foreign).toBe(unknown ?? '');
});
