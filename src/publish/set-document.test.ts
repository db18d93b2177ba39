/** The record and the search result of a set. */
import { expect, test } from 'bun:test';
import { anOffer, aSet, someEvidence } from '../../test/support/builders.ts';
import { publishSettings } from '../../test/support/publish-settings.ts';
import type { SetFacts } from '../catalog/items/catalog.ts';
import { lifetimeOf } from '../catalog/items/status.ts';
import { dayMs } from '../kernel/time.ts';
import type { ItemInputs } from '../market/published/publishing.ts';
import { foldOffers } from '../market/retail/retail-state.ts';
import { setDocument, setSearchResult } from './set-document.ts';

const at = Date.UTC(2026, 10, 9);
const noValues = { sealed: null, used: null, tier: 'modeled', changesAt: null } as const;
const valuation = { ...noValues, evidence: someEvidence() };
const noRetail = { retailer_a: null, retailer_b: null };

function documentOf(
  facts: Partial<SetFacts>,
  given: Partial<Omit<Parameters<typeof setDocument>[1], 'facts'>> = {},
) {
  const inputs = { number: '75192', related: ['a', 'b'] } as unknown as ItemInputs;
  const all = aSet(facts);
  const lifetime = lifetimeOf(all, null);
  const { retailerNames: names } = publishSettings;
  const details = { facts: all, lifetime, valuation, retail: noRetail, names, at, ...given };
  return setDocument(inputs, details);
}

test('unknown values are null, and minifigs are counted if their number is not given', () => {
  expect(documentOf({})).toEqual({
    set_number: '75192',
    title: 'Castle',
    theme: 'Castles',
    subtheme: null,
    pieces: null,
    minifigs_count: 2,
    minifigs: ['a', 'b'],
    barcodes: { upc: null, ean: null },
    msrp_usd: null,
    release_date: null,
    retire_date: null,
    status_id: 2,
    data_tier: 'modeled',
    image_url: null,
    new_value_usd: null,
    used_value_usd: null,
    value_range: null,
    retailers: [],
    box: { width_in: null, height_in: null, depth_in: null, weight_lbs: null },
  });
  expect(documentOf({ minifigsCount: 5 }).minifigs_count).toBe(5);
});

test('values are in dollars, and the range is the sealed one', () => {
  const sealed = { valueCents: 100_00, lowCents: 90_50, highCents: 110_00 };
  const used = { valueCents: 60_25, lowCents: 50_00, highCents: 70_00 };
  expect(documentOf({}, { valuation: { ...valuation, sealed, used } })).toMatchObject({
    new_value_usd: 100,
    used_value_usd: 60.25,
    value_range: { low: 90.5, high: 110, calculated_at: '2026-11-09T00:00:00.000Z' },
  });
  const box = { widthIn: 1, heightIn: 2, depthIn: 3, weightLbs: 4 };
  expect(documentOf({ box, msrpCents: 99_99 })).toMatchObject({
    box: { width_in: 1, height_in: 2, depth_in: 3, weight_lbs: 4 },
    msrp_usd: 99.99,
  });
});

test('a set has a retirement date once it has retired, and not before', () => {
  const dates = { releaseDate: '2020-01-01', retireDate: '2026-11-08' };
  const of = (moment: number) => documentOf(dates, { at: moment });
  expect(of(at - 1)).toMatchObject({ status_id: 3, retire_date: null });
  expect(of(at)).toMatchObject({ status_id: 4, retire_date: '2026-11-08' });
});

test('each retailer that had a price has a summary with its name', () => {
  const offer = anOffer({ listPriceCents: 150_00, observedAt: at - dayMs, inStock: true });
  const retail = { ...noRetail, retailer_a: foldOffers(null, [offer]) };
  expect(documentOf({}, { retail }).retailers).toEqual([
    {
      retailer: 'retailer_a',
      retailer_name: 'Retailer A',
      current_price: 120,
      list_price: 150,
      discount_percent: 20,
      in_stock: true,
      is_first_party: false,
      product_url: null,
      last_checked_at: '2026-11-08T00:00:00.000Z',
    },
  ]);
});

test.each([
  [{ year: 2020, releaseDate: '2021-05-01' }, 2020],
  [{ releaseDate: '2021-05-01' }, 2021],
  [{}, null],
])('the search result of %j has the year %p', (given, year) => {
  const facts = aSet(given);
  const lifetime = lifetimeOf(facts, null);
  expect(setSearchResult('75192', { facts, lifetime, at }).year).toBe(year);
});

test('the search result shows whether a set has retired', () => {
  const facts = aSet({ retireDate: '2026-11-08' });
  const lifetime = lifetimeOf(facts, null);
  const isRetired = (moment: number) =>
    setSearchResult('75192', { facts, lifetime, at: moment }).retired;
  expect([isRetired(at - 1), isRetired(at)]).toEqual([false, true]);
});
