/** The prior of sets is learned from examples, with shrinkage. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { makeCatalog } from '../../../../simulator/market/catalog.ts';
import { setPath } from '../../../../simulator/market/prices.ts';
import { Random } from '../../../../simulator/market/random.ts';
import { makeWorld } from '../../../../simulator/market/world.ts';
import { unknownFacts } from '../../../../test/support/valuation.ts';
import { dayMs } from '../../../kernel/time.ts';
import type { ValuationFacts } from '../estimator.ts';
import { setValuationFacts } from '../valuation-facts.ts';
import { knownSetEffects } from './known-effects.ts';
import { type Estimate, estimateOf, type Prior } from './prior.ts';
import { defaultSetPrior, fitSetPrior, type SetExample, setPoints } from './set-prior.ts';

const now = Date.UTC(2026, 10, 9);
const yearMs = 365.25 * dayMs;

const truth: Prior = {
  coefficients: [-0.2, -0.1, 0.15, 0.08, 0.2, -0.1, 0.13, 0.05, 0.1, -0.05, 0.2, -0.1, 0.3],
  themes: { Castles: 0.3, Ships: -0.25 },
  periods: {},
  subthemes: {},
  spreads: { coefficients: [Math.log(0.2), 0.3, 0, 0, 0, 0], themes: {} },
  examples: 0,
};

function setPrior(prior: Prior, facts: ValuationFacts, at: number): Estimate | null {
  const point = setPoints(facts)?.(at);
  return point ? estimateOf(prior, point) : null;
}

function logOf(prior: Prior, facts: ValuationFacts, at = now): number {
  return setPrior(prior, facts, at)?.log ?? Number.NaN;
}

/** Sets at their true values, with noise. */
function makeExamples(count: number, noise = 0.1): SetExample[] {
  const random = new Random(5, 'prior examples', count);
  return Array.from({ length: count }, () => {
    const msrpCents = Math.round(random.logNormal(40_00, 0.9));
    const releasedAt = now - random.between(0, 14) * yearMs;
    const facts: ValuationFacts = {
      ...unknownFacts,
      msrpCents,
      pieces: Math.ceil((msrpCents / 11) * random.logNormal(1, 0.4)),
      minifigs: random.below(8),
      theme: random.pick(['Castles', 'Ships', 'Trains', 'Towns']),
      releasedAt,
      retiredAt: releasedAt + random.between(1, 3) * yearMs,
    };
    return { facts, at: now, log: logOf(truth, facts) + random.normal(0, noise) };
  });
}

/** Median error against the true values of held-out sets. */
function medianError(prior: Prior): number {
  const errors = makeExamples(501, 0).map(({ facts, log }) => Math.abs(logOf(prior, facts) - log));
  return errors.sort((a, b) => a - b)[250] ?? Number.NaN;
}

