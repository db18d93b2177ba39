/** Outliers change nothing until confirmed; ordinary sales are followed. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  anySale,
  anySet,
  inOrder,
  newDollars,
  noon,
  restingFacts,
  scattered,
  setOf,
  sold,
  soldEvery,
  unlearned,
  valuationOf,
} from '../../../../test/support/valuation.ts';
import { dayMs, weekStart } from '../../../kernel/time.ts';
import type { Condition, StoredSale } from '../../source-rows/source-rows.ts';
import { Fold, type TestedSale } from './fold.ts';
import { ParameterTimeline } from './parameter-timeline.ts';
import { setSubject } from './subject.ts';
import { valuesOf } from './values.ts';

/** Thirty sales until 25 days ago, new ones around 200 dollars and used ones around 110. */
const established = [
  ...soldEvery(5, scattered(200, 30), { until: noon - 25 * dayMs }),
  ...soldEvery(5, scattered(110, 30), { until: noon - 26 * dayMs, condition: 'used' }),
];

/** Number of rows with an outcome and reason. */
function countOf(sales: readonly StoredSale[], outcome: string, reason: string | null): number {
  const { outcomes } = valuationOf(sales).evidence;
  const counts = outcomes.filter((of) => of.outcome === outcome && of.reason === reason);
  return counts.reduce((sum, { count }) => sum + count, 0);
}

const after = (sales: readonly StoredSale[]) => newDollars([...established, ...sales]);

describe('an established value', () => {
  const usual: Record<Condition, number> = { sealed: 200_00, used: 110_00 };

  test('has tier high, near the prices', () => {
    expect(valuationOf(established)).toMatchObject({ tier: 'high' });
    expect(after([])).toBeWithin(194, 206);
  });

  for (const condition of ['sealed', 'used'] as const) {
    for (const factor of [0.3, 3]) {
      test(`does not change with a ${condition} sale at ${factor} times the price`, () => {
        const odd = sold({ condition, priceCents: usual[condition] * factor });
        const { sealed, used } = valuationOf([...established, odd]);
        expect({ sealed, used }).toEqual({
          sealed: valuationOf(established).sealed,
          used: valuationOf(established).used,
        });
        expect(countOf([...established, odd], 'quarantined', 'does_not_fit')).toBe(1);
      });
    }
  }

  test('changes by less than 3% with any single sale', () => {
    for (let factor = 0.1; factor < 4; factor += 0.05) {
      const moved = after([sold({ priceCents: Math.round(200_00 * factor) })]) / after([]);
      expect(moved).toBeWithin(0.97, 1.03);
    }
  });

  test('follows 60% of a step after five sales, and 85% after twelve', () => {
    const followed = (count: number) => {
      const until = noon + count * 5 * dayMs;
      const sales = [...established, ...soldEvery(5, scattered(140, count), { until })];
      const without = newDollars(established, until);
      return Math.log(newDollars(sales, until) / without) / Math.log(140 / 200);
    };
    expect(followed(5)).toBeWithin(0.6, 1.1);
    expect(followed(12)).toBeWithin(0.85, 1.15);
  });
});

