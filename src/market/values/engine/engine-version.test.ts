/**
 * One engine version always gives the same value for the same rows and parameters. Learns from and
 * values items of all kinds with sales of all kinds, and compares the results with stored ones. If
 * one of them changes, change the engine version and update the results here.
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import { Random } from '../../../../simulator/market/random.ts';
import { inOrder, sold } from '../../../../test/support/valuation.ts';
import { itemClasses } from '../../../catalog/items/item-class.ts';
import { dayMs, monthOf, weekOf } from '../../../kernel/time.ts';
import {
  channels,
  completenesses,
  conditions,
  type StoredSale,
} from '../../source-rows/source-rows.ts';
import { valueEngine } from '../engine.ts';
import type {
  Estimator,
  MinifigToValue,
  MonthValuation,
  SetToValue,
  StoredParameters,
} from '../estimator.ts';
import type { Parameters } from './parameters.ts';

const now = Date.UTC(2026, 10, 9, 12);
const yearMs = 365.25 * dayMs;
const [from, to] = [monthOf(now) - 2, monthOf(now)];

/** Ordinary and odd sales around a price, over half a year to three years. */
function makeSales(random: Random, typicalCents: number, count: number): StoredSale[] {
  const years = count > 20 ? random.pick([0.5, 1, 3]) : 3;
  // Some prices drop to another level within the last months.
  const fallsAt = random.chance(0.3) ? now - random.between(10, 120) * dayMs : now;
  const scatter = random.pick([0.06, 0.12, 0.2]);
  const sales = Array.from({ length: count }, (_, index) => {
    const condition = random.pick(conditions);
    const soldAt = now - Math.floor(random.between(0, years) * yearMs);
    const isPlain = random.chance(0.7);
    const channel = random.pick([...channels, null]);
    const quantity = isPlain || random.chance(0.7) ? 1 : 2 + random.below(6);
    const log =
      (condition === 'used' ? -0.5 : 0) +
      (channel === 'auction' ? -0.1 : 0) +
      (soldAt > fallsAt ? -0.6 : 0) +
      scatter * random.heavyTailed();
    const isForeign = !isPlain && random.chance(0.2);
    return sold({
      source: random.pick(['one', 'two']),
      sourceId: String(index),
      condition,
      channel,
      quantity,
      soldAt,
      priceCents: Math.max(1, Math.round(typicalCents * quantity * Math.exp(log))),
      shippingCents: random.chance(0.3) ? random.below(isPlain ? 8_00 : 40_00) : 0,
      seller: random.chance(0.3) ? `seller-${random.below(4)}` : null,
      completeness: isPlain ? 'complete' : random.pick([...completenesses, null]),
      currency: isForeign ? 'EUR' : 'USD',
      usdPerUnit: isForeign ? 1.1 : 1,
      ingestedAt: soldAt + random.below(20 * dayMs),
      retractedAt: random.chance(0.03) ? soldAt + random.below(60 * dayMs) : null,
    });
  });
  // A second source reports the last one too.
  const again = sales.slice(-1).map((sale) => ({ ...sale, source: 'three' }));
  return inOrder([...sales, ...again]);
}

function makeSet(index: number): SetToValue {
  const random = new Random(2, 'engine version: set', index);
  const priceCents = Math.round(random.logNormal(45_00, 1));
  const releasedAt = random.chance(0.9) ? now - Math.floor(random.between(0, 45) * yearMs) : null;
  const shelfMs = Math.floor(random.between(0.5, 4) * yearMs);
  const maybe = (value: number) => (random.chance(0.8) ? value : null);
  // Integers or few digits, because the last digit of a logarithm may differ by platform.
  const pieces = Math.ceil((priceCents / 11) * random.logNormal(1, 0.4));
  const facts = {
    msrpCents: random.chance(0.6) ? priceCents : null,
    pieces: maybe(pieces),
    minifigs: maybe(random.below(9)),
    weightLbs: maybe(Math.ceil(pieces * 2.8 * random.logNormal(1, 0.8)) / 1_000),
    cubicInches: maybe(Math.ceil((15 + 0.6 * pieces) * random.logNormal(1, 0.8))),
    theme: random.pick(['Castles', 'Ships', 'Trains', null]),
    subtheme: random.pick(['Kings', 'Steam', null]),
    releasedAt,
    retiredAt: releasedAt !== null && random.chance(0.7) ? releasedAt + shelfMs : null,
    itemClass: random.chance(0.5) ? 'set' : random.pick(itemClasses),
  } as const;
  const week = weekOf(now) - random.below(20);
  return {
    facts,
    sales: makeSales(random, priceCents * 1.6, random.pick([0, 1, 4, 15, 40, 80])),
    retailWeeks: [0, 1, 2].map((later) => ({
      week: week + later,
      priceCents: Math.round(priceCents * (0.8 + 0.1 * later)),
    })),
  };
}

