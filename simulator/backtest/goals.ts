/** Goals of the backtests. */

import type { BuyingReport } from './buying-backtest.ts';
import type { ProbeReport } from './probes.ts';
import type { ScoreReport } from './report.ts';
import type { BacktestWorld } from './worlds.ts';

export interface Goal {
  readonly name: string;
  /** Such as `at most 0.93`. */
  readonly goal: string;
  readonly measured: number;
  readonly met: boolean;
}

export interface MeasuredBuying extends BuyingReport {
  readonly goals: readonly Goal[];
}

/** Smaller slices are not significant. */
const sliceCountMin = 300;

/** Share of a 30% drop to be followed, by number of sales. */
const followed: Readonly<Record<number, number>> = { 5: 0.6, 12: 0.85 };

/** In world A the engine must be better than simple methods, elsewhere not much worse. */
export function goalsOf(world: BacktestWorld, report: ScoreReport, probes: ProbeReport): Goal[] {
  const coverage = report.methods.at(-1)?.accuracy.range?.coverage ?? Number.NaN;
  const {
    best: { sale, truth },
    bestHelped,
  } = report;
  if (world !== 'A') {
    return [
      atMost('error against the next sale, over that of the best simple method', sale.ratio, 1.05),
      atMost('the same, over the best that is helped', bestHelped.sale.ratio, 1.05),
      between('share of sales in range', coverage, { low: 0.75, high: 0.85 }),
    ];
  }
  const { saleError = Number.NaN, bias = Number.NaN } = report.methods.at(-1)?.accuracy ?? {};
  const buckets = report.slices.filter(
    ({ by, engine }) => by === 'condition and sales in 180 days' && engine.count >= sliceCountMin,
  );
  return [
    atMost(
      'error against the next sale, over the noise floor',
      saleError / report.noiseFloor,
      1.15,
    ),
    atMost('error against the next sale, over that of the best simple method', sale.ratio, 0.93),
    atMost('error against the true value, over that of the best simple method', truth.ratio, 0.7),
    atMost('the same for the next sale, over the best that is helped', bestHelped.sale.ratio, 0.93),
    atMost(
      'the same for the true value, over the best that is helped',
      bestHelped.truth.ratio,
      0.7,
    ),
    between('bias', bias, { low: -0.01, high: 0.01 }),
    between('share of sales in range', coverage, { low: 0.78, high: 0.82 }),
    ...probes.oddSales.map(({ factor, moved }) =>
      atMost(`established values that one sale at ×${factor} moves`, moved, 0),
    ),
    ...probes.step.after.flatMap(({ sales, medianShare }) => {
      const target = followed[sales];
      return target === undefined
        ? []
        : [atLeast(`share of a lasting fall followed after ${sales} sales`, medianShare, target)];
    }),
    ...buckets.map(({ part, engine }) =>
      between(`share of sales in range: ${part}`, engine.range?.coverage ?? Number.NaN, {
        low: 0.75,
        high: 0.85,
      }),
    ),
  ];
}

/** Smaller cells, buckets and box sizes are not significant. */
const resalesMin = 4_000;
const waitsMin = 1_000;
const boxesMin = 1_000;

/** Tolerances of shares, and of predicted over observed times. */
const shareOff = 0.02;
const waitOff = 0.2;

export function buyingGoals({ shares, clearing, waits, boxes }: BuyingReport): Goal[] {
  const around = (share: number) => ({
    low: rounded(share - shareOff),
    high: rounded(share + shareOff),
  });
  return [
    ...clearing
      .filter(({ resales }) => resales >= resalesMin)
      .flatMap(({ tier, channel, cleared }) =>
        shares.map((share, index) =>
          between(
            `share that clears at ${Math.round(100 * share)} %: ${tier}, ${channel}`,
            cleared[index] ?? Number.NaN,
            around(share),
          ),
        ),
      ),
    ...waits
      // Beyond a year, too many units are still unsold at the end.
      .filter(({ waits, to }) => waits >= waitsMin && to !== null)
      .map(({ from, predictedDays, seenDays }) =>
        between(`predicted wait over that seen: from ${from} days on`, predictedDays / seenDays, {
          low: 1 - waitOff,
          high: 1 + waitOff,
        }),
      ),
    ...boxes
      .filter((report) => report.boxes >= boxesMin)
      .map(({ items, contents, inside }) =>
        between(`share of boxes in range: ${items} items, ${contents}`, inside, around(0.8)),
      ),
  ];
}

function rounded(share: number): number {
  return Math.round(share * 100) / 100;
}

function atMost(name: string, measured: number, bound: number): Goal {
  return { name, goal: `at most ${bound}`, measured, met: measured <= bound };
}

function atLeast(name: string, measured: number, bound: number): Goal {
  return { name, goal: `at least ${bound}`, measured, met: measured >= bound };
}

function between(
  name: string,
  measured: number,
  { low, high }: { readonly low: number; readonly high: number },
): Goal {
  const met = measured >= low && measured <= high;
  return { name, goal: `${low} to ${high}`, measured, met };
}
