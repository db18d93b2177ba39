/** Publishing an item: its documents, when it is due, and invalid documents. */
import { describe, expect, test } from 'bun:test';
import { anOffer } from '../../test/support/builders.ts';
import { minifigInputs, notLooked, setInputs, storedSale } from '../../test/support/item-inputs.ts';
import { plainEstimator } from '../../test/support/plain-engine.ts';
import { publishSettings } from '../../test/support/publish-settings.ts';
import type { SetFacts } from '../catalog/items/catalog.ts';
import { dayMs, hourMs, monthOf, nextMonthCut, nextMonthStart } from '../kernel/time.ts';
import { feeSchedules } from '../market/fees/fba-fees.ts';
import type { ItemInputs } from '../market/published/publishing.ts';
import { foldOffers } from '../market/retail/retail-state.ts';
import type { Offer, StoredSale } from '../market/source-rows/source-rows.ts';
import { publishItem } from './item.ts';

const at = Date.UTC(2026, 10, 15, 12);
const history = { sealedAt: null, restatements: [] };

const soldAgo = (days: number, given: Partial<StoredSale> = {}): StoredSale =>
  storedSale({ soldAt: at - days * dayMs, ingestedAt: at - dayMs, ...given });

const publish = (inputs: ItemInputs, moment = at) =>
  publishItem(inputs, { estimator: plainEstimator, ...publishSettings }, { at: moment, history });

const observed = (...offers: readonly Partial<Offer>[]) => ({
  ...notLooked,
  offers: offers.map((offer) => anOffer({ observedAt: at - dayMs, ...offer })),
});

describe('an item is due', () => {
  test('when the next month begins, or one becomes final', () => {
    expect(publish(setInputs()).dueAt).toBe(Date.UTC(2026, 11, 1));
    // The second of a month: the month before is not final yet.
    const second = Date.UTC(2026, 10, 2);
    expect(nextMonthCut(second)).toBeLessThan(nextMonthStart(second));
    expect(publish(setInputs(), second).dueAt).toBe(nextMonthCut(second));
  });

  test('after a week if it has a value in either condition', () => {
    const due = (condition: 'sealed' | 'used') =>
      publish(setInputs({}, { sales: [soldAgo(300, { condition })] })).dueAt;
    expect([due('sealed'), due('used')]).toEqual([at + 7 * dayMs, at + 7 * dayMs]);
  });

  test('when its status changes', () => {
    expect(publish(setInputs({ releaseDate: '2026-11-18' })).dueAt).toBe(Date.UTC(2026, 10, 18));
    const retiring = { releaseDate: '2020-01-01', retireDate: '2026-11-19' };
    expect(publish(setInputs(retiring)).dueAt).toBe(Date.UTC(2026, 10, 20));
  });

  test('never at or before the time of publication', () => {
    const released = setInputs({ releaseDate: '2026-11-15' });
    expect(publish(released, Date.UTC(2026, 10, 15)).dueAt).toBe(Date.UTC(2026, 11, 1));
  });

  test('when an offer dated in the future becomes current', () => {
    const retail = { retailer_a: notLooked, retailer_b: { ...notLooked, nextAt: at + 5 } };
    expect(publish(setInputs({}, { retail })).dueAt).toBe(at + 5);
  });

  test('when a change of seller is confirmed', () => {
    const flip = observed(
      { sellerType: 'retailer' },
      { sellerType: 'third_party', observedAt: at },
    );
    const retail = { retailer_a: flip, retailer_b: notLooked };
    expect(publish(setInputs({}, { retail })).dueAt).toBe(at + 6 * hourMs);
  });

  test('when fees change, if a retailer has it', () => {
    const changesAt = feeSchedules.at(-1)?.effectiveFrom ?? 0;
    const moment = changesAt - dayMs;
    const offer = observed({ observedAt: moment - dayMs });
    const retail = { retailer_a: offer, retailer_b: notLooked };
    const others = Math.min(nextMonthCut(moment), nextMonthStart(moment));
    expect(changesAt).toBeLessThan(others);
    expect(publish(setInputs({}, { retail }), moment).dueAt).toBe(changesAt);
    expect(publish(setInputs(), moment).dueAt).toBe(others);
  });
});

