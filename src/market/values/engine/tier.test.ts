/** Tiers are gained at once, and lost after a week of grace. */
import { describe, expect, test } from 'bun:test';
import {
  noon,
  scattered,
  setOf,
  sold,
  soldEvery,
  unlearned,
} from '../../../../test/support/valuation.ts';
import { dayMs, hourMs } from '../../../kernel/time.ts';
import type { StoredSale } from '../../source-rows/source-rows.ts';
import { Fold } from './fold.ts';
import { ParameterTimeline } from './parameter-timeline.ts';
import { setSubject } from './subject.ts';
import { plainTier, type Support, supportFrom, TierTracker } from './tier.ts';

/** Support by sales with these ages in days, with a constant spread. */
function supportBy(daysAgo: readonly number[], spread: number): Support {
  const times = daysAgo.map((days) => noon - days * dayMs).sort((a, b) => a - b);
  const latest = (sales: number) => times.at(-sales) ?? Number.NEGATIVE_INFINITY;
  const since = { high: latest(10), medium: latest(3) };
  return { at: noon, since, hasSale: times.length > 0, spreadAt: () => spread };
}

const ten = Array.from({ length: 10 }, (_, i) => 9 * i);

describe('a tier without grace', () => {
  const tierOf = (daysAgo: readonly number[], spread: number) =>
    plainTier(supportBy(daysAgo, spread), noon);

  test('is high with ten sales in 90 days and a spread of at most 6%', () => {
    expect(tierOf(ten, 0.06)).toBe('high');
    expect(tierOf(ten, 0.0601)).toBe('medium');
    expect(tierOf(ten.slice(1), 0.06)).toBe('medium');
    expect(tierOf([...ten.slice(1), 89.9], 0.06)).toBe('high');
    expect(tierOf([...ten.slice(1), 90], 0.06)).toBe('medium');
  });

  test('is medium with three sales in 180 days and a spread of at most 12%', () => {
    expect(tierOf([1, 2, 179.9], 0.12)).toBe('medium');
    expect(tierOf([1, 2, 180], 0.12)).toBe('low');
    expect(tierOf([1, 2], 0.12)).toBe('low');
    expect(tierOf([1, 2, 3], 0.1201)).toBe('low');
  });

  test('is low with any sale ever and a spread of at most 35%, else modeled', () => {
    expect(tierOf([5000], 0.35)).toBe('low');
    expect(tierOf([5000], 0.3501)).toBe('modeled');
    expect(tierOf([], 0.01)).toBe('modeled');
    // Sales in the other condition alone.
    expect(plainTier({ ...supportBy([], 0.3), hasSale: true }, noon)).toBe('low');
  });

  test('falls with time', () => {
    const support = { ...supportBy(ten, 0), spreadAt: (at: number) => (at - noon) / (1e4 * dayMs) };
    const after = (days: number) => plainTier(support, noon + days * dayMs);
    expect([8, 10, 161, 163, 3499, 3501].map(after)).toEqual([
      'high',
      'medium',
      'medium',
      'low',
      'low',
      'modeled',
    ]);
  });
});

test('support knows whether anything was sold in any condition', () => {
  const hasSale = (sales: readonly StoredSale[]) =>
    supportFrom(new Fold(setSubject(setOf(sales)), new ParameterTimeline([])).runTo(noon), 'sealed')
      .hasSale;
  expect(hasSale([])).toBe(false);
  expect(hasSale([sold()])).toBe(true);
  expect(hasSale([sold({ condition: 'used' })])).toBe(true);
});

describe('sales by one account at the usual price', () => {
  const twelve = scattered(200, 12);
  const tierOf = (sales: readonly StoredSale[]) =>
    unlearned.prepareSet(setOf(sales)).valueAt(noon).tier;

  test('are not the support of a high tier, as those by many are', () => {
    const byMany = soldEvery(5, twelve).map((sale, index) => ({ ...sale, seller: `${index}` }));
    expect(tierOf(byMany)).toBe('high');
    expect(tierOf(soldEvery(5, twelve, { seller: 'one' }))).toBe('medium');
    expect(tierOf(soldEvery(5, twelve.slice(0, 10), { seller: 'one' }))).toBe('low');
  });

  test('are if a source names no sellers and nothing is known of its pace', () => {
    expect(tierOf(soldEvery(5, twelve, { seller: null }))).toBe('high');
  });
});

