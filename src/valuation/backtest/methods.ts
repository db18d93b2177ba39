/** The methods of valuing a set that are measured: the simple ones, and the engine. */

import { dayMs, type Month, monthOf } from '../../domain/kernel/time.ts';
import type { Estimator } from '../../domain/market/estimator.ts';
import type { DataTier } from '../../domain/market/evidence.ts';
import type { ParameterTimeline } from '../engine/parameter-timeline.ts';
import { setSubject } from '../engine/subject.ts';
import { sortWeighted, weightedQuantile } from '../quantile.ts';
import type { Price, Snapshot } from './snapshots.ts';

/** A value (logarithm of cents), and the range of the next ordinary sale where a method has one. */
export interface Prediction {
  readonly log: number;
  readonly range: { readonly low: number; readonly high: number } | null;
  readonly tier: DataTier | null;
}

/** A method of valuing. */
export interface Method {
  readonly name: string;
  /** Whether it is a simple method that is given what the engine has learned. */
  readonly isHelped: boolean;
  predict(known: Snapshot): Prediction | null;
}

const windowMs = 180 * dayMs;
const ewmaMs = 45 * dayMs;
const halfLifeMs = 60 * dayMs;

/** The methods that make a value of prices, by name. */
const byPrices = {
  'last sale': (prices) => prices.at(-1)?.log,
  'median of the last 5': (prices) => weightedMedian(prices.slice(-5), alike),
  'mean of 180 days': (prices, at) => meanLog(recent(prices, at), alike),
  'mean of 180 days, by quantity': (prices, at) =>
    meanLog(recent(prices, at), ({ quantity }) => quantity),
  'median of 180 days': (prices, at) => weightedMedian(recent(prices, at), alike),
  'moving average, 45 days': (prices, at) =>
    weightedMean(prices, (price) => Math.exp(-(at - price.at) / ewmaMs)),
  'weighted median, 60 days': (prices, at) =>
    weightedMedian(prices, (price) => 2 ** (-(at - price.at) / halfLifeMs)),
} as const satisfies Record<string, (prices: readonly Price[], at: number) => number | undefined>;

type PriceMethod = keyof typeof byPrices;

const priceMethods = Object.keys(byPrices) as PriceMethod[];

function priceMethod(name: PriceMethod): Method {
  return { name, isHelped: false, predict: ({ prices, at }) => plain(byPrices[name](prices, at)) };
}

/** On prices as they were paid, with nothing done to them. */
function rawMethod(name: PriceMethod): Method {
  return {
    name: `${name}, raw`,
    isHelped: false,
    predict: ({ rawPrices, at }) => plain(byPrices[name](rawPrices, at)),
  };
}

/** With the help of what the engine has learned of the channels. */
function helpedMethod(name: PriceMethod): Method {
  return {
    name: `${name}, helped`,
    isHelped: true,
    predict: ({ levelPrices, at }) => plain(byPrices[name](levelPrices, at)),
  };
}

/** The simple methods: on normalised prices, raw ones, and with the engine's help. */
export const simpleMethods: readonly Method[] = [
  {
    name: 'MSRP',
    isHelped: false,
    predict: ({ set }) => plain(set.facts.msrpCents && Math.log(set.facts.msrpCents)),
  },
  ...priceMethods.map(priceMethod),
  ...(['mean of 180 days', 'median of 180 days'] as const).map(rawMethod),
  ...(['median of 180 days', 'weighted median, 60 days'] as const).map(helpedMethod),
];

/** What a set is worth without any sale of its own, by the parameters in force. */
export function hedonicMethod(timeline: ParameterTimeline): Method {
  return {
    name: 'hedonic only',
    isHelped: true,
    predict: ({ set, at, condition }) => {
      const subject = setSubject({ ...set, sales: [], retailWeeks: [] });
      const { parameters } = timeline.at(monthOf(at));
      const prior = subject.prior(parameters, at);
      const ratio = condition === subject.lead ? 0 : subject.ratio(parameters, at).log;
      return plain(prior && prior.log + ratio);
    },
  };
}

/** An estimator as a method, with the parameters of the month. */
export function engineMethod(name: string, estimatorOf: (month: Month) => Estimator): Method {
  return {
    name,
    isHelped: false,
    predict: ({ set, at, condition }) => {
      const { [condition]: value, tier } = estimatorOf(monthOf(at)).prepareSet(set).valueAt(at);
      if (value === null) return null;
      const range = { low: Math.log(value.lowCents), high: Math.log(value.highCents) };
      return { log: Math.log(value.valueCents), range, tier };
    },
  };
}

/** Of no sales, nothing is said. */
function plain(log: number | null | undefined): Prediction | null {
  const isKnown = log !== null && log !== undefined && Number.isFinite(log);
  return isKnown ? { log, range: null, tier: null } : null;
}

/** The prices of the last 180 days; the last one where there are none. */
function recent(prices: readonly Price[], at: number): readonly Price[] {
  const inWindow = prices.filter((price) => price.at > at - windowMs);
  return inWindow.length > 0 ? inWindow : prices.slice(-1);
}

type Weigh = (price: Price) => number;

const alike: Weigh = () => 1;

/** The logarithm of the mean of prices, as those who publish means do it. */
function meanLog(prices: readonly Price[], weigh: Weigh): number {
  let [sum, total] = [0, 0];
  for (const price of prices) {
    const weight = weigh(price);
    sum += weight * Math.exp(price.log);
    total += weight;
  }
  return Math.log(sum / total);
}

/** The mean of logarithms. */
function weightedMean(prices: readonly Price[], weigh: Weigh): number {
  let [sum, total] = [0, 0];
  for (const price of prices) {
    const weight = weigh(price);
    sum += weight * price.log;
    total += weight;
  }
  return sum / total;
}

function weightedMedian(prices: readonly Price[], weigh: Weigh): number {
  const weighted = prices.map((price) => ({ value: price.log, weight: weigh(price) }));
  return weightedQuantile(sortWeighted(weighted), 0.5);
}
