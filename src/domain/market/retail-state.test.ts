/** The fold over a retailer's offers: changes of price and of seller, and where it can be cut. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anOffer } from '../../../test/support/builders.ts';
import { dayMs, hourMs, minuteMs } from '../kernel/time.ts';
import type { RetailState } from './retail-state.ts';
import { foldOffers, isAtLowest, isFlipped, sellerConfirmedAt } from './retail-state.ts';
import type { Offer, SellerType } from './source-rows.ts';

const start = Date.UTC(2026, 10, 9);
const hour = (count: number) => start + Math.round(count * hourMs);

const offer = (facts: Partial<Offer>): Offer => anOffer(facts);

/** Goes through looks that were made an hour apart, unless they say when. */
function fold(...looks: readonly Partial<Offer>[]): RetailState {
  const later = (look: Partial<Offer>, hours: number) => ({ observedAt: hour(hours), ...look });
  const state = foldOffers(null, looks.map(later).map(offer));
  if (state === null) throw new Error('There was no look.');
  return state;
}

const foldPrices = (prices: readonly (number | null)[]) =>
  fold(...prices.map((priceCents) => ({ priceCents })));

/** What the letters below stand for: retailer, third party, not told, and no offer. */
const letters: Readonly<Record<string, Partial<Offer>>> = {
  R: { sellerType: 'retailer' },
  T: { sellerType: 'third_party' },
  '?': { sellerType: null },
  '-': { sellerType: 'third_party', priceCents: null },
};

/** Goes through looks such as `0R 1.5T`: the hour, and who sold. */
function foldSellers(text: string): RetailState {
  const at = (look: string) => hour(Number(look.slice(0, -1)));
  const looks = text.split(' ');
  return fold(...looks.map((look) => ({ ...letters[look.slice(-1)], observedAt: at(look) })));
}

test('without looks there is no state, and without new ones it stays as it was', () => {
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
  ])('is not %s', (_, prices) => expect(foldPrices(prices).change).toBeNull());

  test.each([
    ['a cent down', [100_00, 99_99], 1, -1],
    ['a cent up', [99_99, 100_00], 1, 1],
    ['another price after a gap, at the end of the gap', [100_00, null, null, 120_50], 3, 20_50],
    ['the latest of several, not the largest', [100_00, 50_00, 50_00, 55_00, 55_00], 3, 5_00],
    ['there and back, as the way back', [100_00, 90_00, 100_00], 2, 10_00],
    ['one that is followed by no offer', [100_00, 90_00, null], 1, -10_00],
  ])('is %s, signed', (_, prices, atHour, cents) => {
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
])(
  '%s: the lowest stays known, and it is there only after a higher one',
  (_, prices, lowest, is) => {
    const state = foldPrices(prices);
    expect([state.lowestCents, isAtLowest(state)]).toEqual([lowest, is]);
  },
);

