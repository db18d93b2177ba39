/** Which deals are found, in which order, and a page of them. */
import { describe, expect, test } from 'bun:test';
import { candidate, dealsAt } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { dayMs } from '../../kernel/time.ts';
import type { Retailer } from '../../market/source-rows/source-rows.ts';
import { defaultTerms } from '../boxes/quotes.ts';
import type { DealCandidate } from './deal.ts';
import {
  type DealFilters,
  type DealQuestion,
  dealSorts,
  findDeals,
  findSetDeals,
  type SetDealQuestion,
  saleFinder,
  usualFilters,
} from './find-deals.ts';

const question = { terms: defaultTerms, at: dealsAt, filters: usualFilters, limit: 50, offset: 0 };

function ask(candidates: readonly DealCandidate[], given: Partial<DealQuestion> = {}) {
  const asked = { ...question, ...given };
  return findDeals(candidates, asked, saleFinder(builtInTables, asked));
}

/** The numbers of the deals that filters leave, in their order. */
function numbers(candidates: readonly DealCandidate[], filters: Partial<DealFilters> = {}) {
  const { rows } = ask(candidates, { filters: { ...usualFilters, ...filters } });
  return rows.map(({ setNumber }) => setNumber);
}

const named = (number: string, given: Parameters<typeof candidate>[0]) =>
  candidate({ ...given, set: { setKey: `${number}-1`, setNumber: number, ...given.set } });

const slow = { sales: 1, days: 365, priorSales: 1, priorDays: 60 };
const cheap = named('1', { offer: { priceCents: 45_00 } });
const dear = named('2', { offer: { priceCents: 55_00, retailer: 'retailer_b' } });
const slowest = named('3', { offer: { priceCents: 40_00 }, resale: { rate: slow } });
const unknown = named('4', { offer: { priceCents: 30_00 }, resale: { rate: null } });

test('the highest profit per month comes first, and deals without a selling time last', () => {
  expect(numbers([unknown, slowest, dear, cheap])).toEqual(['1', '2', '3', '4']);
});

/** The sets of a list, each with the retailers of its offers. */
function sets(candidates: readonly DealCandidate[], given: Partial<SetDealQuestion> = {}) {
  const asked = { ...question, sort: 'per_month' as const, isDescending: true, ...given };
  const { rows, total } = findSetDeals(candidates, asked, saleFinder(builtInTables, asked));
  const offers = rows.map(({ setNumber, offer, others }) =>
    [setNumber, offer.retailer, ...others.map((other) => other.offer.retailer)].join(' '),
  );
  return { total, offers };
}

describe('by set', () => {
  const cheapB = named('1', { offer: { priceCents: 44_00, retailer: 'retailer_b' } });

  test('a set has one row: the best offer, with the others behind it', () => {
    expect(sets([cheap, dear, cheapB])).toEqual({
      total: 2,
      offers: ['1 retailer_b retailer_a', '2 retailer_b'],
    });
    expect(sets([cheap, dear, cheapB], { limit: 1, offset: 1 })).toEqual({
      total: 2,
      offers: ['2 retailer_b'],
    });
  });

  test('the cheapest offer of a set counts, also if filters leave it out', () => {
    const asked = { ...question, sort: 'per_month', isDescending: true } as const;
    const filters = { ...usualFilters, retailer: 'retailer_a' } as const;
    const old = named('1', { offer: { priceCents: 1_00, observedAt: 0 } });
    const cheapest = (given: Partial<SetDealQuestion>) =>
      findSetDeals(
        [cheap, cheapB, dear, old],
        { ...asked, ...given },
        saleFinder(builtInTables, asked),
      ).rows.map(({ setNumber, cheapestCents }) => [setNumber, cheapestCents]);
    expect(cheapest({})).toEqual([
      ['1', 44_00],
      ['2', 55_00],
    ]);
    expect(cheapest({ filters })).toEqual([['1', 44_00]]);
  });

  test('doubtful offers come last, in a set and among sets, if no column was chosen', () => {
    const sold = { priceCents: 30_00, sellerType: 'third_party' } as const;
    const marketplace = named('9', { offer: sold });
    const doubtful = named('1', { offer: { ...sold, retailer: 'retailer_b' } });
    const given = [marketplace, cheap, dear, doubtful];
    expect(sets(given).offers).toEqual(['1 retailer_a retailer_b', '2 retailer_b', '9 retailer_a']);
    expect(sets(given, { sort: 'price', isDescending: false }).offers[0]).toBe('9 retailer_a');
  });

  // Unknown waits, and profits per month, are last in both directions.
  test.each<[sort: (typeof dealSorts)[number], up: string, down: string]>([
    ['per_month', '3 2 1 4', '1 2 3 4'],
    ['name', '1 2 3 4', '4 3 2 1'],
    ['price', '4 3 1 2', '2 1 3 4'],
    ['max_buy', '2 3 4 1', '1 2 3 4'],
    ['profit', '2 1 3 4', '4 3 1 2'],
    ['wait', '1 2 3 4', '3 1 2 4'],
    ['part_out', '2 1 3 4', '1 2 3 4'],
  ])('can be sorted by %s', (sort, up, down) => {
    const worthMore = { ...cheap.resale, price: { ...cheap.resale.price, valueCents: 102_00 } };
    const parts = { ...cheap, resale: worthMore, partsCents: 90_00 };
    const titled = [parts, { ...dear, partsCents: 80_00 }, slowest, unknown].map((each) => {
      return { ...each, title: `Harbor ${each.setNumber}` };
    });
    const order = (isDescending: boolean) =>
      sets(titled, { sort, isDescending }).offers.map((name) => name[0]);
    expect([order(false).join(' '), order(true).join(' ')]).toEqual([up, down]);
  });

  test('offers that are not wanted are left out, and the next one is the best', () => {
    const isWanted = ({ offer }: DealCandidate) => offer.priceCents !== 44_00;
    expect(sets([cheap, cheapB], { includes: isWanted }).offers).toEqual(['1 retailer_a']);
    expect(sets([cheapB], { includes: isWanted })).toEqual({ total: 0, offers: [] });
  });

  test('every order is tested', () => {
    expect(dealSorts).toHaveLength(7);
  });
});

