/** Guarantees of every store about the retailers' own lowest prices of each week. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { aMinifig, anOffer, setRow } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { runsOnEngine } from '../../../test/support/random-runs.ts';
import { dayMs, hourMs, weekOf, weekStart } from '../../kernel/time.ts';
import { type Offer, retailers } from '../../market/source-rows/source-rows.ts';
import type { RetailWeek } from '../../market/values/estimator.ts';
import type { Store } from '../../store/store.ts';

const now = Date.UTC(2026, 10, 15, 12);
const monday = Date.UTC(2026, 9, 5);
const ownOffer: Offer = anOffer({ setKey: '1', sellerType: 'retailer', inStock: true });

/** A slow reference implementation: the latest offer of each time, week by week. */
function slowWeeks(offers: readonly Offer[]): RetailWeek[] {
  const latest = new Map(offers.map((offer) => [`${offer.retailer} ${offer.observedAt}`, offer]));
  const lowest = (some: readonly Offer[]) =>
    some.reduce<number | null>(
      (low, { priceCents }) =>
        priceCents === null ? low : Math.min(low ?? priceCents, priceCents),
      null,
    );
  const byWeek = Map.groupBy(latest.values(), (offer) => weekOf(offer.observedAt));
  return [...byWeek.entries()]
    .sort(([a], [b]) => a - b)
    .flatMap(([week, all]) => {
      const own = all.filter((o) => o.sellerType === 'retailer' && o.inStock === true);
      const priceCents = lowest(own);
      return priceCents === null ? [] : [{ week, priceCents }];
    });
}

/** Few times around the ends of three weeks, one of them before 1970, so that offers collide. */
const instants = [-1, 0, 2, 2 * dayMs, 7 * dayMs - 1, 7 * dayMs, 8 * dayMs].map(
  (ms) => monday + ms,
);

const anyOffer: fc.Arbitrary<Offer> = fc
  .record({
    retailer: fc.constantFrom(...retailers),
    observedAt: fc.constantFrom(...instants, Date.UTC(1969, 11, 28, 23)),
    priceCents: fc.option(fc.integer({ min: 1, max: 9 })),
    sellerType: fc.constantFrom('retailer', 'third_party', null),
    inStock: fc.constantFrom(true, true, false, null),
  })
  .map((facts) => anOffer({ setKey: '1', ...facts }));

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-weeks-'));
    store = await open(folder);
    await addSet('1');
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const addSet = (number: string) => store.market.applyRows([setRow(number)], now);
  const apply = (...offers: Partial<Offer>[]) =>
    store.market.applyRows(
      offers.map((facts) => ({ kind: 'offer', offer: { ...ownOffer, ...facts } })),
      now,
    );
  async function weeks(id = 1, at = now) {
    const [item] = await store.market.loadInputs([id], { at, withSeries: false });
    return item?.retailWeeks;
  }

  test('weeks match their offers, in whatever order and batches they arrive', async () => {
    let id = 1;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(anyOffer, { maxLength: 6 })), async (batches) => {
        // Each run uses another set in the same store.
        const setKey = `set-${++id}`;
        await addSet(setKey);
        for (const batch of batches) await apply(...batch.map((offer) => ({ ...offer, setKey })));
        expect(await weeks(id)).toEqual(slowWeeks(batches.flat()));
      }),
      { seed: 22, numRuns: runsOnEngine(300) },
    );
    expect(await weeks(1)).toEqual([]);
  });

  test('only in-stock prices of the retailer itself count', async () => {
    await apply(
      { observedAt: monday, priceCents: 90, sellerType: 'retailer', inStock: null },
      { observedAt: monday + 1, priceCents: 95, sellerType: 'third_party', inStock: true },
      { observedAt: monday + 2, priceCents: 99, sellerType: 'retailer', inStock: true },
      { observedAt: monday + 3, priceCents: 10, sellerType: 'retailer', inStock: false },
      { observedAt: monday + 4, priceCents: null, sellerType: 'retailer', inStock: true },
    );
    const week = weekOf(monday);
    expect(await weeks()).toEqual([{ week, priceCents: 99 }]);
  });

  test('a replaced offer removes its price, and the last one removes its week', async () => {
    await apply({ priceCents: 50, observedAt: monday }, { priceCents: 70, observedAt: monday + 1 });
    await apply({ priceCents: 80, observedAt: monday });
    expect(await weeks()).toMatchObject([{ priceCents: 70 }]);
    await apply({ priceCents: null, observedAt: monday + 1 });
    expect(await weeks()).toMatchObject([{ priceCents: 80 }]);
    await apply({ priceCents: 80, inStock: false, observedAt: monday });
    expect(await weeks()).toEqual([]);
  });

  test('weeks are read up to a time, and start on Mondays at 00:00 UTC', async () => {
    const week = weekOf(monday);
    expect(weekStart(week)).toBe(monday);
    await apply({ observedAt: monday - 1 }, { observedAt: monday + 3 * dayMs });
    const found = async (at: number) => (await weeks(1, at))?.map((row) => row.week);
    expect(await found(monday - 8 * dayMs)).toEqual([]);
    expect(await found(monday - 1)).toEqual([week - 1]);
    // A week that has started is returned with all its offers.
    expect(await found(monday)).toEqual([week - 1, week]);
    expect(await found(monday + hourMs)).toEqual([week - 1, week]);
  });

  test('minifigs have none', async () => {
    await store.market.applyRows([{ kind: 'minifig', source: 'feed', facts: aMinifig() }], now);
    expect(await weeks(2)).toEqual([]);
  });
});
