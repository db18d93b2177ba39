/** Regression and theme effects on points that can be checked by hand. */
import { describe, expect, test } from 'bun:test';
import { Random } from '../../../../simulator/market/random.ts';
import { estimateOf, fitPrior, learningFrom, type Point, type PointExample } from './prior.ts';

const learning = learningFrom(
  [
    { about: 'every item', start: 0.5, ridge: 2 },
    { about: 'a feature', start: -1, ridge: 3 },
  ],
  [
    { about: 'every item', start: Math.log(0.3), ridge: 4 },
    { about: 'a feature', start: 0.2, ridge: 5 },
  ],
);

const point: Point = {
  base: 4,
  features: [1, 2],
  spreadFeatures: [1, 3],
  share: 0.5,
  theme: null,
  period: null,
  subtheme: null,
};

describe('a kind of item', () => {
  test('starts from its terms, without themes', () => {
    expect(learning).toEqual({
      start: {
        coefficients: [0.5, -1],
        themes: {},
        periods: {},
        subthemes: {},
        spreads: { coefficients: [Math.log(0.3), 0.2], themes: {} },
        examples: 0,
      },
      ridge: [2, 3],
      spreadRidge: [4, 5],
    });
    expect(fitPrior([], learning)).toBe(learning.start);
  });
});

describe('an estimate', () => {
  const prior = {
    ...learning.start,
    themes: { Castles: 0.4, 'Castles / Kings': 9 },
    subthemes: { 'Castles / Kings': 0.2, Castles: 9 },
    spreads: { ...learning.start.spreads, themes: { Castles: 0.1 } },
  };

  test('is base, features, and a share of the effects of theme and subtheme', () => {
    // 4 + 0.5 − 2, plus half of 0.4 + 0.2.
    const kings = { ...point, theme: 'Castles', subtheme: 'Castles / Kings' };
    expect(estimateOf(prior, point).log).toBeCloseTo(2.5, 12);
    expect(estimateOf(prior, kings).log).toBeCloseTo(2.8, 12);
    expect(estimateOf(prior, { ...kings, subtheme: null }).log).toBeCloseTo(2.7, 12);
    expect(estimateOf(prior, { ...kings, theme: 'Ships' }).log).toBeCloseTo(2.6, 12);
    expect(estimateOf(prior, { ...point, theme: 'toString' }).log).toBeCloseTo(2.5, 12);
  });

  test('has the effect of the years its theme was released in', () => {
    const dated = { ...prior, periods: { 'Castles / 2010': -0.6 } };
    const castle = { ...point, theme: 'Castles' };
    const effect = (period: string | null) => estimateOf(dated, { ...castle, period }).log - 2.5;
    expect(effect('Castles / 2010')).toBeCloseTo((0.4 - 0.6) / 2, 12);
    expect(effect('Castles / 2020')).toBeCloseTo(0.4 / 2, 12);
    // Parameters of earlier engines have none.
    expect(estimateOf(prior, { ...castle, period: 'Castles / 2010' }).log - 2.5).toBeCloseTo(0.2);
  });

  test('has the spread of its features and theme', () => {
    expect(estimateOf(prior, point).spread).toBeCloseTo(0.3 * Math.exp(0.6), 12);
    const castle = estimateOf(prior, { ...point, theme: 'Castles' });
    expect(castle.spread).toBeCloseTo(0.3 * Math.exp(0.7), 12);
  });
});