test('ties keep their order from page to page', () => {
  const alike = ['7', '5', '6'].map((number) => named(number, {}));
  expect(numbers(alike)).toEqual(['5', '6', '7']);
  const { rows, total } = ask(alike, { limit: 1, offset: 1 });
  expect([rows.map(({ setNumber }) => setNumber), total]).toEqual([['6'], 3]);
});

test('among deals without a selling time, the highest profit comes first', () => {
  const dearer = named('5', { offer: { priceCents: 31_00 }, resale: { rate: null } });
  expect(numbers([dearer, unknown])).toEqual(['4', '5']);
  expect(numbers([unknown, dearer])).toEqual(['4', '5']);
});

test('on a tie, the lower key comes first, then the first retailer', () => {
  const at = (number: string, retailer: Retailer) => named(number, { offer: { retailer } });
  const tied = [at('6', 'retailer_b'), at('5', 'retailer_b'), at('6', 'retailer_a')];
  for (const given of [tied, tied.toReversed()]) {
    const names = ask(given).rows.map((deal) => `${deal.setNumber} ${deal.offer.retailer}`);
    expect(names).toEqual(['5 retailer_b', '6 retailer_a', '6 retailer_b']);
  }
});

test('doubtful deals keep their order among themselves', () => {
  const doubtful = (number: string, priceCents: number) =>
    named(number, { offer: { priceCents, sellerType: 'third_party' } });
  const given = [doubtful('8', 41_00), doubtful('9', 40_00), dear, cheap];
  const { offers, total } = sets(given, { limit: 2, offset: 1 });
  expect([offers, total]).toEqual([['2 retailer_b', '9 retailer_a'], 4]);
});

test('other terms have other deals', () => {
  const most = ask([cheap]).rows[0]?.maxBuyCents ?? 0;
  const above = [named('8', { offer: { priceCents: most + 1 } })];
  expect(ask(above).total).toBe(0);
  expect(ask(above, { terms: { ...defaultTerms, marginBasisPoints: 2_000 } }).total).toBe(1);
  expect(ask(above, { terms: { ...defaultTerms, share: 0.72 } }).total).toBe(1);
  expect(ask([cheap], { terms: { ...defaultTerms, marginBasisPoints: 10_000 } }).total).toBe(0);
});

test('an outdated observation is not a deal', () => {
  expect(ask([cheap], { at: dealsAt + 7 * dayMs }).total).toBe(0);
});

describe('filters', () => {
  const all = [{ ...cheap, partsCents: 2 * cheap.offer.priceCents }, dear];
  const [{ profitCents = 0, roiPercent = 0, waitDays = null } = {}] = ask([cheap]).rows;
  test.each<[Partial<DealFilters>, string[]]>([
    [{ retailer: 'retailer_b' }, ['2']],
    [{ theme: 'Harbors' }, ['1', '2']],
    [{ theme: 'Trains' }, []],
    [{ statusId: 4 }, ['1', '2']],
    [{ statusId: 2 }, []],
    [{ maxPriceCents: 45_00 }, ['1']],
    [{ maxPriceCents: 44_99 }, []],
    [{ minPartOutRatio: 2 }, ['1']],
    [{ minPartOutRatio: 2.01 }, []],
    [{ minProfitCents: profitCents }, ['1']],
    [{ minProfitCents: profitCents + 1 }, []],
    [{ minRoiPercent: roiPercent }, ['1']],
    [{ minRoiPercent: roiPercent + 0.01 }, []],
    [{ maxWaitDays: waitDays ?? 0 }, ['1', '2']],
    [{ maxWaitDays: (waitDays ?? 0) - 1 }, []],
  ])('leave only deals that match %j', (filters, expected) => {
    expect(numbers(all, filters)).toEqual(expected);
  });

  test('the lowest accepted data tier', () => {
    const tiers = (['high', 'medium', 'low'] as const).map((tier, index) =>
      named(`${index}`, { resale: { tier } }),
    );
    expect(numbers(tiers, { minTier: 'high' })).toEqual(['0']);
    expect(numbers(tiers)).toEqual(['0', '1']);
    expect(numbers(tiers, { minTier: 'low' })).toEqual(['0', '1', '2']);
  });
});
