/** Channel offsets from pairs of consecutive sales. */
import { describe, expect, test } from 'bun:test';
import { noon, setOf, sold } from '../../../../test/support/valuation.ts';
import { dayMs, monthOf } from '../../../kernel/time.ts';
import type { Channel, StoredSale } from '../../source-rows/source-rows.ts';
import { evenOffsets } from '../engine/parameters.ts';
import { setSubject } from '../engine/subject.ts';
import { ChannelPairs } from './channel-pairs.ts';

const month = monthOf(noon) + 1;

/** Daily sales until today, alternating between a fixed price and another channel. */
function inTurns(
  count: number,
  {
    channel = 'auction',
    offset = -0.1,
    perDay = 0,
  }: {
    readonly channel?: Channel | null;
    readonly offset?: number;
    readonly perDay?: number;
  } = {},
): StoredSale[] {
  return Array.from({ length: count }, (_, i) =>
    sold({
      soldAt: noon - (count - 1 - i) * dayMs,
      channel: i % 2 ? channel : 'fixed',
      priceCents: Math.round(100_000 * Math.exp(perDay * i + (i % 2 ? offset : 0))),
    }),
  );
}

/** Each sale by another seller. */
function addAll(pairs: ChannelPairs, sales: readonly StoredSale[]): void {
  pairs.add(setSubject(setOf(sales)), new Float64Array(sales.length).fill(1));
}

function offsetsOf(sales: readonly StoredSale[], of = month) {
  const pairs = new ChannelPairs();
  addAll(pairs, sales);
  return pairs.offsets('set', of);
}

describe('an offset', () => {
  test('is shrunk by thirty pairs', () => {
    // 61 sales are 60 pairs.
    expect(offsetsOf(inTurns(61)).auction).toBeCloseTo((-0.1 * 60) / 90, 3);
    expect(offsetsOf(inTurns(2)).auction).toBeCloseTo(-0.1 / 31, 3);
    expect(offsetsOf([])).toEqual(evenOffsets);
  });

  test('is per channel, and 0 for the reference', () => {
    const sales = inTurns(301, { channel: 'amazon', offset: 0.2 });
    expect(offsetsOf(sales)).toEqual({ ...evenOffsets, amazon: expect.closeTo(0.2 / 1.1, 2) });
    expect(offsetsOf(inTurns(301, { channel: null })).unknown).toBeWithin(-0.1, -0.08);
  });

  test('is not biased by trends', () => {
    const steady = offsetsOf(inTurns(301)).auction;
    expect(offsetsOf(inTurns(301, { perDay: 0.002 })).auction).toBeCloseTo(steady, 2);
  });

  test('is at most 0.3 in size', () => {
    expect(offsetsOf(inTurns(301, { offset: -0.9 })).auction).toBe(-0.3);
    expect(offsetsOf(inTurns(301, { offset: 0.9 })).auction).toBe(0.3);
  });

  test('is learned from the year before a month', () => {
    const sales = inTurns(2, { offset: -0.2 });
    const learned = (of: number) => offsetsOf(sales, of).auction !== 0;
    expect([-1, 0, 11, 12].map((by) => learned(month + by))).toEqual([false, true, true, false]);
  });

  test('has the number of its pairs', () => {
    const pairs = new ChannelPairs();
    addAll(pairs, inTurns(61));
    expect(pairs.counts('set', month)).toEqual({ auction: 60 });
    expect(pairs.counts('minifig', month)).toEqual({});
    expect(pairs.counts('set', month - 3)).toEqual({});
  });

  test('weighs a pair by the effective sales that the lesser of its sales is', () => {
    const pairs = new ChannelPairs();
    const shares = Float64Array.from({ length: 61 }, (_, index) => (index % 2 ? 0.25 : 1));
    pairs.add(setSubject(setOf(inTurns(61))), shares);
    expect(pairs.counts('set', month)).toEqual({ auction: 15 });
    expect(pairs.offsets('set', month).auction).toBeCloseTo((-0.1 * 15) / 45, 3);
  });

  test('is of one kind of item', () => {
    const pairs = new ChannelPairs();
    addAll(pairs, inTurns(61));
    expect(pairs.offsets('minifig', month)).toEqual(evenOffsets);
  });
});

describe('a pair', () => {
  const first = sold({ soldAt: noon - 45 * dayMs });
  const second = sold({ channel: 'auction', priceCents: 80_00 });
  const isPair = (...sales: StoredSale[]) => offsetsOf(sales).auction !== 0;

  test('is at most 45 days apart', () => {
    expect(isPair(first, second)).toBe(true);
    expect(isPair({ ...first, soldAt: first.soldAt - 1 }, second)).toBe(false);
  });

  test('is of one condition', () => {
    expect(isPair(first, { ...second, condition: 'used' })).toBe(false);
    const between = sold({ soldAt: noon - dayMs, condition: 'used' });
    expect(isPair(first, between, second)).toBe(true);
  });

  test('consists of consecutive sales', () => {
    const between = sold({ soldAt: noon - dayMs, channel: 'amazon' });
    expect(isPair(first, between, second)).toBe(false);
  });

  test('excludes rejected and retracted sales', () => {
    expect(isPair({ ...first, retractedAt: noon }, second)).toBe(false);
    expect(isPair({ ...first, completeness: 'incomplete' }, second)).toBe(false);
  });
});