describe('a flip to third parties', () => {
  // The looks; the hour of asking; whether it is one then; the hour at which it may become one.
  test.each([
    ['is not a third party that was the first seller ever seen', '0T 1T 50T', 99, false, null],
    ['is not a first look that did not tell the seller', '0? 1T 2T', 99, false, null],
    ['is not one look', '0R 1T', 1, false, 7],
    ['is two looks in a row', '0R 1T 2T', 2, true, null],
    ['is two looks in a row after looks without an offer', '0- 1R 2T 3T', 3, true, null],
    ['is one look that stands for exactly six hours', '0R 1T', 7, true, 7],
    ['is a second look after six hours', '0R 1T 7T', 7, true, null],
    ['is not a flicker of one look', '0R 1T 2R', 99, false, null],
    ['is not confirmed by two flickers', '0R 1T 2R 3T', 8, false, 9],
    ['counts its six hours from the end of the flicker', '0R 1T 2R 3T', 9, true, 9],
    ['is not shown while the retailer is seen again', '0R 1T 2T 3R', 3, false, 9],
    ['outlasts one look at the retailer', '0R 1T 2T 3R 4T', 4, true, null],
    ['outlasts the retailer for just below six hours', '0R 1T 2T 3R 8.9T', 8.9, true, null],
    ['ends when the retailer is back for two looks', '0R 1T 2T 3R 4R 5T', 5, false, 11],
    ['ends when the retailer is back for six hours', '0R 1T 2T 3R 9T', 9, false, 15],
    ['may come a second time', '0R 1T 2T 3R 4R 5T 6T', 6, true, null],
    ['may come after a third party gave way', '0T 1R 2R 3T 4T', 4, true, null],
    ['is not the return of the first seller, a third party', '0T 1R 2T', 99, false, null],
    ['is confirmed across a gap without an offer', '0R 1T 2- 3T', 3, true, null],
    ['is confirmed across a look that does not tell', '0R 1T 2? 3T', 3, true, null],
    ['is not shown while there is no offer', '0R 1T 2T 3-', 3, false, null],
    ['is not shown while it is not told who sells', '0R 1T 2T 3?', 3, false, null],
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

describe('what is not told', () => {
  test('does not take back the list price, the product and its address', () => {
    const told = { listPriceCents: 150_00, asin: 'B000000001', productUrl: 'https://a.example/1' };
    expect(fold(told, {}, { priceCents: null })).toMatchObject(told);
    expect(fold({}, { priceCents: null, ...told }, {})).toMatchObject(told);
    const newer = { listPriceCents: 160_00, asin: 'B000000002', productUrl: 'https://a.example/2' };
    expect(fold(told, newer, {})).toMatchObject(newer);
  });

  test('takes back the offers of others, which are those of the latest look', () => {
    const exit = { lowestFbaCents: 130_00, fbaSellers: 4, buyBoxCents: 125_00 };
    const nothing = { lowestFbaCents: null, fbaSellers: null, buyBoxCents: null };
    expect(fold({}, exit).latest).toMatchObject(exit);
    expect(fold(exit, {}).latest).toMatchObject(nothing);
  });

  test('a look without an offer is out of stock and has no seller, whatever else it says', () => {
    const { latest, priced } = fold(
      { sellerType: 'retailer', inStock: true },
      { priceCents: null, sellerType: 'third_party', inStock: true },
    );
    expect(latest).toMatchObject({ priceCents: null, sellerType: null, inStock: false });
    expect(priced).toEqual({ cents: 120_00, sellerType: 'retailer' });
  });

  test('an offer is in stock as it says, and not known to be when it does not', () => {
    const stocks = [true, false, null];
    expect(stocks.map((inStock) => fold({ inStock }).latest.inStock)).toEqual(stocks);
  });
});

/** Offers in order, with the gaps and repetitions that the rules turn on. */
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

/** The rules said of the whole list at once, as one would do it by hand. */
function readWhole(offers: readonly Offer[], asked: number) {
  const latest = offers.at(-1) ?? offer({});
  const offered = offers.filter((o) => o.priceCents !== null);
  const cents = offered.map((o) => Number(o.priceCents));
  const moved = cents.findLastIndex((c, i) => i > 0 && c !== cents[i - 1]);
  const changedAt = Number(offered[moved]?.observedAt);
  const changeCents = Number(cents[moved]) - Number(cents[moved - 1]);
  const lowestCents = cents.toSorted((a, b) => a - b)[0] ?? null;
  const lastTold = <K extends keyof Offer>(name: K) =>
    offers.findLast((o) => o[name] !== null)?.[name] ?? null;
  const isLowest = latest.priceCents === lowestCents && cents.some((c) => c > Number(lowestCents));
  return {
    change: moved < 1 ? null : { at: changedAt, cents: changeCents },
    lowestCents,
    atLowest: latest.priceCents !== null && isLowest,
    listPriceCents: lastTold('listPriceCents'),
    asin: lastTold('asin'),
    productUrl: lastTold('productUrl'),
    ...readSellers(offered, latest, asked),
  };
}

/** Cuts the looks into stretches of one seller, and leaves out those that are not confirmed. */
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

describe('whatever is seen', () => {
  test('the fold says what the rules say of the whole list', () => {
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

  test('a fold that is stored anywhere and taken up again comes to the same', () => {
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

  test('the own offer is the last that a retailer itself had in stock', () => {
    const property = fc.property(someOffers, (offers) => {
      const own = offers.findLast(
        (o) => o.priceCents !== null && o.inStock === true && o.sellerType === 'retailer',
      );
      expect(fold(...offers).ownOfferAt).toBe(own?.observedAt ?? null);
    });
    fc.assert(property, { seed: 15, numRuns: 300 });
  });

  test('the lowest price is one that was seen, and none was lower', () => {
    const property = fc.property(someOffers, (offers) => {
      const { lowestCents } = fold(...offers);
      const prices = offers.flatMap((o) => o.priceCents ?? []);
      expect(prices.length === 0 ? [null] : prices).toContain(lowestCents);
      for (const price of prices) expect(Number(lowestCents)).toBeLessThanOrEqual(price);
    });
    fc.assert(property, { seed: 13, numRuns: 300 });
  });

  test('seeing the same once more confirms the seller and tells time and stock, no more', () => {
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
  /** Looks such as [0, 100]: the day, and the price. */
  const foldDays = (looks: readonly (readonly [number, number | null])[]) =>
    fold(...looks.map(([at, priceCents]) => ({ observedAt: day(at), priceCents })));
  /** Until when the price was last lower, in days; null for never. */
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
      'no offer: what held last',
      [
        [0, 90],
        [5, null],
      ],
      5,
    ],
    [
      'one 90 days before the look',
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
  ])('%s', (_, looks, expected) => expect(cheaperUntil(foldDays(looks))).toBe(expected));

  test('are what going through all looks again would find, wherever the fold was cut', () => {
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

  test('no more are kept than needed, however often the price rises', () => {
    const rising = foldPrices(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(rising.lower).toHaveLength(30);
    expect(rising.lower.at(-1)).toEqual([hour(99), 99]);
  });
});