describe('learning', () => {
  /** Examples that differ in single fields, so that each field decides their order. */
  function alikeExamples(name: string): PointExample[] {
    const random = new Random(6, name);
    return Array.from({ length: 60 }, () => ({
      log: random.pick([5.1, 5.7]),
      isBorrowed: random.pick([true, false]),
      isLevelOnly: random.chance(0.2),
      point: {
        base: random.pick([4.3, 4.9]),
        share: random.pick([0.7, 1]),
        features: [1, random.pick([0.3, 1.1])],
        spreadFeatures: [1, random.pick([0, 0.7])],
        theme: random.pick(['Castles', 'Ships', null]),
        period: random.pick(['Castles / 2010', 'Castles / 2015', null]),
        subtheme: random.pick(['Castles / Kings', 'Ships / Steam', null]),
      },
    }));
  }

  test('does not depend on the order of examples, to the last bit', () => {
    for (const name of ['one', 'two', 'three', 'four']) {
      const examples = alikeExamples(name);
      const expected = JSON.stringify(fitPrior(examples, learning));
      const random = new Random(7, name);
      for (let turn = 0; turn < 12; turn++) {
        expect(JSON.stringify(fitPrior(random.shuffle(examples), learning))).toBe(expected);
      }
    }
  });

  const castle = (period: string, log: number): PointExample => ({
    point: { ...point, base: 0, features: [1, 0], share: 1, theme: 'Castles', period },
    log,
  });

  test('keeps what a theme was worth in other years apart', () => {
    const examples = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0 ? castle('Castles / 2010', 1.5) : castle('Castles / 2020', 0.5),
    );
    const prior = fitPrior(examples, learning);
    const of = (period: string) => estimateOf(prior, castle(period, 0).point).log;
    expect(of('Castles / 2010') - of('Castles / 2020')).toBeWithin(0.7, 1.01);
    expect(of('Castles / 2015')).toBeWithin(of('Castles / 2020'), of('Castles / 2010'));
  });

  test('starts from the known spreads of themes', () => {
    const spreads = { Castles: 0.2, Ships: -0.2 };
    const known = learningFrom(
      [{ about: 'every item', start: 1, ridge: 1e6 }],
      [{ about: 'every item', start: Math.log(0.3), ridge: 4 }],
      spreads,
    );
    for (const count of [0, 1, 200]) {
      const examples = Array.from({ length: count }, () => castle('Castles / 2020', 1));
      expect(fitPrior(examples, known).spreads.themes.Ships).toBe(-0.2);
    }
  });

  describe('the level of prices', () => {
    /** A sale that is higher than the start expects. */
    const at = (higher: number): PointExample => ({
      point: { ...point, base: 0, features: [1, 0], spreadFeatures: [1, 0] },
      log: 0.5 + higher,
      isLevelOnly: true,
    });
    const levelOf = (examples: readonly PointExample[]) =>
      (fitPrior(examples, learning).coefficients[0] ?? 0) - 0.5;

    test('follows the first single sales, and nothing else does', () => {
      const higher = Array.from({ length: 30 }, () => at(0.2));
      expect(levelOf(higher)).toBeCloseTo((30 / 34) * 0.2, 12);
      const { coefficients, ...rest } = fitPrior(higher, learning);
      const { coefficients: before, ...start } = learning.start;
      expect(coefficients.slice(1)).toEqual(before.slice(1));
      expect(rest).toEqual(start);
    });

    test('hardly follows one sale, and not one of many that is far off', () => {
      expect(levelOf([at(1)])).toBeCloseTo(0.2, 12);
      expect(levelOf([at(5), ...Array.from({ length: 10 }, () => at(0))])).toBeCloseTo(0, 12);
    });

    test('follows sales of sets with a larger spread less', () => {
      const uncertain = { ...at(0.2), point: { ...point, base: 0, features: [1, 0] } };
      expect(levelOf([uncertain])).toBeWithin(0.001, levelOf([at(0.2)]));
    });
  });

  test('weights a borrowed example by a quarter, and ignores it for spreads', () => {
    const at = (log: number, isBorrowed: boolean): PointExample => ({
      point: { ...point, base: 0, features: [1, 0], spreadFeatures: [1, 0] },
      log,
      isBorrowed,
    });
    const loose = { ...learning, ridge: [1e-9, 1] };
    const own = Array.from({ length: 4 }, () => at(1, false));
    const fit = (borrowed: number) =>
      fitPrior([...own, ...Array.from({ length: borrowed }, () => at(2, true))], loose);
    // Four own examples at 1, and four borrowed ones at 2 with the weight of one.
    expect(fit(4).coefficients[0]).toBeWithin(1.1, 1.3);
    expect(fit(4).examples).toBe(8);
    const borrowedOnly = fitPrior([at(2, true), at(3, true)], loose);
    expect(borrowedOnly.spreads).toEqual(learning.start.spreads);
  });
});