describe('the features of a set', () => {
  const known = { ...unknownFacts, msrpCents: 80_00, pieces: 700, minifigs: 3 };
  const point = (facts: ValuationFacts, years: number) =>
    setPoints(facts)?.(now + years * yearMs) ?? { features: [], spreadFeatures: [], share: 0 };
  const lasting = [1, Math.log(2), Math.log(77 / 80), Math.log(4)];

  test('rise by half within two months of retirement, and settle within years', () => {
    const retired = { ...known, retiredAt: now };
    for (const [years, rise, settled] of [
      [-2, 0, 0],
      [0, 1 / (1 + Math.E ** 2), 0],
      [1 / 6, 0.5, 1 - Math.exp(-1 / 15)],
      [2.5, 1, 1 - Math.exp(-1)],
    ] as const) {
      const { features, spreadFeatures, share } = point(retired, years);
      const after = Math.max(0, years);
      const size = Math.log(2);
      const figures = settled * Math.log(4);
      const expected = [...lasting, rise, settled, after, rise * size, figures, 0, 0, 0, 0];
      for (const [index, feature] of expected.entries()) {
        expect(features[index]).toBeCloseTo(feature, 6);
      }
      expect(features).toHaveLength(expected.length);
      expect(spreadFeatures).toEqual([1, Math.log1p(after), 0, 0, 0, 0]);
      expect(share).toBeCloseTo(0.4 + 0.6 * settled, 6);
    }
  });

  test('assume retirement after two years, with a slower rise', () => {
    const { features } = point({ ...known, releasedAt: now }, 2 + 1 / 6 + 1 / 3);
    expect(features[4]).toBeCloseTo(1 / (1 + Math.exp(-1)), 6);
    expect(features[6]).toBeCloseTo(0.5, 6);
    // Without any date it has been retired for a year.
    expect(point(known, 5).features[6]).toBe(1);
  });

  test('grow slower after twelve years, and depend on the era of release', () => {
    const of = (year: number, retired: number) =>
      setPoints({ ...known, releasedAt: Date.UTC(year, 0), retiredAt: Date.UTC(retired, 0) })?.(
        Date.UTC(2025, 0),
      ).features.slice(-4) ?? [];
    const expectClose = (found: readonly number[], wanted: readonly number[]) => {
      for (const [index, value] of wanted.entries()) expect(found[index]).toBeCloseTo(value, 1);
    };
    expectClose(of(2010, 2015), [0, 0, 0, 0]);
    expectClose(of(2007, 2009), [4, 0, 0, 0]);
    expectClose(of(2001, 2003), [10, 0.5, 1, 0]);
    expectClose(of(1988, 1990), [23, 1, 15, 0.5]);
    expectClose(of(1975, 1977), [36, 1, 28, 1]);
  });

  test('count the effects that are built in less before 2022, and not before 2016', () => {
    const of = (year: number, theme: string | null) => {
      const castle = { ...known, theme, releasedAt: Date.UTC(2012, 0), retiredAt: 0 };
      return setPoints(castle)?.(Date.UTC(year, 0))?.base ?? Number.NaN;
    };
    const effect = (year: number) => of(year, 'Castle') - of(year, null);
    const { Castle = 0 } = knownSetEffects.themes;
    const period = knownSetEffects.periods['Castle / 2010'] ?? 0;
    for (const [year, share] of [
      [2030, 1],
      [2022, 1],
      [2019, 0.5],
      [2016, 0],
      [2010, 0],
    ] as const) {
      expect(effect(year)).toBeCloseTo(share * (Castle + period), 3);
    }
    expect(Castle + period).toBeGreaterThan(0.3);
  });

  test('learned effects are what examples differ by from those built in', () => {
    const bionicles = makeExamples(200).map(({ facts, at }) => {
      const set = { ...facts, theme: 'Bionicle' };
      return { facts: set, at, log: logOf(defaultSetPrior, set, at) };
    });
    expect(Math.abs(fitSetPrior(bionicles).themes.Bionicle ?? 1)).toBeLessThan(0.05);
  });

  test('do not exist without a retail price', () => {
    expect(setPoints({ ...known, msrpCents: null })).toBeNull();
    expect(setPoints({ ...known, msrpCents: 0 })).toBeNull();
  });
});

describe('learning', () => {
  test('without examples, or with unusable ones only, the prior is the default', () => {
    expect(fitSetPrior([])).toEqual(defaultSetPrior);
    expect(fitSetPrior([{ facts: unknownFacts, at: now, log: 9 }])).toEqual(defaultSetPrior);
    const odd = makeExamples(3).map((example) => ({ ...example, log: Number.NaN }));
    expect(fitSetPrior(odd)).toEqual(defaultSetPrior);
  });

  test('thousands of examples recover the true values, including themes', () => {
    const prior = fitSetPrior(makeExamples(5000));
    expect(medianError(prior)).toBeLessThan(0.015);
    expect(prior.examples).toBe(5000);
    const { Castles = 0, Ships = 0, Trains = 0 } = prior.themes;
    expect(Castles - Trains).toBeCloseTo(0.3, 1);
    expect(Ships - Trains).toBeCloseTo(-0.25, 1);
    for (const j of [1, 2, 6]) {
      expect(prior.coefficients[j]).toBeCloseTo(truth.coefficients[j] ?? 0, 1.3);
    }
  });

  test('more examples are better, and twenty are better than none', () => {
    const errors = [0, 20, 200, 2000].map((n) => medianError(fitSetPrior(makeExamples(n))));
    expect(errors).toEqual([...errors].sort((a, b) => b - a));
  });

  test('10% outliers hardly matter', () => {
    const examples = makeExamples(2000);
    const wild = examples.map((example, i) =>
      i % 10 === 0 ? { ...example, log: example.log + (i % 20 === 0 ? 3 : 2) } : example,
    );
    expect(medianError(fitSetPrior(wild))).toBeLessThan(0.05);
    const spread = (prior: Prior) =>
      setPrior(prior, { ...unknownFacts, msrpCents: 40_00, retiredAt: now }, now)?.spread ?? 0;
    expect(spread(fitSetPrior(wild))).toBeLessThan(1.4 * spread(fitSetPrior(examples)));
  });

  test('it does not depend on the order of examples, to the last bit', () => {
    const examples = makeExamples(300);
    const expected = JSON.stringify(fitSetPrior(examples));
    fc.assert(
      fc.property(fc.shuffledSubarray(examples, { minLength: 300 }), (shuffled) => {
        expect(JSON.stringify(fitSetPrior(shuffled))).toBe(expected);
      }),
      { numRuns: 20 },
    );
  });

  test('predictions survive serialization as JSON', () => {
    const examples = makeExamples(200);
    const odd = { ...examples[0]?.facts, theme: '__proto__', subtheme: 'constructor' };
    const prior = fitSetPrior([
      ...examples,
      { facts: { ...unknownFacts, ...odd }, at: now, log: 9 },
    ]);
    const copy: Prior = JSON.parse(JSON.stringify(prior));
    for (const { facts } of examples) {
      expect(setPrior(copy, facts, now)).toEqual(setPrior(prior, facts, now));
    }
    expect(logOf(copy, { ...unknownFacts, ...odd })).toBe(
      logOf(prior, { ...unknownFacts, ...odd }),
    );
  });

  test('properties of Object.prototype are not themes', () => {
    const facts = { ...unknownFacts, msrpCents: 50_00 };
    expect(logOf(defaultSetPrior, { ...facts, theme: 'constructor' })).toBe(
      logOf(defaultSetPrior, facts),
    );
  });

  test('a simulated market is predicted better than by the default', () => {
    const world = makeWorld({ seed: 7, today: now, size: { sets: 2000 } });
    const examples = makeCatalog(world).sets.flatMap((set): SetExample[] => {
      if (set.releasedAt > now) return [];
      const facts = setValuationFacts(set.facts);
      return [{ facts, at: now, log: setPath(world, set).sealedLog(now) }];
    });
    const [learned, others] = [examples.slice(0, 1000), examples.slice(1000)];
    const error = (prior: Prior) => {
      const errors = others.map(({ facts, log }) => Math.abs(logOf(prior, facts) - log));
      return errors.filter((e) => !Number.isNaN(e)).sort((a, b) => a - b)[450] ?? Number.NaN;
    };
    expect(error(fitSetPrior(learned))).toBeLessThan(error(defaultSetPrior));
  });
});

