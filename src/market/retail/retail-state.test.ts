/** The fold over a retailer's offers: changes of price and seller, and resuming a stored state. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anOffer } from '../../../test/support/builders.ts';
import { dayMs, hourMs, minuteMs } from '../../kernel/time.ts';
import type { Offer, SellerType } from '../source-rows/source-rows.ts';
import type { RetailState } from './retail-state.ts';
import {
  confirmedFlip,
  foldOffers,
  isAtLowest,
  isFlipped,
  monthsUntil,
  sellerConfirmedAt,
} from './retail-state.ts';

const start = Date.UTC(2026, 10, 9);
const hour = (count: number) => start + Math.round(count * hourMs);

const offer = (facts: Partial<Offer>): Offer => anOffer(facts);

/** Folds observations at intervals of an hour, unless they have a time. */
function fold(...looks: readonly Partial<Offer>[]): RetailState {
  const later = (look: Partial<Offer>, hours: number) => ({ observedAt: hour(hours), ...look });
  const state = foldOffers(null, looks.map(later).map(offer));
  if (state === null) throw new Error('There are no observations.');
  return state;
}

const foldPrices = (prices: readonly (number | null)[]) =>
  fold(...prices.map((priceCents) => ({ priceCents })));

/** Retailer, third party, unknown seller, and no offer. */
const letters: Readonly<Record<string, Partial<Offer>>> = {
  R: { sellerType: 'retailer' },
  T: { sellerType: 'third_party' },
  '?': { sellerType: null },
  '-': { sellerType: 'third_party', priceCents: null },
};

/** Folds observations such as `0R 1.5T`: the hour and the seller. */
function foldSellers(text: string): RetailState {
  const at = (look: string) => hour(Number(look.slice(0, -1)));
  const looks = text.split(' ');
  return fold(...looks.map((look) => ({ ...letters[look.slice(-1)], observedAt: at(look) })));
}

test('without observations there is no state, and without new ones it is unchanged', () => {
  expect(foldOffers(null, [])).toBeNull();
  const state = fold({});
  expect(foldOffers(state, [])).toBe(state);
});

describe('the last change', () => {
  test.each([
    ['one price', [100_00]],
    ['the same price again', [100_00, 100_00]],
    ['no offer', [100_00, null]],
    ['coming back at the same price', [100_00, null, null, 100_00]],
    ['a first price after looks without an offer', [null, 100_00]],
  ])('of a price is not %s', (_, prices) => expect(foldPrices(prices).change).toBeNull());

  test.each([
    ['a cent down', [100_00, 99_99], 1, -1],
    ['a cent up', [99_99, 100_00], 1, 1],
    ['another price after a gap, at the end of the gap', [100_00, null, null, 120_50], 3, 20_50],
    ['the latest of several, not the largest', [100_00, 50_00, 50_00, 55_00, 55_00], 3, 5_00],
    ['there and back, as the way back', [100_00, 90_00, 100_00], 2, 10_00],
    ['one that is followed by no offer', [100_00, 90_00, null], 1, -10_00],
  ])('of a price is %s, with its sign', (_, prices, atHour, cents) => {
    expect(foldPrices(prices).change).toEqual({ at: hour(atHour), cents });
  });
});

test.each([
  ['a single price', [100_00], 100_00, false],
  ['the same price twice', [100_00, 100_00], 100_00, false],
  ['a price that fell by a cent', [100_00, 99_99], 99_99, true],
  ['a price that rose', [100_00, 110_00], 100_00, false],
  ['a price between the two', [100_00, 90_00, 95_00], 90_00, false],
  ['a price back at the first, which was the lowest', [90_00, 100_00, 90_00], 90_00, true],
  ['no offer, after the lowest price', [100_00, 90_00, null], 90_00, false],
  ['an offer that comes back at the lowest price', [100_00, 90_00, null, 90_00], 90_00, true],
  ['never an offer', [null, null], null, false],
])('%s: the lowest price is kept, and reached only after a higher one', (_, prices, lowest, is) => {
  const state = foldPrices(prices);
  expect([state.lowestCents, isAtLowest(state)]).toEqual([lowest, is]);
});