describe('sales at half the price', () => {
  const half = (count: number, facts: Partial<StoredSale> = {}) =>
    soldEvery(11, Array<number>(count).fill(100), facts);

  test('change nothing if there are two, and shift the level if there are three', () => {
    expect(after(half(2))).toBe(after([]));
    expect(after(half(3))).toBeWithin(98, 112);
    expect(valuationOf([...established, ...half(3)]).evidence.moves.at(-1)).toEqual({
      month: '2026-11',
      why: 'level',
    });
    expect(countOf([...established, ...half(3)], 'down_weighted', 'new_level')).toBe(3);
    expect(countOf([...established, ...half(3)], 'quarantined', 'does_not_fit')).toBe(0);
  });

  test('in a burst are doubted, and change only the range and the tier', () => {
    const burst = soldEvery(1, [98, 100, 103]);
    const { sealed, tier, evidence } = valuationOf([...established, ...burst]);
    const before = valuationOf(established);
    expect(sealed?.valueCents).toBe(before.sealed?.valueCents ?? 0);
    expect(sealed?.highCents).toBe(before.sealed?.highCents ?? 0);
    expect(sealed?.lowCents).toBeWithin(70_00, 95_00);
    expect([before.tier, tier]).toEqual(['high', 'low']);
    expect(evidence.sealed?.doubt).toEqual({
      valueCents: 100_00,
      sales: 3,
      sellers: 3,
      since: '2026-11-07',
      expectedSales: 0.4,
    });
    expect(evidence.used?.doubt).toBeNull();
  });

  test('are doubted for thirty days, or until sales at the old price', () => {
    const burst = soldEvery(1, [98, 100, 103]);
    const doubtAt = (at: number, ...more: StoredSale[]) =>
      unlearned.prepareSet(setOf(inOrder([...established, ...burst, ...more]))).valueAt(at);
    const end = noon + 30 * dayMs;
    expect(doubtAt(end - 1).evidence.sealed?.doubt).not.toBeNull();
    expect(doubtAt(end - 1).changesAt).toBe(end);
    expect(doubtAt(end).evidence.sealed?.doubt).toBeNull();
    const usual = sold({ priceCents: 200_00, soldAt: noon + dayMs });
    expect(doubtAt(noon + dayMs, usual).evidence.sealed?.doubt).toBeNull();
  });

  test('of one seller are no level shift', () => {
    const { moves } = valuationOf([...established, ...half(3, { seller: 'a' })]).evidence;
    expect(moves.map(({ why }) => why)).not.toContain('level');
    expect(after(half(3, { seller: 'a' })) / after([])).toBeWithin(0.99, 1.001);
  });

  test('change nothing while others confirm the old price', () => {
    const usual = sold({ priceCents: 200_00, soldAt: noon - dayMs });
    expect(after([...half(3), usual])).toBeWithin(after([]) * 0.98, after([]) * 1.02);
  });

  test('shift the level in the month of the third', () => {
    const open = unlearned.prepareSet(setOf([...established, ...half(3)]));
    const questions = [2026 * 12 + 9, 2026 * 12 + 10, 2026 * 12 + 11].map((month) => ({
      month,
      knownBefore: null,
    }));
    const shifts = (condition: Condition) =>
      open.months(condition, questions).map(({ hasShifted }) => hasShifted);
    expect(shifts('sealed')).toEqual([false, true, false]);
    expect(shifts('used')).toEqual([false, false, false]);
  });
});

describe('a row', () => {
  test('that was retracted has no effect', () => {
    const gone = sold({ priceCents: 150_00, retractedAt: noon + 1 });
    const { sealed, used } = valuationOf([...established, gone]);
    expect(sealed).toEqual(valuationOf(established).sealed);
    expect(used).toEqual(valuationOf(established).used);
    expect(countOf([...established, gone], 'rejected', 'retracted')).toBe(1);
    expect(after([{ ...gone, retractedAt: null }])).not.toBe(after([]));
  });

  test('reported by two sources counts once', () => {
    const one = sold({ priceCents: 160_00, seller: 'a', source: 'one' });
    const two = { ...one, source: 'two' };
    expect(after([one, two])).toBe(after([one]));
    expect(countOf([...established, one, two], 'rejected', 'duplicate')).toBe(1);
  });

  test('with an absurd price is quarantined until others confirm it', () => {
    const prices = (count: number) => soldEvery(9, Array<number>(count).fill(9000));
    expect(countOf(prices(2), 'quarantined', 'does_not_fit')).toBe(2);
    // The range would cover both prices.
    expect(valuationOf(prices(2)).sealed).toBeNull();
    expect(newDollars(prices(3))).toBeWithin(6000, 9500);
    expect(newDollars(prices(12))).toBeWithin(8500, 9500);
  });

  test('of a seller who floods the market has far less weight', () => {
    const flood = (seller: (index: number) => string) =>
      Array.from({ length: 10 }, (_, index) =>
        sold({ priceCents: 160_00, soldAt: noon - index * 12 * 3_600_000, seller: seller(index) }),
      );
    const fall = (sales: StoredSale[]) => Math.log(after([]) / after(sales));
    const [byOne, byTen] = [fall(flood(() => 'a')), fall(flood(String))];
    expect(byTen).toBeGreaterThan(0.08);
    expect(byOne).toBeLessThan(byTen * 0.3);
    const again = [...established, ...flood(() => 'a')];
    expect(countOf(again, 'down_weighted', 'same_seller_again')).toBe(9);
  });

  test('is tested against the value before it', () => {
    const tested: number[] = [];
    const supports: number[] = [];
    const subject = setSubject(setOf([...established, sold({ priceCents: 240_00 })]));
    const onSale = ({ error, support }: TestedSale) => {
      tested.push(error);
      supports.push(support);
    };
    const fold = new Fold(subject, new ParameterTimeline([]), { knownBefore: null, onSale });
    fold.runTo(noon - 1);
    const { log = 0, variance = 0 } = fold.estimate('sealed') ?? {};
    const spread = Math.sqrt(variance + fold.tracks.sealed.variance);
    fold.runTo(noon);
    expect(tested.length).toBe(61);
    expect([0, 10, 60].map((index) => supports[index])).toEqual([0, 3, 10]);
    expect(tested.at(-1)).toBeCloseTo((Math.log(240_00) - log) / spread, 6);
  });
});

