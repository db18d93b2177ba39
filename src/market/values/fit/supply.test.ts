/** Months of supply are medians over items, by kind, condition and channel. */
import { describe, expect, test } from 'bun:test';
import { dayMs } from '../../../kernel/time.ts';
import { SupplyCounts, suppliedItemsMin } from './supply.ts';

const at = Date.UTC(2026, 5, 1);
const sealed = { kind: 'set', condition: 'sealed' } as const;

/** Two sales a month, half of them at a fixed price. */
const rate = {
  sales: 23,
  days: 365.25,
  priorSales: 1,
  priorDays: 0,
  shares: { fixed: 0.5, bricklink: 0.25 },
};

const listed = (channel: 'fixed' | 'bricklink' | 'amazon', units: number, daysAgo = 1) => ({
  channel,
  observedAt: at - daysAgo * dayMs,
  units,
  lowestCents: null,
});

const counted = (units: readonly number[], daysAgo = 1) => {
  const counts = new SupplyCounts(at);
  for (const each of units) counts.add(sealed, [listed('fixed', each, daysAgo)], rate);
  return counts;
};

const few = Array.from({ length: suppliedItemsMin }, (_, index) => index);

describe('months of supply', () => {
  test('are the median of units for sale over sales a month in the channel', () => {
    const counts = counted([...few, 1_000]);
    for (const each of few) counts.add(sealed, [listed('bricklink', 2 * each)], rate);
    const learned = { fixed: suppliedItemsMin / 2, bricklink: 58 };
    expect(counts.table()).toEqual({
      set: { sealed: learned, used: {} },
      minifig: { sealed: {}, used: {} },
    });
  });

  test('are not learned from few items, old counts, or channels without sales', () => {
    expect(counted(few.slice(1)).table()).toBeNull();
    expect(counted(few, 181).table()).toBeNull();
    expect(counted(few, 179).table()).not.toBeNull();
    const counts = new SupplyCounts(at);
    for (const each of few) counts.add(sealed, [listed('amazon', each)], rate);
    expect(counts.table()).toBeNull();
  });
});
