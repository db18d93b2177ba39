/** The max buy price on the page of an item. */

import { describe, expect, test } from 'bun:test';
import { renderToString } from 'preact-render-to-string';
import { soldWell } from '../../../test/support/deals.ts';
import { defaultTerms } from '../../buying/boxes/quotes.ts';
import { usualSettings } from '../../buying/prices/buying-settings.ts';
import type { Resale } from '../../buying/prices/resale.ts';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { builtInPostage } from '../../market/fees/postage.ts';
import { assumedEffects } from '../../market/grades/grades.ts';
import { normalAbove } from '../../market/values/price.ts';
import { PayCard, payFor } from './item-pay.tsx';

const tables = { fees: builtInFees, postage: builtInPostage };
const box = { widthIn: 15, heightIn: 10, depthIn: 2.5, weightLbs: 2 };
const at = Date.UTC(2026, 5, 1);
const rate = { sales: 12, days: 365, priorSales: 2, priorDays: 180 };
const resale: Resale = {
  ...soldWell,
  tier: 'medium',
  price: { valueCents: 100_00, valueSpread: 0.06, saleSpread: 0.08, soldAbove: normalAbove },
  offsets: { fixed: 0, bricklink: -0.05 },
  rate: { ...rate, shares: { fixed: 1, bricklink: 1 } },
  listings: [
    { channel: 'fixed', observedAt: at, units: 0, lowestCents: null },
    { channel: 'bricklink', observedAt: at, units: 3, lowestCents: null },
  ],
  parcel: { box, pieces: 500 },
  fbaSellers: null,
};