describe('a flip to third parties', () => {
  // The observations, the hour of the query, the expected result, and when it may be confirmed.
  test.each([
    ['is not a third party as the first seller ever', '0T 1T 50T', 99, false, null],
    ['is not a first observation without a seller', '0? 1T 2T', 99, false, null],
    ['is not a single observation', '0R 1T', 1, false, 7],
    ['is two observations in a row', '0R 1T 2T', 2, true, null],
    ['is two observations in a row after some without an offer', '0- 1R 2T 3T', 3, true, null],
    ['is one observation that lasts exactly six hours', '0R 1T', 7, true, 7],
    ['is a second observation after six hours', '0R 1T 7T', 7, true, null],
    ['is not a flicker of one observation', '0R 1T 2R', 99, false, null],
    ['is not confirmed by two flickers', '0R 1T 2R 3T', 8, false, 9],
    ['counts its six hours from the end of the flicker', '0R 1T 2R 3T', 9, true, 9],
    ['is not shown while the retailer is observed again', '0R 1T 2T 3R', 3, false, 9],
    ['outlasts one observation of the retailer', '0R 1T 2T 3R 4T', 4, true, null],
    ['outlasts the retailer for just below six hours', '0R 1T 2T 3R 8.9T', 8.9, true, null],
    ['ends when the retailer is observed twice', '0R 1T 2T 3R 4R 5T', 5, false, 11],
    ['ends when the retailer is back for six hours', '0R 1T 2T 3R 9T', 9, false, 15],
    ['may occur a second time', '0R 1T 2T 3R 4R 5T 6T', 6, true, null],
    ['may occur after a third party was replaced', '0T 1R 2R 3T 4T', 4, true, null],
    ['is not the return of the first seller, a third party', '0T 1R 2T', 99, false, null],
    ['is confirmed across a gap without an offer', '0R 1T 2- 3T', 3, true, null],
    ['is confirmed across an observation without a seller', '0R 1T 2? 3T', 3, true, null],
    ['is not shown while there is no offer', '0R 1T 2T 3-', 3, false, null],
    ['is not shown while the seller is unknown', '0R 1T 2T 3?', 3, false, null],
    ['is still there after a gap', '0R 1T 2T 3- 4? 5T', 5, true, null],
    ['counts six hours that ended in a gap', '0R 1T 2- 8R 9T', 9, true, null],
    ['does not count five hours that ended in a gap', '0R 1T 2- 6R 8T', 8, false, 14],
    ['needs a seller at all', '0- 1?', 99, false, null],
  ] as const)('%s', (_, looks, askedHour, flipped, confirmedHour) => {
    const state = foldSellers(looks);
    expect(isFlipped(state, hour(askedHour))).toBe(flipped);
    expect(sellerConfirmedAt(state)).toBe(confirmedHour === null ? null : hour(confirmedHour));
  });

  test('takes six hours to the millisecond', () => {
    const state = foldSellers('0R 1T');
    expect(isFlipped(state, hour(7) - 1)).toBe(false);
    expect(isFlipped(state, hour(7))).toBe(true);
    const back = (at: number) =>
      foldOffers(state, [
        offer({ observedAt: at, sellerType: 'retailer' }),
        offer({ observedAt: at + minuteMs, sellerType: 'third_party' }),
      ]);
    const returns = [back(hour(7) - 1), back(hour(7))];
    expect(returns.map((s) => s && isFlipped(s, s.latest.at))).toEqual([false, true]);
  });
});

describe('a missing fact', () => {
  test('does not erase the list price, the product and its URL', () => {
    const known = { listPriceCents: 150_00, asin: 'B000000001', productUrl: 'https://a.example/1' };
    expect(fold(known, {}, { priceCents: null })).toMatchObject(known);
    expect(fold({}, { priceCents: null, ...known }, {})).toMatchObject(known);
    const newer = { listPriceCents: 160_00, asin: 'B000000002', productUrl: 'https://a.example/2' };
    expect(fold(known, newer, {})).toMatchObject(newer);
  });

  test('erases the offers of other sellers, which are those of the latest observation', () => {
    const exit = { lowestFbaCents: 130_00, fbaSellers: 4, buyBoxCents: 125_00 };
    const nothing = { lowestFbaCents: null, fbaSellers: null, buyBoxCents: null };
    expect(fold({}, exit).latest).toMatchObject(exit);
    expect(fold(exit, {}).latest).toMatchObject(nothing);
  });

  test('of the price means out of stock and no seller, whatever else is reported', () => {
    const { latest, priced } = fold(
      { sellerType: 'retailer', inStock: true },
      { priceCents: null, sellerType: 'third_party', inStock: true },
    );
    expect(latest).toMatchObject({ priceCents: null, sellerType: null, inStock: false });
    expect(priced).toEqual({ cents: 120_00, sellerType: 'retailer' });
  });

  test('of stock stays unknown', () => {
    const stocks = [true, false, null];
    expect(stocks.map((inStock) => fold({ inStock }).latest.inStock)).toEqual(stocks);
  });
});

