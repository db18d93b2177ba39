/** The ratio of used to new is learned robustly, from enough examples. */
import { expect, test } from 'bun:test';
import { Random } from '../../../../simulator/market/random.ts';
import { dayMs } from '../../../kernel/time.ts';
import { defaultMinifigRatio, defaultUsedRatio, fitUsedRatio, usedRatioAt } from './used-ratio.ts';

const now = Date.UTC(2026, 10, 9);

function makeExamples(count: number) {
  const random = new Random(9, 'used ratio', count);
  return Array.from({ length: count }, (_, i) => {
    const years = random.between(0, 15);
    return { years, log: -0.4 - 0.02 * years + random.normal(0, 0.15) - (i % 10 === 0 ? 2 : 0) };
  });
}

test('few examples leave the default', () => {
  expect(fitUsedRatio([])).toEqual(defaultUsedRatio);
  expect(fitUsedRatio(makeExamples(19))).toEqual(defaultUsedRatio);
});

test('the true ratio is recovered, in any order, with 10% outliers', () => {
  const examples = makeExamples(3000);
  const ratio = fitUsedRatio(examples);
  expect(fitUsedRatio([...examples].reverse())).toEqual(ratio);
  expect(ratio.base).toBeWithin(-0.45, -0.37);
  expect(ratio.perYear).toBeWithin(-0.025, -0.015);
  expect(ratio.spread).toBeWithin(0.14, 0.19);
});

test('it does not depend on the order of examples, to the last bit', () => {
  const random = new Random(9, 'alike');
  const examples = Array.from({ length: 60 }, () => ({
    years: random.between(0, 30),
    log: random.pick([-0.41, -0.73]),
  }));
  const ratio = fitUsedRatio(examples);
  for (let turn = 0; turn < 20; turn++) {
    expect(fitUsedRatio(random.shuffle(examples))).toEqual(ratio);
  }
});

test('NaN is ignored', () => {
  const examples = makeExamples(100);
  const ratio = fitUsedRatio(examples);
  const { NaN: none, POSITIVE_INFINITY: endless } = Number;
  const odd = [
    { years: 3, log: none },
    { years: none, log: -0.4 },
    { years: 3, log: endless },
    { years: endless, log: -0.4 },
  ];
  expect(fitUsedRatio([...examples, ...odd])).toEqual(ratio);
});

test('twenty examples move the default part of the way', () => {
  const twenty = Array.from({ length: 20 }, (_, i) => ({ years: i / 2, log: -0.8 }));
  const { base, perYear } = fitUsedRatio(twenty);
  expect(base + 5 * perYear).toBeWithin(-0.8, -0.5);
});

test('the ratio falls with age, and an unknown age counts as five years', () => {
  const at = (releasedAt: number | null) => usedRatioAt(defaultUsedRatio, releasedAt, now);
  expect(at(now + dayMs)).toBe(-0.23);
  expect(at(now - 10 * 365.25 * dayMs)).toBeCloseTo(-0.63, 10);
  expect(at(null)).toBeCloseTo(-0.43, 10);
});

test('from fifteen years on it has another slope', () => {
  const random = new Random(9, 'old things');
  const examples = Array.from({ length: 2000 }, () => {
    const years = random.between(0, 45);
    const log = -0.2 - 0.05 * Math.min(years, 15) - 0.005 * Math.max(0, years - 15);
    return { years, log: log + random.normal(0, 0.2) };
  });
  const ratio = fitUsedRatio(examples);
  const at = (years: number) => usedRatioAt(ratio, now - years * 365.25 * dayMs, now);
  expect(at(15)).toBeCloseTo(-0.95, 1);
  expect(at(45)).toBeCloseTo(-1.1, 1);
});

test('the default of minifigs is about 0.9 within two years, and over a half after ten', () => {
  const at = (years: number) =>
    Math.exp(usedRatioAt(defaultMinifigRatio, now - years * 365.25 * dayMs, now));
  expect(at(1)).toBeCloseTo(0.9, 1);
  expect(at(10)).toBeWithin(0.5, 0.6);
  expect(at(20)).toBeWithin(0.4, 0.5);
  expect(fitUsedRatio([], defaultMinifigRatio)).toEqual(defaultMinifigRatio);
});