describe('a tracker', () => {
  test('covers the week before an instant', () => {
    expect(new TierTracker(noon).from).toBe(noon - 7 * dayMs);
  });

  test('keeps the best tier, and drops it a week later', () => {
    const watch = new TierTracker(noon);
    watch.record(supportBy([1, 2], 0.1), noon - 7 * dayMs);
    watch.record(supportBy(ten, 0.05), noon - 6 * dayMs);
    watch.record(supportBy(ten, 0.05), noon - 5 * dayMs);
    watch.record(supportBy(ten, 0.2), noon - 4 * dayMs);
    const { tier, changesAt } = watch.result(0.05);
    expect(tier).toBe('high');
    // It applied until the row four days ago.
    expect(changesAt).toBe(noon + 3 * dayMs + hourMs);
  });

  test('gives no grace to a value that has just become uncertain', () => {
    const watch = new TierTracker(noon);
    watch.record(supportBy(ten, 0.05), noon - 6 * dayMs);
    const tierAt = (spread: number) => watch.result(spread).tier;
    expect([0.09, 0.091, 0.12].map(tierAt)).toEqual(['high', 'medium', 'medium']);
    expect([0.1201, 0.35, 0.3501].map(tierAt)).toEqual(['low', 'low', 'modeled']);
  });

  test('applies a better tier at once', () => {
    const watch = new TierTracker(noon);
    watch.record(supportBy([], 0.5), noon - 7 * dayMs);
    watch.record(supportBy(ten, 0.05), noon);
    expect(watch.result(0.05).tier).toBe('high');
  });

  test('reports no change if there is none', () => {
    const seen = (support: Support) => {
      const watch = new TierTracker(noon);
      watch.record(support, noon);
      return watch.result(support.spreadAt(noon));
    };
    expect(seen(supportBy([], 0.5))).toEqual({ tier: 'modeled', changesAt: null });
    expect(seen(supportBy([400], 0.3))).toEqual({ tier: 'low', changesAt: null });
  });
});

describe('the tier of a set', () => {
  const open = unlearned.prepareSet(setOf(soldEvery(5, scattered(200, 14))));
  const tierAfter = (days: number) => open.valueAt(noon + days * dayMs).tier;

  // The tenth-last sale was 45 days ago, and counts for at most 45 days more; the spread of the
  // value exceeds 6% before that.
  const { changesAt } = open.valueAt(noon);
  const lostAfter = ((changesAt ?? Number.NaN) - noon) / dayMs;

  test('is lost at the predicted time, within an hour and a half', () => {
    expect(lostAfter).toBeWithin(7, 52);
    expect(tierAfter(lostAfter - 1.5 / 24)).toBe('high');
    expect(tierAfter(lostAfter)).toBe('medium');
    for (let day = 0; day < lostAfter; day++) expect(tierAfter(day)).toBe('high');
  });

  test('has the same predicted loss while it is held', () => {
    for (let day = 0; day < lostAfter - 8; day++) {
      const again = open.valueAt(noon + day * dayMs).changesAt ?? 0;
      expect(Number.isInteger(again)).toBe(true);
      expect(Math.abs(again - (changesAt ?? 0))).toBeLessThanOrEqual(hourMs);
    }
  });

  test('is lost step by step, each at its predicted time', () => {
    const tiers: string[] = [];
    for (let at: number | null = noon; at !== null; at = open.valueAt(at).changesAt) {
      const { tier } = open.valueAt(at);
      if (tier !== tiers.at(-1)) tiers.push(tier);
      if (tiers.length > 4) break;
    }
    expect(tiers).toEqual(['high', 'medium', 'low']);
  });
});
