/** The valuation methods that are compared: simple ones and the engine. */

import { dayMs, type Month, monthOf } from '../../src/kernel/time.ts';
import type { DataTier } from '../../src/market/evidence/evidence.ts';
import type { ParameterTimeline } from '../../src/market/values/engine/parameter-timeline.ts';
import { setSubject } from '../../src/market/values/engine/subject.ts';
import type { Estimator } from '../../src/market/values/estimator.ts';
import { sortWeighted, weightedQuantile } from '../../src/market/values/quantile.ts';
import type { Price, Snapshot } from './snapshots.ts';

/** Log of cents, with a range if the method has one. */
export interface Prediction {
  readonly log: number;
  readonly range: { readonly low: number; readonly high: number } | null;
  readonly tier: DataTier | null;
}

export interface Method {
  readonly name: string;
  /** Whether it uses channel offsets or the prior learned by the engine. */
  readonly isHelped: boolean;
  predict(known: Snapshot): Prediction | null;
}

const windowMs = 180 * dayMs;
/** Time constant of the exponential moving average. */
const ewmaMs = 45 * dayMs;
/** Half-life of the weights in the weighted median. */
const halfLifeMs = 60 * dayMs;

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

/** On prices as paid. */
function rawMethod(name: PriceMethod): Method {
  return {
    name: `${name}, raw`,
    isHelped: false,
    predict: ({ rawPrices, at }) => plain(byPrices[name](rawPrices, at)),
  };
}

/** On prices adjusted by the learned channel offsets. */
function helpedMethod(name: PriceMethod): Method {
  return {
    name: `${name}, helped`,
    isHelped: true,
    predict: ({ levelPrices, at }) => plain(byPrices[name](levelPrices, at)),
  };
}

/** On normalized, raw and channel-adjusted prices. */
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

/** The prior alone, without any sales. */
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

function plain(log: number | null | undefined): Prediction | null {
  const isKnown = log !== null && log !== undefined && Number.isFinite(log);
  return isKnown ? { log, range: null, tier: null } : null;
}

/** Prices of the last 180 days, or else the last one. */
function recent(prices: readonly Price[], at: number): readonly Price[] {
  const inWindow = prices.filter((price) => price.at > at - windowMs);
  return inWindow.length > 0 ? inWindow : prices.slice(-1);
}

type Weigh = (price: Price) => number;

const alike: Weigh = () => 1;

/** Log of the arithmetic mean. */
function meanLog(prices: readonly Price[], weigh: Weigh): number {
  let [sum, total] = [0, 0];
  for (const price of prices) {
    const weight = weigh(price);
    sum += weight * Math.exp(price.log);
    total += weight;
  }
  return Math.log(sum / total);
}

/** Mean of logs. */
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
