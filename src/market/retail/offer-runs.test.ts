/** Runs of offers: every look is kept exactly, in any order of arrival, and states are the same. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { dayMs, hourMs, minuteMs, weekStart } from '../../kernel/time.ts';
import type { DollarOffer } from '../rates/exchange.ts';
import {
  endLooks,
  isSameOffer,
  lookTimes,
  type OfferFacts,
  OfferWeek,
  offerFields,
} from './offer-runs.ts';
import { foldOffers } from './retail-state.ts';

const start = weekStart(2_900);

const facts = (given: Partial<OfferFacts> = {}): OfferFacts => ({
  currency: 'USD',
  priceCents: 10_00,
  listPriceCents: null,
  sellerType: 'retailer',
  inStock: true,
  asin: null,
  productUrl: null,
  lowestFbaCents: null,
  fbaSellers: null,
  buyBoxCents: null,
  ...given,
});

const other = facts({ priceCents: 9_00 });

function weekOfLooks(looks: readonly (readonly [at: number, facts: OfferFacts])[]): OfferWeek {
  const week = new OfferWeek([]);
  for (const [at, found] of looks) week.set(at, found);
  return week;
}

const shape = ({ runs }: OfferWeek) =>
  runs.map((run) => [run.facts.priceCents, ...lookTimes(run).map((at) => (at - start) / hourMs)]);

test('looks that find the same are one run of one byte per hour', () => {
  const hourly = Array.from(
    { length: 168 },
    (_, hour) => [start + hour * hourMs, facts()] as const,
  );
  const { runs } = weekOfLooks(hourly);
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({ firstAt: start, lastAt: start + 167 * hourMs, looks: 168 });
  expect(runs[0]?.gaps).toHaveLength(1 + 167);
});

test.each(offerFields)('a look with another %s starts a run', (field) => {
  const changed = { ...facts(), [field]: field === 'inStock' ? false : 'x' } as OfferFacts;
  expect(isSameOffer(facts(), changed)).toBe(false);
  expect(
    weekOfLooks([
      [start, facts()],
      [start + 1, changed],
    ]).runs,
  ).toHaveLength(2);
});

test('a late look splits a run, and removing it joins the parts again', () => {
  const week = weekOfLooks([0, 1, 2, 3].map((hour) => [start + hour * hourMs, facts()]));
  const before = week.runs;
  week.set(start + 1.5 * hourMs, other);
  expect(shape(week)).toEqual([
    [10_00, 0, 1],
    [9_00, 1.5],
    [10_00, 2, 3],
  ]);
  week.set(start + 2 * hourMs, other);
  expect(shape(week)).toEqual([
    [10_00, 0, 1],
    [9_00, 1.5, 2],
    [10_00, 3],
  ]);
  week.set(start + 2 * hourMs, facts());
  week.set(start + 1.5 * hourMs, null);
  expect(week.runs).toEqual(before);
});

test('a look in another currency continues a run of the same UTC day only', () => {
  const euros = facts({ currency: 'EUR' });
  const times = [dayMs - 2, dayMs - 1, dayMs, dayMs + 1].map((ms) => start + ms);
  expect(weekOfLooks(times.map((at) => [at, euros])).runs.map(({ looks }) => looks)).toEqual([
    2, 2,
  ]);
  expect(weekOfLooks(times.map((at) => [at, facts()])).runs).toHaveLength(1);
});

const anyTime = fc
  .tuple(fc.integer({ min: 0, max: 7 * 24 * 60 - 1 }), fc.constantFrom(0, 0, 0, 1_000, 1))
  .map(([minute, more]) => start + minute * minuteMs + more);
const anyFacts = fc.constantFrom(
  facts(),
  other,
  facts({ priceCents: null, sellerType: null, inStock: null }),
  facts({ sellerType: 'third_party' }),
  facts({ currency: 'EUR' }),
);
const anyLooks = fc.uniqueArray(fc.tuple(anyTime, anyFacts), {
  selector: ([at]) => at,
  maxLength: 40,
});

test('the runs of a week depend on its looks alone, and keep each of them', () => {
  fc.assert(
    fc.property(anyLooks, fc.array(anyTime, { maxLength: 5 }), (looks, absent) => {
      const inOrder = weekOfLooks(looks.toSorted(([a], [b]) => a - b));
      const week = weekOfLooks(looks);
      expect(week.runs).toEqual(inOrder.runs);
      for (const [at, found] of looks) expect(week.find(at)).toEqual(found);
      const known = new Set(looks.map(([at]) => at));
      for (const at of absent) if (!known.has(at)) expect(week.find(at)).toBeNull();
      const stored = new OfferWeek(week.runs);
      for (const [at, found] of looks) stored.set(at, found);
      expect(stored.runs).toEqual(week.runs);
      for (const [at] of looks) stored.set(at, null);
      expect(stored.runs).toEqual([]);
    }),
    { seed: 36, numRuns: 300 },
  );
});

test('the ends of runs give the same retail state as all looks, also in two steps', () => {
  const retailer = 'retailer_a';
  const toOffer = (observedAt: number, found: OfferFacts): DollarOffer => {
    return { ...found, retailer, setKey: '1', observedAt };
  };
  fc.assert(
    fc.property(anyLooks, anyTime, anyTime, (looks, first, second) => {
      const week = weekOfLooks(looks);
      const between = (after: number, until: number) => {
        const all = looks
          .filter(([at]) => at > after && at <= until)
          .toSorted(([a], [b]) => a - b)
          .map(([at, found]) => toOffer(at, found));
        const ends = week.runs.flatMap((run) =>
          endLooks(run, after, until).map((at) => toOffer(at, run.facts)),
        );
        return { all, ends };
      };
      const [until, end] = [Math.min(first, second), Math.max(first, second)];
      const [past, rest] = [between(0, until), between(until, end)];
      const expected = foldOffers(foldOffers(null, past.all), rest.all);
      expect(foldOffers(foldOffers(null, past.ends), rest.ends)).toEqual(expected);
    }),
    { seed: 37, numRuns: 300 },
  );
});