describe('at the retailers', () => {
  test('a set without observations has no row', () => {
    expect(publish(setInputs()).retail).toBeNull();
  });

  test('only changed states are saved', () => {
    const kept = foldOffers(null, [anOffer({ retailer: 'retailer_b' })]);
    const retail = { retailer_a: observed({}), retailer_b: { ...notLooked, kept } };
    const row = publish(setInputs({}, { retail })).retail;
    expect(row?.newStates.map(({ retailer }) => retailer)).toEqual(['retailer_a']);
  });

  test('a row has its keys, its last change, and the lowest price of each month', () => {
    const offers = observed(
      { priceCents: 90_00, observedAt: Date.UTC(2026, 8, 20), asin: 'b0test' },
      { priceCents: 80_00, observedAt: Date.UTC(2026, 8, 21) },
    );
    const retail = { retailer_a: offers, retailer_b: notLooked };
    const codes = { upc: '673419000017', ean: '5702010000012' };
    const row = publish(setInputs(codes, { retail })).retail;
    expect(row).toMatchObject({
      asinKey: 'B0TEST',
      upcKey: '0673419000017',
      eanKey: '5702010000012',
      changedAt: Date.UTC(2026, 8, 21),
    });
    const month = monthOf(at);
    expect(row?.months).toEqual({
      retailer_a: [
        [month - 2, 80_00],
        [month - 1, 80_00],
        [month, 80_00],
      ],
      retailer_b: [],
    });
  });
});

test('months start with the release only if its day is known', () => {
  const firstMonth = (facts: Partial<SetFacts>) =>
    publish(setInputs(facts)).series.sealed?.firstMonth ?? null;
  expect(firstMonth({ releaseDate: '2026-03-01' })).toBe(monthOf(Date.UTC(2026, 2, 1)));
  expect(firstMonth({ year: 2026 })).toBeNull();
});

test('a retirement is in its month once it has happened', () => {
  const retired = { releaseDate: '2020-01-01', retireDate: '2026-08-31' };
  const inputs = setInputs(retired, { sales: [soldAgo(300)] });
  const events = publish(inputs).series.sealed?.points.map(({ event }) => event);
  expect(events?.filter((event) => event !== null)).toEqual(['released', 'retired']);
});

test('a retirement contradicted by a later offer is published half a year after that offer', () => {
  const early = { releaseDate: '2025-01-01', retireDate: '2025-06-30' };
  const offeredAt = at - 180 * dayMs;
  const offer = observed({ sellerType: 'retailer', inStock: true, observedAt: offeredAt });
  const retail = { retailer_a: offer, retailer_b: notLooked };
  const eventsAt = (moment: number) =>
    publish(setInputs(early, { sales: [soldAgo(300)], retail }), moment)
      .series.sealed?.points.map(({ event }) => event)
      .filter((event) => event !== null);
  expect(eventsAt(at - 1)).toEqual(['released']);
  expect(eventsAt(at)).toEqual(['released', 'retired']);
});

test('a set has its values and keys, and its documents', () => {
  const sales = [soldAgo(20), soldAgo(10, { condition: 'used', priceCents: 60_00 })];
  const item = publish(setInputs({ upc: '673419000017', minifigsCount: 2 }, { sales }));
  expect(item).toMatchObject({
    id: 7,
    version: 3,
    at,
    name: 'Castle',
    theme: 'Castles',
    itemClass: 'set',
    minifigsCount: 2,
    upcKey: '0673419000017',
    eanKey: null,
    newCents: 100_00,
    usedCents: 60_00,
    scores: [],
  });
});

test('a minifig has a used value', () => {
  const sold = soldAgo(20, { condition: 'used', priceCents: 9_00 });
  const minifig = minifigInputs({ sales: [sold] });
  expect(publish(minifig)).toMatchObject({
    name: 'Knight',
    theme: null,
    newCents: null,
    usedCents: 9_00,
    retail: null,
    deals: [],
    dueAt: at + 7 * dayMs,
  });
});

test('a document that violates the contract is rejected, with the location', () => {
  const inputs = { ...setInputs(), related: [1 as unknown as string] };
  expect(() => publish(inputs)).toThrow(/breaks the contract at '\/minifigs/);
});
