/** Poisoning: fake sales by one account that teach wrong parameters, and so move other sets. */

import { dayMs, monthOf } from '../../src/kernel/time.ts';
import type { StoredSale } from '../../src/market/source-rows/source-rows.ts';
import { ParameterTimeline } from '../../src/market/values/engine/parameter-timeline.ts';
import type { Parameters } from '../../src/market/values/engine/parameters.ts';
import { setSubject } from '../../src/market/values/engine/subject.ts';
import type { SetToValue } from '../../src/market/values/estimator.ts';
import { Fit } from '../../src/market/values/fit/fit.ts';
import { sampleRank } from '../../src/market/values/learned-items.ts';
import { quantile } from '../../src/market/values/quantile.ts';
import { SetHistory } from './snapshots.ts';
import type { BacktestItem } from './worlds.ts';

export interface PoisonResult {
  readonly name: string;
  /** How far what was poisoned is from what is learned without fakes. */
  readonly move: number;
}

interface Known {
  readonly key: string;
  readonly set: SetToValue;
}

/** `at` is the start of a month. */
export async function measurePoisoning(
  items: readonly BacktestItem[],
  at: number,
): Promise<PoisonResult[]> {
  const market = items.map((item) => ({ key: item.key, set: new SetHistory(item).at(at) }));
  return [await poisonTheme(market, at), await poisonOffset(market, at)];
}

const themeFakes = { sets: 5, salesPerSet: 2, factor: 3 };

/** In a theme without other sales of half a year; the values of its other sets are measured. */
async function poisonTheme(market: readonly Known[], at: number): Promise<PoisonResult> {
  const theme = quietTheme(market);
  const isQuiet = ({ set }: Known) => set.facts.theme === theme;
  const quiet = market.map((item) =>
    isQuiet(item) ? withSales(item, (sale) => sale.soldAt < at - 180 * dayMs) : item,
  );
  const targets = quiet.filter(isQuiet).slice(0, themeFakes.sets);
  const others = quiet.filter((item) => isQuiet(item) && !targets.includes(item));
  const before = await learn(quiet, at);
  const after = await learn(
    quiet.map((item) => {
      const index = targets.indexOf(item);
      if (index < 0) return item;
      const log = priorLog(before, item, at) + Math.log(themeFakes.factor);
      const fakes = Array.from({ length: themeFakes.salesPerSet }, (_, each) =>
        fakeSale(at - (5 + 10 * index + each) * dayMs, log, 'fixed'),
      );
      return withMore(item, fakes);
    }),
    at,
  );
  const moves = others.map((item) => priorLog(after, item, at) - priorLog(before, item, at));
  const sales = themeFakes.sets * themeFakes.salesPerSet;
  return {
    name: `${sales} sales at ${themeFakes.factor} times: the other sets of a quiet theme`,
    move: Math.expm1(quantile(moves, 0.5)),
  };
}

const offsetFakes = { sales: 300, days: 90, factor: 1.6 };

/** Each right after an honest sale at a fixed price. */
async function poisonOffset(market: readonly Known[], at: number): Promise<PoisonResult> {
  const from = at - offsetFakes.days * dayMs;
  let left = offsetFakes.sales;
  const poisoned = market.map((item) => {
    const fakes = item.set.sales
      .filter(({ soldAt, channel, condition }) => {
        return soldAt > from && channel === 'fixed' && condition === 'sealed' && left-- > 0;
      })
      .map(({ soldAt, priceCents, usdPerUnit, quantity }) => {
        const log = Math.log((priceCents * usdPerUnit * offsetFakes.factor) / quantity);
        return fakeSale(soldAt + 1_000, log, 'amazon');
      });
    return withMore(item, fakes);
  });
  const [before, after] = [await learn(market, at), await learn(poisoned, at)];
  const made = offsetFakes.sales - Math.max(0, left);
  return {
    name: `${made} sales at Amazon at ${offsetFakes.factor} times: its price level of all sets`,
    move: Math.expm1(after.offsets.set.amazon - before.offsets.set.amazon),
  };
}

/** The smallest theme in which as many sets are left as fakes are sold of. */
function quietTheme(market: readonly Known[]): string | null {
  const themes = [...Map.groupBy(market, ({ set }) => set.facts.theme)].sort(
    ([, a], [, b]) => a.length - b.length,
  );
  return themes.find(([, sets]) => sets.length >= 2 * themeFakes.sets)?.[0] ?? null;
}

async function learn(market: readonly Known[], at: number): Promise<Parameters> {
  const fit = new Fit();
  for (const { key, set } of market) fit.addSet(set, sampleRank(key));
  const month = monthOf(at);
  const learned = await fit.learn({ frozen: [], from: month, to: month });
  return new ParameterTimeline(learned).at(month).parameters;
}

function priorLog(parameters: Parameters, { set }: Known, at: number): number {
  return setSubject({ ...set, sales: [] }).prior(parameters, at)?.log ?? Number.NaN;
}

function withSales(item: Known, holds: (sale: StoredSale) => boolean): Known {
  return { ...item, set: { ...item.set, sales: item.set.sales.filter(holds) } };
}

function withMore(item: Known, more: readonly StoredSale[]): Known {
  const sales = [...item.set.sales, ...more].sort((a, b) => a.soldAt - b.soldAt);
  return { ...item, set: { ...item.set, sales } };
}

function fakeSale(soldAt: number, log: number, channel: StoredSale['channel']): StoredSale {
  return {
    source: 'ebay',
    sourceId: `fake-${soldAt}`,
    condition: 'sealed',
    priceCents: Math.round(Math.exp(log)),
    shippingCents: 0,
    currency: 'USD',
    quantity: 1,
    soldAt,
    channel,
    seller: 'the account',
    completeness: 'complete',
    ingestedAt: soldAt,
    retractedAt: null,
    usdPerUnit: 1,
  };
}
