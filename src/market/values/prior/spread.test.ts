/** Learned spreads are calibrated: four in five items are in range. */
import { expect, test } from 'bun:test';
import { Random } from '../../../../simulator/market/random.ts';
import { groupsOf } from './group-effects.ts';
import { fitSpreads, type Spreads, spreadOf } from './spread.ts';

const start: Spreads = { coefficients: [Math.log(0.3), 0], themes: {} };

interface Case {
  readonly left: number;
  readonly age: number;
  readonly theme: string;
}

/** Residuals with a standard deviation of 0.2, growing with age and differing by theme. */
function casesOf(count: number, draw: (random: Random) => number): Case[] {
  const random = new Random(2, 'spread', count);
  return Array.from({ length: count }, () => {
    const age = random.between(0, 3);
    const theme = random.pick(['plain', 'wild']);
    const deviation = 0.2 * Math.exp(0.3 * age) * (theme === 'wild' ? 2 : 1);
    return { left: draw(random) * deviation, age, theme };
  });
}

function fit(cases: readonly Case[], freedom = 0): Spreads {
  return fitSpreads({
    left: Float64Array.from(cases, ({ left }) => left),
    features: [new Float64Array(cases.length).fill(1), Float64Array.from(cases, ({ age }) => age)],
    themes: groupsOf(cases.map(({ theme }) => theme)),
    start,
    ridge: [10, 10],
    freedom,
  });
}

const shareInside = (cases: readonly Case[], spreads: Spreads) =>
  cases.filter(({ left, age, theme }) => {
    return Math.abs(left) < 1.2816 * spreadOf(spreads, [1, age], theme);
  }).length / cases.length;

test('without examples, spreads are the start', () => {
  expect(fit([])).toEqual(start);
});

test.each([
  ['normal', (random: Random) => random.normal(0, 1)],
  ['heavy-tailed', (random: Random) => random.heavyTailed()],
])('effects of age and theme are separated for %s errors, and ranges are calibrated', (_, draw) => {
  const spreads = fit(casesOf(4000, draw));
  const others = casesOf(4001, draw);
  expect(spreads.coefficients[1]).toBeWithin(0.22, 0.38);
  const { plain = 0, wild = 0 } = spreads.themes;
  expect(wild - plain).toBeCloseTo(Math.log(2), 1);
  expect(shareInside(others, spreads)).toBeWithin(0.78, 0.82);
  for (const theme of ['plain', 'wild']) {
    const some = others.filter((one) => one.theme === theme);
    expect(shareInside(some, spreads)).toBeWithin(0.76, 0.84);
  }
});

test('a few examples move the start a little', () => {
  const { coefficients } = fit(casesOf(5, (random) => random.normal(0, 1)));
  expect(Math.exp(coefficients[0] ?? 0)).toBeWithin(0.2, 0.4);
});

test('new items have a larger spread, by the degrees of freedom', () => {
  const cases = casesOf(100, (random) => random.normal(0, 1));
  const [plain = 0] = fit(cases).coefficients;
  const [used = 0] = fit(cases, 50).coefficients;
  // Half of the degrees of freedom: a factor of the square root of two, before shrinkage.
  expect(used - plain).toBeCloseTo((Math.log(2) / 2) * (100 / 120), 6);
});

test('unknown themes have no effect, and no spread is below 0.12', () => {
  expect(spreadOf(start, [1, 0], 'constructor')).toBeCloseTo(0.3, 9);
  expect(spreadOf({ coefficients: [-9, 0], themes: {} }, [1, 0], null)).toBe(0.12);
});
