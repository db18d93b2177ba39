/** The value on the page of an item. */
import { expect, test } from 'bun:test';
import { renderToString } from 'preact-render-to-string';
import { someEvidence } from '../../../test/support/builders.ts';
import { textOf } from '../../../test/support/page-text.ts';
import type { SetRecord } from '../../contract/set.ts';
import { setExample } from '../../contract/set.ts';
import type { ConditionEvidence, Evidence } from '../../market/evidence/evidence.ts';
import type { PageRequest } from '../page.ts';
import { ValueBlock } from './item-value.tsx';
import { conditionOf, setWorth } from './item-worth.ts';

const valued: ConditionEvidence = {
  valueCents: 109_75,
  lowCents: 90_00,
  highCents: 130_00,
  valueSpread: 0.05,
  saleSpread: 0.1,
  firstSale: '2026-01',
  latestSale: '2026-11',
  sales: { days30: 1, days90: 2, days180: 3, days365: 4, ever: 5 },
};
const unsold = { ...valued, sales: { days30: 0, days90: 0, days180: 0, days365: 0, ever: 0 } };

function shown(query: string, evidence: Partial<Evidence>, set: Partial<SetRecord> = {}): string {
  const request = { path: '/sets/10482', query: new URLSearchParams(query) } as PageRequest;
  const all: Evidence = someEvidence({ tier: 'high', ...evidence });
  const worth = setWorth({ ...setExample, ...set }, conditionOf('set', request.query), all);
  const found = { id: 1, number: '10482', name: '', evidence: all, isStale: false };
  const html = renderToString(
    ValueBlock({
      request,
      worth,
      found,
      figures: [],
      marks: [{ cents: 119_99, name: 'List price' }],
    }),
  );
  return textOf(html);
}

test('a value has its range, marks, sales and confidence', () => {
  const text = shown('', { sealed: valued });
  expect(text).toContain('Market value Sealed Used $168.40 High confidence $148.20 $191.35');
  expect(text).toContain('List price $119.99');
  expect(text).toContain('3 sales in 180 days · high confidence');
  expect(text).not.toContain('Estimated');
});

test('a used value has its own range', () => {
  expect(shown('condition=used', { used: valued })).toContain(
    '$109.75 High confidence $90.00 $130.00',
  );
});

test('a value without sales is marked as estimated, with the reason', () => {
  const text = shown('condition=used', { sealed: valued, used: unsold });
  expect(text).toContain('$109.75 Estimated Estimated $90.00');
  expect(text).toContain('No sales recorded · estimated from similar sets');
  expect(shown('', { sealed: valued, tier: 'modeled' })).toContain(
    '3 sales in 180 days · estimated from similar sets',
  );
});

test('a missing value has a reason and no amount', () => {
  const outcomes = [{ condition: 'sealed', outcome: 'accepted', reason: null, count: 1 }] as const;
  const text = shown('', { outcomes }, { new_value_usd: null, value_range: null });
  expect(text).toContain('No value yet Too few sales for a reliable value.');
  expect(text).not.toContain('$');
});