function makeMinifig(index: number): MinifigToValue {
  const random = new Random(2, 'engine version: minifig', index);
  return {
    facts: {
      category: random.pick(['Knights', 'Pirates', null]),
      releasedAt: random.chance(0.8) ? now - Math.floor(random.between(0, 30) * yearMs) : null,
      sets: random.below(7),
    },
    sales: makeSales(random, random.logNormal(8_00, 0.8), random.pick([0, 1, 6, 20, 40])),
  };
}

const sets = Array.from({ length: 100 }, (_, index) => makeSet(index));
const minifigs = Array.from({ length: 50 }, (_, index) => makeMinifig(index));
const months = Array.from({ length: 6 }, (_, index) => ({
  month: to - 6 + index,
  knownBefore: index < 3 ? now - 20 * dayMs : null,
}));

/** A hash of numbers; fractions are rounded, to be equal on all platforms. */
function digest(figures: unknown): string {
  const text = JSON.stringify(figures, (_, value) =>
    typeof value === 'number' && !Number.isInteger(value) ? value.toPrecision(6) : value,
  );
  return new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 12);
}

let learned: readonly StoredParameters[] = [];
let estimators: readonly Estimator[] = [];

beforeAll(async () => {
  const learner = valueEngine.startLearning();
  for (const [rank, set] of sets.entries()) learner.addSet(set, rank);
  for (const [rank, minifig] of minifigs.entries()) learner.addMinifig(minifig, rank);
  learned = await learner.learn({ frozen: [], from, to });
  estimators = [valueEngine.makeEstimator([]), valueEngine.makeEstimator(learned)];
});

/** The results of both estimators, the one with default parameters first. */
const both = (says: (estimator: Estimator) => unknown) =>
  estimators.map((one) => digest(says(one)));

describe('brickmark-7', () => {
  test('is the current engine', () => {
    expect(valueEngine.version).toBe('brickmark-7');
  });

  test('learns the same from the same sales', () => {
    const bodies = learned.map(({ body }) => JSON.parse(body) as Parameters);
    expect(bodies.map(digest)).toEqual(['a46026d3cde8', '50b079a5c67d', '086adc81edee']);
    const forValues = bodies.map(({ offsetPairs: _, rates: __, growth: ___, ...body }) => {
      const ranges = Object.entries(body.ranges).map(([name, { low, high }]) => [
        name,
        { low, high },
      ]);
      return { ...body, ranges: Object.fromEntries(ranges) };
    });
    expect(forValues.map(digest)).toEqual(['05a7060c56cb', '52fb79175865', 'b4f0029f2331']);
  });

  test('values sets the same, at any instant', () => {
    const valued = (at: number) =>
      both((estimator) =>
        sets.map((set) => {
          const { sealed, used, tier, changesAt } = estimator.prepareSet(set).valueAt(at);
          return { sealed, used, tier, changesAt };
        }),
      );
    expect(valued(now)).toEqual(['c0d10dd84ad4', 'c43f6b05bb7a']);
    expect(valued(now - 40 * dayMs)).toEqual(['ef6363c57030', 'e0481f93ea4f']);
  });

  test('values minifigs the same', () => {
    const valued = both((estimator) =>
      minifigs.map((minifig) => {
        const { value, tier, changesAt } = estimator.prepareMinifig(minifig).valueAt(now);
        return { value, tier, changesAt };
      }),
    );
    expect(valued).toEqual(['63a36df2b53c', 'c678dd811cb4']);
  });

  describe('computes months', () => {
    let made: readonly MonthValuation[] = [];

    beforeAll(() => {
      made = sets.flatMap((set) => {
        const prepared = estimators[0]?.prepareSet(set);
        return conditions.flatMap((condition) => prepared?.months(condition, months) ?? []);
      });
    });

    test('with the same values', () => {
      expect(digest(made.map(({ provenance: _, ...month }) => month))).toBe('f39d6888a054');
    });

    test('with the same input hashes', () => {
      expect(digest(made.map(({ provenance }) => provenance))).toBe('8ab35c491b15');
    });
  });

  test('has the same evidence', () => {
    const evidences = both((estimator) =>
      [
        ...sets.map((set) => estimator.prepareSet(set).valueAt(now)),
        ...minifigs.map((minifig) => estimator.prepareMinifig(minifig).valueAt(now)),
      ].map(({ evidence: { inputHash: _, parameters: __, ...evidence } }) => evidence),
    );
    expect(evidences).toEqual(['63efbedb5c05', 'b1f1291f4af0']);
  });

  test('scores values against the same sales', () => {
    const since = { learnedAfter: now - 90 * dayMs, soldAfter: now - 80 * dayMs };
    const compared = both((estimator) =>
      sets.map((set) => estimator.prepareSet(set).salesSince(since)),
    );
    expect(compared).toEqual(['28a62c4b9bcd', 'f756f5df717e']);
  });
});
