/** What brickmark-1 learned and sealed is read as it was meant. */
import { expect, test } from 'bun:test';
import { restingFacts } from '../../../test/support/valuation.ts';
import { setEstimates } from '../prior/set-estimate.ts';
import { usedRatioAt } from '../prior/used-ratio.ts';
import { type Parameters1, readParameters1 } from './older-parameters.ts';
import { ParameterTimeline } from './parameter-timeline.ts';
import { defaultParameters, evenOffsets } from './parameters.ts';

const prior = { themes: { Castles: 0.3 }, subthemes: {}, examples: 900 };
const old: Parameters1 = {
  prior: {
    set: { ...prior, coefficients: [-0.1, 0, 0, 0, 0.1, 0.1, 0.1, 0, 0.7], spread: 0.25 },
    minifig: { ...prior, coefficients: [6, 0.1, 0.02, -0.3], spread: 0.5 },
  },
  usedRatio: { base: -0.3, perYear: -0.02, spread: 0.2 },
  newMinifig: 0.4,
  offsets: { set: { ...evenOffsets, auction: -0.1 }, minifig: evenOffsets },
  ranges: { set: { low: -1, high: 1.5 } },
};

test('what was learned then stays, and what was not is what is believed without learning', () => {
  const read = readParameters1(old);
  expect(read.prior.set.coefficients.slice(0, 8)).toEqual([-0.1, 0, 0, 0, 0.1, 0.1, 0.1, 0]);
  expect(read.prior.set.coefficients.slice(8)).toEqual(
    defaultParameters.prior.set.coefficients.slice(8),
  );
  expect(read.prior.set.themes).toEqual({ Castles: 0.3 });
  expect(read.prior.unpricedSet).toEqual(defaultParameters.prior.unpricedSet);
  expect(read.prior.minifig.coefficients).toEqual([6, 0.1, 0.02, -0.3]);
  expect(read.offsets).toEqual(old.offsets);
  expect(read.ranges).toEqual(old.ranges);
});

test('spreads are those of then, in production, and ratios those of then at every age', () => {
  const { prior: read, usedRatio } = readParameters1(old);
  const at = restingFacts.releasedAt ?? 0;
  const made = { ...restingFacts, theme: 'Castles', retiredAt: at + 1e11 };
  expect(setEstimates(made)?.(read, at).spread).toBeCloseTo(0.25, 6);
  expect(usedRatio.set).toMatchObject({ base: -0.3, perYear: -0.02, spread: 0.2 });
  for (const years of [0, 10, 40]) {
    const then = Date.UTC(2026 - years, 0);
    expect(usedRatioAt(usedRatio.minifig, then, Date.UTC(2026, 0))).toBeCloseTo(-0.4, 9);
  }
});

test('a timeline reads both', () => {
  const timeline = new ParameterTimeline([
    { month: 24_000, version: 'old', body: JSON.stringify(old) },
    { month: 24_001, version: 'new', body: JSON.stringify(defaultParameters) },
  ]);
  expect(timeline.at(24_000).parameters).toEqual(readParameters1(old));
  expect(timeline.at(24_001).parameters).toEqual(defaultParameters);
});