describe('estimates', () => {
  const facts = { ...unknownFacts, msrpCents: 100_00, pieces: 900, releasedAt: now };

  test('a set in production sells below its retail price, one that retired long ago above', () => {
    expect(logOf(defaultSetPrior, facts)).toBeWithin(Math.log(80_00), Math.log(100_00));
    const old = { ...facts, releasedAt: now - 12 * yearMs, retiredAt: now - 10 * yearMs };
    expect(logOf(defaultSetPrior, old)).toBeWithin(Math.log(180_00), Math.log(300_00));
  });

  test('a set of the nineties does not grow like a newer one for thirty years', () => {
    const old = { ...facts, releasedAt: Date.UTC(1994, 0), retiredAt: Date.UTC(1996, 0) };
    expect(logOf(defaultSetPrior, old)).toBeWithin(Math.log(180_00), Math.log(600_00));
    const learned = fitSetPrior(
      makeExamples(300).map((example) => ({ ...example, log: example.log + 1 })),
    );
    const growth = logOf(learned, old, now + yearMs) - logOf(learned, old, now);
    expect(growth).toBeLessThan(0.06);
  });

  test('gear and books are ignored in learning', () => {
    const gear = makeExamples(50).map((example) => ({
      ...example,
      facts: { ...example.facts, itemClass: 'gear' as const },
    }));
    expect(fitSetPrior(gear)).toEqual(defaultSetPrior);
  });

  test('unknown pieces are derived from the retail price', () => {
    const bought = logOf(defaultSetPrior, { ...facts, pieces: 100_00 / 11 });
    expect(logOf(defaultSetPrior, { ...facts, pieces: null })).toBeCloseTo(bought, 10);
  });

  test('the spread grows with the years since retirement', () => {
    const spreads = [-1, 0, 2, 5, 10].map((years) => {
      const retiredAt = now - years * yearMs;
      return setPrior(defaultSetPrior, { ...facts, retiredAt }, now)?.spread ?? 0;
    });
    expect(spreads[0]).toBe(spreads[1] ?? 0);
    expect(spreads.slice(1)).toEqual([...new Set(spreads)].sort((a, b) => a - b));
  });

  test('a set without dates has a constant value', () => {
    const undated = { ...facts, releasedAt: null };
    const later = setPrior(defaultSetPrior, undated, now + yearMs);
    expect(later).toEqual(setPrior(defaultSetPrior, undated, now));
  });

  test('the value is continuous in time', () => {
    const instant = fc.option(fc.integer({ min: now - 15 * yearMs, max: now + 3 * yearMs }));
    const dates = fc.record({ releasedAt: instant, retiredAt: instant });
    const hours = fc.integer({ min: -20 * 8766, max: 10 * 8766 });
    const prior = fitSetPrior(makeExamples(300));
    fc.assert(
      fc.property(dates, hours, (known, hour) => {
        const at = now + hour * 3_600_000;
        const set = { ...facts, ...known, theme: 'Castles' };
        expect(Math.abs(logOf(prior, set, at + dayMs) - logOf(prior, set, at))).toBeLessThan(0.005);
      }),
      { numRuns: 500 },
    );
  });
});