/** Offers in order, with gaps and repetitions that matter to the rules. */
const someOffers = fc
  .array(
    fc.record({
      gapMs: fc.constantFrom(1, hourMs, 3 * hourMs, 6 * hourMs - 1, 6 * hourMs, dayMs),
      priceCents: fc.constantFrom(null, 99_99, 100_00, 100_01, 100_00),
      sellerType: fc.constantFrom<(SellerType | null)[]>('retailer', 'third_party', null),
      inStock: fc.constantFrom(true, false, null),
      listPriceCents: fc.constantFrom(null, 150_00, 160_00),
      asin: fc.constantFrom(null, 'B000000001', 'B000000002'),
      productUrl: fc.constantFrom(null, 'https://a.example/1', 'https://a.example/2'),
      buyBoxCents: fc.constantFrom(null, 95_00),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((looks) => {
    let at = start;
    return looks.map(({ gapMs, ...look }) => {
      at += gapMs;
      return offer({ ...look, observedAt: at });
    });
  });

/** A reference implementation of the rules over the whole list. */
function readWhole(offers: readonly Offer[], asked: number) {
  const latest = offers.at(-1) ?? offer({});
  const offered = offers.filter((o) => o.priceCents !== null);
  const cents = offered.map((o) => Number(o.priceCents));
  const moved = cents.findLastIndex((c, i) => i > 0 && c !== cents[i - 1]);
  const changedAt = Number(offered[moved]?.observedAt);
  const changeCents = Number(cents[moved]) - Number(cents[moved - 1]);
  const lowestCents = cents.toSorted((a, b) => a - b)[0] ?? null;
  const lastKnown = <K extends keyof Offer>(name: K) =>
    offers.findLast((o) => o[name] !== null)?.[name] ?? null;
  const isLowest = latest.priceCents === lowestCents && cents.some((c) => c > Number(lowestCents));
  return {
    change: moved < 1 ? null : { at: changedAt, cents: changeCents },
    lowestCents,
    atLowest: latest.priceCents !== null && isLowest,
    listPriceCents: lastKnown('listPriceCents'),
    asin: lastKnown('asin'),
    productUrl: lastKnown('productUrl'),
    ...readSellers(offered, latest, asked),
  };
}

/** Splits the observations into runs of one seller, and drops unconfirmed runs. */
function readSellers(offered: readonly Offer[], latest: Offer, asked: number) {
  const seen = offered.filter((o) => o.sellerType !== null);
  const starts = seen.flatMap((o, i) => (seen[i - 1]?.sellerType === o.sellerType ? [] : [i]));
  const stretches = starts.map((first, nth) => {
    const next = starts[nth + 1] ?? seen.length;
    const from = Number(seen[first]?.observedAt);
    const lasted = (seen[next]?.observedAt ?? asked) - from;
    const isConfirmed = nth === 0 || next - first >= 2 || lasted >= 6 * hourMs;
    return { seller: seen[first]?.sellerType, from, looks: next - first, isConfirmed };
  });
  const confirmed = stretches.filter((s) => s.isConfirmed).map((s) => s.seller);
  const changes = confirmed.filter((seller, i) => i > 0 && seller !== confirmed[i - 1]);
  const last = stretches.at(-1);
  const before = stretches.slice(0, -1).findLast((s) => s.isConfirmed);
  const isOpen = last && before && last.looks === 1 && last.seller !== before.seller;
  const isOthers = latest.priceCents !== null && latest.sellerType === 'third_party';
  return {
    flipped: isOthers && changes.at(-1) === 'third_party',
    confirmedAt: isOpen ? last.from + 6 * hourMs : null,
  };
}

describe('for any observations', () => {
  test('the fold agrees with the reference implementation', () => {
    const delays = fc.constantFrom(0, 1, hourMs, 6 * hourMs - 1, 6 * hourMs, 30 * dayMs);
    const property = fc.property(someOffers, delays, (offers, delay) => {
      const state = fold(...offers);
      const asked = state.latest.at + delay;
      const { change, lowestCents, listPriceCents, asin, productUrl } = state;
      const flips = { flipped: isFlipped(state, asked), confirmedAt: sellerConfirmedAt(state) };
      const facts = { change, lowestCents, listPriceCents, asin, productUrl, ...flips };
      expect({ ...facts, atLowest: isAtLowest(state) }).toEqual(readWhole(offers, asked));
    });
    fc.assert(property, { seed: 11, numRuns: 1_500 });
  });

  test('a stored fold that is resumed gives the same result', () => {
    const cuts = fc.array(fc.nat({ max: 14 }), { maxLength: 4 });
    const property = fc.property(someOffers, cuts, (offers, places) => {
      const edges = [0, ...places.toSorted((a, b) => a - b), offers.length];
      const pieces = edges.map((edge, i) => offers.slice(edge, edges[i + 1]));
      const goOn = (kept: RetailState | null, piece: readonly Offer[]) =>
        foldOffers(JSON.parse(JSON.stringify(kept)), piece);
      expect(pieces.reduce(goOn, null)).toEqual(foldOffers(null, offers));
    });
    fc.assert(property, { seed: 12, numRuns: 500 });
  });

  test('the own offer is the last one that the retailer itself had in stock', () => {
    const property = fc.property(someOffers, (offers) => {
      const own = offers.findLast(
        (o) => o.priceCents !== null && o.inStock === true && o.sellerType === 'retailer',
      );
      expect(fold(...offers).ownOfferAt).toBe(own?.observedAt ?? null);
    });
    fc.assert(property, { seed: 15, numRuns: 300 });
  });

  test('the lowest price is the minimum of all observed prices', () => {
    const property = fc.property(someOffers, (offers) => {
      const { lowestCents } = fold(...offers);
      const prices = offers.flatMap((o) => o.priceCents ?? []);
      expect(prices.length === 0 ? [null] : prices).toContain(lowestCents);
      for (const price of prices) expect(Number(lowestCents)).toBeLessThanOrEqual(price);
    });
    fc.assert(property, { seed: 13, numRuns: 300 });
  });

  test('a repeated observation only confirms the seller and updates time and stock', () => {
    const property = fc.property(someOffers, fc.boolean(), (offers, inStock) => {
      const before = fold(...offers);
      const again = offer({ ...offers.at(-1), observedAt: before.latest.at + 1, inStock });
      const isOffered = again.priceCents !== null;
      const latest = { ...before.latest, at: again.observedAt, inStock: isOffered && inStock };
      const after = foldOffers(before, [again]);
      const isOwn = inStock && latest.sellerType === 'retailer';
      const ownOfferAt = isOwn ? latest.at : before.ownOfferAt;
      expect(after).toEqual({ ...before, latest, seller: after?.seller ?? null, ownOfferAt });
      const later = { ...again, observedAt: again.observedAt + 1 };
      expect(foldOffers(after, [later])?.seller).toEqual(after?.seller ?? null);
    });
    fc.assert(property, { seed: 14, numRuns: 300 });
  });
});

describe('lower prices', () => {
  const day = (count: number) => start + count * dayMs;
  /** Observations such as [0, 100]: the day and the price. */
  const foldDays = (looks: readonly (readonly [number, number | null])[]) =>
    fold(...looks.map(([at, priceCents]) => ({ observedAt: day(at), priceCents })));
  /** When the price was last lower, in days; null for never. */
  const cheaperUntil = (state: RetailState) => {
    const until = state.lower.at(-1)?.[0];
    return until === undefined ? null : (until - start) / dayMs;
  };

  test.each<[string, [number, number | null][], number | null]>([
    ['a single price', [[0, 100]], null],
    [
      'one that fell',
      [
        [0, 100],
        [1, 90],
      ],
      null,
    ],
    [
      'one that rose: until it did',
      [
        [0, 90],
        [5, 100],
      ],
      5,
    ],
    [
      'one that stayed afterwards',
      [
        [0, 90],
        [5, 100],
        [6, 100],
      ],
      5,
    ],
    [
      'one that fell below it again',
      [
        [0, 90],
        [5, 100],
        [6, 80],
      ],
      null,
    ],
    [
      'one that fell, but not as far',
      [
        [0, 80],
        [5, 100],
        [6, 90],
      ],
      5,
    ],
    [
      'the last of several',
      [
        [0, 80],
        [5, 90],
        [7, 100],
      ],
      7,
    ],
    [
      'a gap: until there was no offer',
      [
        [0, 90],
        [5, null],
        [9, 100],
      ],
      5,
    ],
    [
      'a gap at the same price',
      [
        [0, 90],
        [5, null],
        [9, 90],
      ],
      null,
    ],
    [
      'no offer: the last price',
      [
        [0, 90],
        [5, null],
      ],
      5,
    ],
    [
      'one 90 days before the observation',
      [
        [0, 90],
        [5, 100],
        [95, 100],
      ],
      5,
    ],
    [
      'one a day earlier',
      [
        [0, 90],
        [5, 100],
        [96, 100],
      ],
      null,
    ],
  ])('say until when a price was lower: %s', (_, looks, expected) =>
    expect(cheaperUntil(foldDays(looks))).toBe(expected),
  );

  test('agree with a scan of all observations, wherever the fold is resumed', () => {
    const looks = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 40 }), fc.option(fc.integer({ min: 1, max: 9 }))),
      { minLength: 1, maxLength: 40 },
    );
    fc.assert(
      fc.property(looks, fc.nat(40), (steps, cut) => {
        let at = 0;
        const offers = steps.map(([days, priceCents]) => {
          at += days;
          return offer({ observedAt: day(at), priceCents });
        });
        const state = foldOffers(foldOffers(null, offers.slice(0, cut)), offers.slice(cut));
        const price = offers.at(-1)?.priceCents ?? null;
        const ends = offers.slice(1).flatMap(({ observedAt }, index) => {
          const before = offers[index]?.priceCents ?? null;
          const hasHeld = before !== null && before !== offers[index + 1]?.priceCents;
          const isLate = observedAt >= day(at) - 90 * dayMs;
          return hasHeld && isLate && (price === null || before < price) ? [observedAt] : [];
        });
        expect(state?.lower.at(-1)?.[0] ?? null).toBe(ends.at(-1) ?? null);
      }),
      { seed: 18, numRuns: 200 },
    );
  });

  test('are limited, however often the price rises', () => {
    const rising = foldPrices(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(rising.lower).toHaveLength(30);
    expect(rising.lower.at(-1)).toEqual([hour(99), 99]);
  });
});

