/**
 * Accuracy of values without sales on real prices: Brickset's export of September 2022, with values
 * and retail prices in US dollars. The files are not part of this project; without them this is
 * skipped. Rows with a new value and a number of pieces count: rows without pieces are books, gear
 * and single characters, rows without a US retail price are polybags, gifts and sets not sold
 * there. `npm run backtest:real` measures far more.
 */
// @runs SQLite (rest): reads files of other services
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { yearsBetween } from '../../src/kernel/time.ts';
import { makeEstimator } from '../../src/market/values/engine/estimator.ts';
import { type SetPriors, setEstimates } from '../../src/market/values/prior/set-estimate.ts';
import { defaultSetPrior, fitSetPrior } from '../../src/market/values/prior/set-prior.ts';
import {
  defaultUnpricedPrior,
  fitUnpricedPrior,
} from '../../src/market/values/prior/unpriced-prior.ts';
import {
  defaultUsedRatio,
  fitUsedRatio,
  usedRatioAt,
} from '../../src/market/values/prior/used-ratio.ts';
import { quantile } from '../../src/market/values/quantile.ts';
import { type BricksetRow, readBrickset } from '../support/brickset.ts';

const folder = resolve(import.meta.dir, '../../../shared/data/brickset_csv_export_2022-09');
const exportedAt = Date.UTC(2022, 8, 15);
const folds = [0, 1, 2, 3, 4];
const unlearned: SetPriors = { set: defaultSetPrior, unpricedSet: defaultUnpricedPrior };

describe.skipIf(!existsSync(folder))('real prices', () => {
  const rows = existsSync(folder) ? readBrickset(folder) : [];
  const valued = rows.filter((row) => row.newUsd !== null && row.facts.pieces !== null);
  const compared = valued.filter((row) => row.facts.msrpCents !== null);

  const unpriced = valued.filter((row) => row.facts.msrpCents === null);

  const priors = folds.map((fold): SetPriors => {
    const examples = valued.filter((row) => foldOf(row) !== fold).map(exampleOf);
    return { set: fitSetPrior(examples), unpricedSet: fitUnpricedPrior(examples) };
  });
  const learned = (row: BricksetRow) => priceBy(priors[foldOf(row)], row);
  const retail = ({ facts }: BricksetRow) => facts.msrpCents ?? Number.NaN;

  test('the files are read completely', () => {
    expect(rows).toHaveLength(8960);
    expect(rows.filter(({ newUsd }) => newUsd !== null)).toHaveLength(6223);
    expect(rows.filter(({ usedUsd }) => usedUsd !== null)).toHaveLength(4863);
    expect(rows.filter(({ facts }) => facts.retiredAt !== null)).toHaveLength(4634);
    expect(compared).toHaveLength(4615);
  });

  test('a set outside the training data is valued within 20%, far better than by its retail price', () => {
    const error = medianError(compared, learned);
    expect(error).toBeLessThanOrEqual(0.3);
    expect(error).toBeLessThanOrEqual(0.7 * medianError(compared, retail));
    expect(error).toBeLessThan(0.2);
  });

  test.each([
    ['retired', (at: number) => at <= exportedAt, 0.65],
    ['in production', (at: number) => at > exportedAt, 0.7],
  ])('the same holds for sets %s', (_, holds, share) => {
    const some = compared.filter(({ facts }) => facts.retiredAt !== null && holds(facts.retiredAt));
    expect(some.length).toBeGreaterThan(600);
    expect(medianError(some, learned)).toBeLessThan(share * medianError(some, retail));
  });

  test('even without training, values are better than the retail price', () => {
    const start = medianError(compared, (row) => priceBy(unlearned, row));
    expect(start).toBeLessThan(0.85 * medianError(compared, retail));
  });

  test('even without training, values are in the right order, and nine in ten are shown', () => {
    const ratios = compared.map((row) => priceBy(unlearned, row) / ((row.newUsd ?? 0) * 100));
    const level = quantile(ratios, 0.5);
    const errors = ratios.map((ratio) => Math.abs(ratio / level - 1));
    expect(quantile(errors, 0.5)).toBeLessThan(0.225);
    expect(Math.abs(level - 1)).toBeLessThan(0.06);
    const shown = compared.filter(({ facts }) => {
      const set = { facts, sales: [], retailWeeks: [] };
      return makeEstimator([]).prepareSet(set).valueAt(exportedAt).sealed !== null;
    });
    expect(shown.length / compared.length).toBeGreaterThan(0.9);
  });

  test('a set without a retail price outside the training data is valued within 35%', () => {
    expect(unpriced.length).toBeGreaterThan(1_400);
    expect(medianError(unpriced, learned)).toBeLessThan(0.35);
  });

  test.each([
    ['with', compared],
    ['without', unpriced],
  ])('four in five values of sets %s a retail price lie in their range', (_, some) => {
    const inside = some.filter((row) => {
      const prior = estimateBy(priors[foldOf(row)], row);
      return prior && Math.abs(prior.log - exampleOf(row).log) < 1.2816 * prior.spread;
    });
    expect(inside.length / some.length).toBeWithin(0.77, 0.83);
  });

  test('used values are derived from new ones within a fifth, better than by the default', () => {
    const both = valued.filter(({ usedUsd }) => usedUsd !== null);
    const ratios = folds.map((fold) =>
      fitUsedRatio(both.filter((row) => foldOf(row) !== fold).map(ratioOf)),
    );
    const by = (row: BricksetRow, ratio = ratios[foldOf(row)] ?? defaultUsedRatio) =>
      (row.newUsd ?? 0) * Math.exp(usedRatioAt(ratio, row.facts.releasedAt, exportedAt));
    const error = (price: (row: BricksetRow) => number) =>
      quantile(
        both.map((row) => Math.abs(price(row) / (row.usedUsd ?? 0) - 1)),
        0.5,
      );
    expect(error((row) => by(row))).toBeLessThanOrEqual(error((row) => by(row, defaultUsedRatio)));
    expect(error((row) => by(row))).toBeLessThan(0.2);
  });
});

function foldOf({ number }: BricksetRow): number {
  return Bun.hash.crc32(number) % folds.length;
}

function exampleOf({ facts, newUsd }: BricksetRow) {
  return { facts, at: exportedAt, log: Math.log((newUsd ?? 0) * 100) };
}

function ratioOf({ facts, newUsd, usedUsd }: BricksetRow) {
  const years = Math.max(0, yearsBetween(facts.releasedAt ?? exportedAt, exportedAt));
  return { years, log: Math.log((usedUsd ?? 0) / (newUsd ?? 0)) };
}

function estimateBy(priors: SetPriors | undefined, { facts }: BricksetRow) {
  return setEstimates(facts)?.at(priors ?? unlearned, exportedAt) ?? null;
}

function priceBy(priors: SetPriors | undefined, row: BricksetRow): number {
  return Math.exp(estimateBy(priors, row)?.log ?? Number.NaN);
}

/** The median absolute error, relative to the value. */
function medianError(rows: readonly BricksetRow[], cents: (row: BricksetRow) => number): number {
  return quantile(
    rows.map((row) => Math.abs(cents(row) / ((row.newUsd ?? 0) * 100) - 1)),
    0.5,
  );
}
