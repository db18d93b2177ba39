/** The prior of minifigs is learned from examples. */
import { expect, test } from 'bun:test';
import { Random } from '../../../../simulator/market/random.ts';
import { dayMs } from '../../../kernel/time.ts';
import type { MinifigValuationFacts } from '../estimator.ts';
import {
  defaultMinifigPrior,
  fitMinifigPrior,
  type MinifigExample,
  minifigPrior,
} from './minifig-prior.ts';
import type { Prior } from './prior.ts';

const now = Date.UTC(2026, 10, 9);
const yearMs = 365.25 * dayMs;

const truth: Prior = {
  coefficients: [6.6, 0.2, 0.05, -0.5],
  themes: { Knights: 0.6 },
  periods: {},
  subthemes: {},
  spreads: { coefficients: [Math.log(0.5)], themes: {} },
  examples: 0,
};

const examples = Array.from({ length: 4000 }, (_, i): MinifigExample => {
  const random = new Random(3, 'minifig examples', i);
  const facts: MinifigValuationFacts = {
    category: random.pick(['Knights', 'Pirates', 'Robots', null]),
    releasedAt: random.chance(0.9) ? now - random.between(0, 20) * yearMs : null,
    sets: random.below(9),
  };
  const wild = i % 20 === 0 ? 3 : i % 10 === 0 ? -3 : 0;
  return { facts, at: now, log: minifigPrior(truth, facts, now).log + random.normal(wild, 0.4) };
});

test('without examples, or with NaN only, the prior is the default', () => {
  expect(fitMinifigPrior([])).toEqual(defaultMinifigPrior);
  const odd = examples.slice(0, 3).map((example) => ({ ...example, log: Number.NaN }));
  expect(fitMinifigPrior(odd)).toEqual(defaultMinifigPrior);
});

test('true coefficients are recovered, in any order, with 10% outliers', () => {
  const prior = fitMinifigPrior(examples);
  expect(fitMinifigPrior([...examples].reverse())).toEqual(prior);
  for (const { facts } of examples) {
    const found = minifigPrior(JSON.parse(JSON.stringify(prior)), facts, now);
    expect(found).toEqual(minifigPrior(prior, facts, now));
    expect(Math.abs(found.log - minifigPrior(truth, facts, now).log)).toBeLessThan(0.2);
    expect(found.spread).toBeWithin(0.38, 0.6);
  }
});

test('a minifig without facts is worth a few dollars', () => {
  const facts = { category: null, releasedAt: null, sets: 0 };
  const found = minifigPrior(defaultMinifigPrior, facts, now);
  expect(found.log).toBeWithin(Math.log(3_00), Math.log(10_00));
  expect(minifigPrior(defaultMinifigPrior, facts, now + yearMs)).toEqual(found);
});