function shown(query = '', sealed: Resale | null = resale) {
  const html = renderToString(PayCard({ pay: ask(query, sealed) }));
  return { html, text: html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ') };
}

const ask = (query: string, sealed: Resale | null = resale, settings = usualSettings) =>
  payFor(tables, {
    kind: 'set',
    number: '75192',
    item: { resale: { sealed, used: null } },
    settings,
    effects: assumedEffects,
    query: new URLSearchParams(query),
    at,
    today: '2026-11-15',
  });

test('a grade lowers prices by its effect, and belongs to one condition', () => {
  const most = (query: string) => ask(query).answer.maxBuyCents ?? 0;
  expect(most('grade=damaged_box')).toBeLessThan(most('') * 0.92);
  expect(most('grade=perfect')).toBe(most(''));
  // Of used units.
  expect(most('grade=incomplete')).toBe(most(''));
  expect(shown('grade=damaged_box').text).toContain('Damaged box: 90% of the value (assumed).');
});

describe('the max buy price', () => {
  test('is shown for 50, 80 and 90% chance, with best channel and time to sell', () => {
    const { text } = shown();
    const [half, most, nearly] = ask('').figures.map(({ answer }) => answer.maxBuyCents ?? 0);
    const usd = (cents = 0) => `$${(cents / 100).toFixed(2)}`;
    expect(half).toBeGreaterThan(most ?? 0);
    expect(text).toContain(
      `Max buy price at an 80% chance ${usd(most)} 25% margin or more after fees and shipping ` +
        'Best channel BrickLink $69.66 net Time to sell yours 4 months 3 others for sale ' +
        'Sales per month 0.8 In all channels: 12 sales in 365 days, and similar items ' +
        `50% chance: ${usd(half)} · 90% chance: ${usd(nearly)}`,
    );
  });

  test('has a row for every channel, with assumed prices marked', () => {
    const { text } = shown();
    // 100.00 × e^(−0.8416 × 0.1) = 91.93; × 1.075 × 13.6% + 0.40 = 13.84; 66.34 ÷ 1.25 = 53.07.
    expect(text).toContain('eBay $91.93 $13.84 $11.75 $66.34 $53.07 28 days No others for sale');
    // 75.70 × 3% = 2.27; (87.45 + tax 6.56) × 3.49% + 0.49 = 3.77; 69.66 ÷ 1.25 = 55.72.
    expect(text).toContain(
      'BrickLink Best $87.45 $6.04 $11.75 $69.66 $55.72 4 months 3 others for sale',
    );
    expect(text).toContain(
      'Local pickup Assumed price $91.93 $0.00 $0.00 $91.93 $73.54 3 months Competition assumed',
    );
    expect(text).toContain('Amazon FBA Assumed price');
  });

  test("names Amazon's fees that are not included, where its channels are compared", () => {
    const plan = "Amazon's selling plan is not included: $39.99 a month, or $0.99 per item sold.";
    const placement = "Amazon's inbound placement fee is not included";
    expect(shown().text.replaceAll('&#39;', "'")).toContain(`${plan} ${placement}`);
    const parcel = { box: { ...box, weightLbs: null }, pieces: 500 };
    const { text } = shown('', { ...resale, parcel });
    expect(text).toContain(plan);
    expect(text).not.toContain(placement);
  });

  test("has a note if Amazon's own offer caps prices there", () => {
    const offsets = { ...resale.offsets, amazon: 0.1 };
    const at = (amazonAskCents: number) => shown('', { ...resale, offsets, amazonAskCents }).text;
    const note = 'Amazon itself sells this set for $60.00 now, which caps the prices';
    expect(at(60_00)).toContain(note);
    expect(at(60_00)).toMatch(/Amazon \$60\.00 .*Amazon FBA \$60\.00/);
    expect(at(200_00)).not.toContain('Amazon itself');
  });

  test('shows every line of each sum', () => {
    const { text } = shown('tax=7.5&cashback=5&inbound=4');
    // 50.46 + 3.78 − 2.52 + 4.00 = 55.72, × 1.25 = 69.65; a cent more would cost 55.74.
    expect(text).toContain(
      'BrickLink Price (80% of sales are higher) $87.45 BrickLink fees -$2.27 ' +
        'Payment processing -$3.77 Shipping and packing -$11.75 Net $69.66 ' +
        'Margin (25% of cost) -$13.94 Inbound shipping -$4.00 Sales tax (7.5%) -$3.78 ' +
        'Cashback (5%) $2.52 Max buy price $50.46',
    );
  });

  test('uses the terms of the address, and opens their form', () => {
    const { html, text } = shown('share=60&margin=40');
    expect(text).toMatch(/at a 60% chance \$\d+\.\d\d 40% margin or more after fees/);
    expect(html).toContain('<details open><summary>Change terms');
    expect(shown().html).toContain('<details><summary>Change terms');
  });

  test("defaults to the account's settings and own fee rates", () => {
    const ownRates = [{ platform: 'ebay', basisPoints: 500, feeCents: 0 } as const];
    const pay = ask('share=60', resale, { ...usualSettings, marginBasisPoints: 4_000, ownRates });
    expect(pay.terms).toMatchObject({ share: 0.6, marginBasisPoints: 4_000 });
    // 5% of what the buyer pays.
    const ebay = pay.answer.quotes.find(({ channel }) => channel === 'ebay');
    expect(ebay?.sum.platformFeesCents).toBe(Math.round((ebay?.sum.priceCents ?? 0) * 0.05));
  });

  test('leaves out Amazon FBA, with the reason, if the box size is unknown', () => {
    const parcel = { box: { ...box, weightLbs: null }, pieces: 500 };
    const { text } = shown('', { ...resale, parcel });
    expect(text).toContain('Amazon FBA is missing: the package size is unknown.');
    expect(text).toContain('(estimated)');
  });
});

describe('without a max buy price, the reason is shown', () => {
  test('without a value', () => {
    for (const { text } of [shown('condition=used'), shown('', null)]) {
      expect(text.trim()).toBe('What to pay No max buy price. There is no value yet.');
    }
  });

  test('for a modeled value, which can be included', () => {
    const modeled: Resale = { ...resale, tier: 'modeled' };
    const { html, text } = shown('margin=30', modeled);
    expect(text).toContain('The value is mostly an estimate: sales are too few or too old.');
    expect(text).not.toContain('Max buy price at');
    expect(html).toContain('href="/sets/75192?margin=30&amp;modeled=1#pay"');
    const anyway = shown('margin=30&modeled=1', modeled).text;
    expect(anyway).toMatch(/at an 80% chance \$\d+\.\d\d Estimated from similar items/);
  });

  test('if no channel leaves the margin', () => {
    const cheap = { ...resale, price: { ...resale.price, valueCents: 2_00 } };
    const { text } = shown('', cheap);
    expect(text).toContain(
      'After fees and shipping, no channel with known prices leaves the margin.',
    );
    expect(text).toContain('The net does not cover your margin at any price.');
  });

  test('next to an invalid field', () => {
    const { text } = shown('share=99&margin=much&inbound=-1');
    expect(text).toContain('Enter 50 to 95.');
    expect(text).toContain('Enter a percentage, such as 8.25.');
    expect(text).toContain('Enter 0 or more.');
    expect(ask('share=99&margin=30').terms).toEqual(defaultTerms);
  });
});

test('without the Reseller plan, the card is one sentence', () => {
  const text = renderToString(PayCard({ pay: null })).replace(/<[^>]*>/g, '');
  expect(text).toBe('What to payMax buy prices by sales channel are part of the Reseller plan.');
});
