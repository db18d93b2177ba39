/** Values drift like the prior, within bounds. */
import { expect, test } from 'bun:test';
import { noon, restingFacts, setOf, unknownFacts } from '../../../../test/support/valuation.ts';
import { dayMs, monthOf, monthStart } from '../../../kernel/time.ts';
import type { ValuationFacts } from '../estimator.ts';
import { monthTerms } from './month-terms.ts';
import { defaultParameters, type Parameters } from './parameters.ts';
import { setSubject } from './subject.ts';

const month = monthOf(noon);

function termsOf(facts: ValuationFacts, parameters: Parameters = defaultParameters) {
  return monthTerms(setSubject(setOf([], facts)), { version: 'v', parameters }, month);
}

test('the drift of a month is the change of prior and ratio from start to end', () => {
  const subject = setSubject(setOf([]));
  const prior = (at: number) => subject.prior(defaultParameters, at)?.log ?? Number.NaN;
  const terms = termsOf(restingFacts);
  const [start, end] = [monthStart(month), monthStart(month + 1)];
  expect(terms).toMatchObject({ month, end });
  const { value, ratio } = terms.drift();
  expect(value * (end - start)).toBeCloseTo(prior(end) - prior(start), 12);
  expect(value).toBeGreaterThan(0);
  // 4% a year.
  expect(ratio * 365.25 * dayMs).toBeCloseTo(-0.04, 12);
});

test('there is no drift without a prior', () => {
  expect(termsOf(unknownFacts).drift().value).toBe(0);
});

test('the drift is at most 0.15% a day', () => {
  const { coefficients, ...rest } = defaultParameters.prior.set;
  for (const perYear of [2, -2]) {
    const set = { ...rest, coefficients: coefficients.with(6, perYear) };
    const prior = { ...defaultParameters.prior, set };
    const { value } = termsOf(restingFacts, { ...defaultParameters, prior }).drift();
    expect(value * dayMs).toBeCloseTo(Math.sign(perYear) * 0.0015, 12);
  }
});