test.each([
  ['0?', 1, null],
  ['0R', 1, false],
  ['0T', 1, null],
  ['0R 1T', 6.9, false],
  ['0R 1T', 7, true],
  ['0R 1T 2T', 2, true],
  ['0R 1T 2T 3-', 3, null],
  ['0R 1T 2T 3R', 3, null],
  ['0R 1T 2T 3R', 9, false],
  ['0R 1T 2T 3R 4R', 4, false],
  ['0R 1-', 9, false],
] as const)(
  'after %s, third parties have replaced the retailer at hour %d: %p',
  (looks, at, is) => {
    expect(confirmedFlip(foldSellers(looks), hour(at))).toBe(is);
  },
);

test('the last price counts for every month up to an instant', () => {
  const state = fold({ priceCents: 90_00 }, { priceCents: 80_00 });
  const [[november = 0] = []] = state.months;
  const at = (month: number) => Date.UTC(2026, month, 1);
  expect(monthsUntil(state, at(10))).toEqual([[november, 80_00]]);
  expect(monthsUntil(state, at(11))).toEqual([
    [november, 80_00],
    [november + 1, 80_00],
  ]);
  expect(monthsUntil(state, at(12)).at(-1)).toEqual([november + 2, 80_00]);
  const gone = fold({ priceCents: 90_00 }, { priceCents: null });
  expect(monthsUntil(gone, at(12))).toEqual([[november, 90_00]]);
});