describe('a fold', () => {
  const timeline = new ParameterTimeline([]);

  test('applies the price of a week at its end', () => {
    const week = 2900;
    const facts = { ...restingFacts, releasedAt: weekStart(week - 50), retiredAt: null };
    const set = { ...setOf([], facts), retailWeeks: [{ week, priceCents: 90_00 }] };
    const weeksAt = (at: number) => new Fold(setSubject(set), timeline).runTo(at).tally.retailWeeks;
    expect(weeksAt(weekStart(week + 1) - 1)).toBe(0);
    expect(weeksAt(weekStart(week + 1))).toBe(1);
  });

  test('ignores weeks that end after retirement', () => {
    const week = 2900;
    const end = weekStart(week + 1);
    const weeksOf = (retiredAt: number) => {
      const facts = { ...restingFacts, releasedAt: weekStart(week - 50), retiredAt };
      const set = { ...setOf([], facts), retailWeeks: [{ week, priceCents: 90_00 }] };
      return new Fold(setSubject(set), timeline).runTo(end).tally.retailWeeks;
    };
    expect([end - 1, end, end + 1].map(weeksOf)).toEqual([0, 0, 1]);
  });

  test('applies a level shift of used sales to new ones without sales', () => {
    const used = { condition: 'used' } as const;
    const before = soldEvery(5, scattered(110, 30), { ...used, until: noon - 25 * dayMs });
    const after = soldEvery(11, [55, 55, 55], used);
    const logs = (sales: readonly StoredSale[]) => {
      const fold = new Fold(setSubject(setOf(sales)), timeline).runTo(noon);
      return [fold.estimate('sealed')?.log ?? 0, fold.estimate('used')?.log ?? 0] as const;
    };
    const [[sealed, low], [sealedBefore, high]] = [logs([...before, ...after]), logs(before)];
    expect(high - low).toBeWithin(0.5, 0.7);
    expect((sealedBefore - sealed) / (high - low)).toBeCloseTo(0.5, 1);
    // If new ones have sales, only the ratio changes.
    const own = soldEvery(5, scattered(200, 30), { until: noon - 26 * dayMs });
    const [[stays], [stood]] = [logs([...own, ...before, ...after]), logs([...own, ...before])];
    expect(stood - stays).toBeWithin(0, 0.05);
  });

  test('tells prices that fall, or have moved, from steady ones', () => {
    const steady = soldEvery(5, scattered(200, 30), { until: noon - 60 * dayMs });
    const motions = (cents: number, sales: number, days = 0) => {
      const all = inOrder([...steady, ...soldEvery(5, scattered(cents, sales))]);
      const fold = new Fold(setSubject(setOf(all)), timeline).runTo(noon + days * dayMs);
      return [fold.motionOf('sealed'), fold.motionOf('used')];
    };
    expect(motions(200, 2)).toEqual(['steady', 'steady']);
    expect(motions(140, 1)).toEqual(['steady', 'steady']);
    expect(motions(140, 2)).toEqual(['falling', 'falling']);
    expect(motions(290, 2)).toEqual(['steady', 'steady']);
    expect(motions(600, 12)).toEqual(['moved', 'moved']);
    expect(motions(600, 12, 181)).toEqual(['steady', 'steady']);
  });

  test('becomes uncertain nine times as fast for half a year after a proven change', () => {
    const steady = soldEvery(5, scattered(200, 30), { until: noon - 60 * dayMs });
    const used = { condition: 'used' } as const;
    const growth = (sales: readonly StoredSale[], days: number) => {
      const fold = new Fold(setSubject(setOf(inOrder(sales))), timeline).runTo(noon);
      const at = noon + days * dayMs;
      const { aVariance, rVariance } = fold.growth()(at, at + dayMs);
      return { a: aVariance / fold.subject.volatility, r: rVariance / fold.subject.volatility };
    };
    const usual = growth(steady, 0);
    expect(usual.a).toBeCloseTo(1, 9);
    const risen = [...steady, ...soldEvery(5, scattered(600, 12))];
    expect(growth(risen, 0)).toEqual({ a: expect.closeTo(9, 9), r: usual.r });
    expect(growth(risen, 180)).toEqual(usual);
    // A change of used ones concerns only the ratio.
    const usedBefore = soldEvery(5, scattered(110, 30), { ...used, until: noon - 60 * dayMs });
    const usedRisen = soldEvery(5, scattered(360, 12), used);
    const changed = growth([...steady, ...usedBefore, ...usedRisen], 0);
    expect(changed.a).toBeCloseTo(1, 9);
    expect(changed.r).toBeCloseTo(usual.r + 8, 9);
  });

  test('derives used values without sales from new ones and the ratio', () => {
    const fold = new Fold(setSubject(setOf([])), timeline).runTo(noon);
    const ratio = fold.subject.ratio(fold.inForce.parameters, noon);
    const [sealed, used] = [fold.estimate('sealed'), fold.estimate('used')];
    if (!sealed || !used) throw new Error('Nothing is known.');
    expect(ratio.spread).toBeWithin(0.01, 0.9);
    expect(used.log - sealed.log).toBeCloseTo(ratio.log, 12);
    expect(used.variance - sealed.variance).toBeCloseTo(ratio.spread ** 2, 12);
  });

  const instants = fc.array(fc.integer({ min: noon - 900 * dayMs, max: noon }), { maxLength: 20 });

  test('in steps is the same as at once', () => {
    fc.assert(
      fc.property(anySet, instants, (set, stops) => {
        const subject = setSubject(set);
        const stepwise = new Fold(subject, timeline);
        for (const at of stops.sort((a, b) => a - b)) stepwise.runTo(at);
        const [a, b] = [stepwise.runTo(noon), new Fold(subject, timeline).runTo(noon)];
        expect(a.inputHash()).toBe(b.inputHash());
        expect(a.tally.outcomes()).toEqual(b.tally.outcomes());
        for (const condition of ['sealed', 'used'] as const) {
          const cents = (fold: Fold) => valuesOf(fold)[condition]?.value.valueCents ?? 0;
          expect(Math.abs(cents(a) - cents(b))).toBeLessThanOrEqual(1 + cents(b) * 1e-9);
        }
      }),
      { seed: 212 },
    );
  });

  test('does not depend on unknown rows', () => {
    fc.assert(
      fc.property(anySet, anySale, (set, sale) => {
        const late = { ...sale, usdPerUnit: sale.usdPerUnit || 1 };
        const cut = noon - 100 * dayMs;
        const at = (sales: readonly StoredSale[]) =>
          new Fold(setSubject({ ...set, sales: inOrder(sales) }), timeline, { knownBefore: cut })
            .runTo(noon)
            .inputHash();
        expect(at([...set.sales, { ...late, ingestedAt: cut }])).toBe(at(set.sales));
        const known = { ...late, ingestedAt: cut - 1 };
        expect(at([...set.sales, known])).not.toBe(at(set.sales));
        const retracted = (retractedAt: number | null) => [...set.sales, { ...known, retractedAt }];
        expect(at(retracted(cut))).toBe(at(retracted(null)));
        expect(at(retracted(cut - 1))).not.toBe(at(retracted(null)));
      }),
      { seed: 213 },
    );
  });

  test('does not depend on sales that wait for an exchange rate, but counts them', () => {
    fc.assert(
      fc.property(anySet, anySale, (set, sale) => {
        const cut = noon - 100 * dayMs;
        const late = { ...sale, currency: 'EUR', usdPerUnit: 0, ingestedAt: cut - 1 };
        const at = (sales: readonly StoredSale[], knownBefore: number | null) =>
          new Fold(setSubject({ ...set, sales: inOrder(sales) }), timeline, { knownBefore }).runTo(
            noon,
          );
        const countOf = ({ tally }: Fold) =>
          tally.outcomes().reduce((sum, { count }) => sum + count, 0);
        for (const knownBefore of [null, cut]) {
          const [without, waiting] = [set.sales, [...set.sales, late]].map((sales) =>
            at(sales, knownBefore),
          ) as [Fold, Fold];
          expect(waiting.inputHash()).toBe(without.inputHash());
          expect(valuesOf(waiting)).toEqual(valuesOf(without));
          expect(countOf(waiting)).toBe(countOf(without) + 1);
        }
        // A rate that arrives after the cut changes nothing for it either.
        const converted = { ...late, usdPerUnit: 1.1, ingestedAt: cut };
        expect(at([...set.sales, converted], cut).inputHash()).toBe(at(set.sales, cut).inputHash());
      }),
      { seed: 214 },
    );
  });
});
