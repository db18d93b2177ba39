/** What was to be reached, and whether it was. */
import type { BacktestWorld } from '../../domain/market/backtest-market.ts';
import type { ProbeReport } from './probes.ts';
import type { ScoreReport } from './report.ts';

/** A goal, and what was measured. */
export interface Goal {
  readonly name: string;
  /** In words, such as `at most 0.93`. */
  readonly goal: string;
  readonly measured: number;
  readonly met: boolean;
}

/** A slice with fewer scores proves nothing. */
const sliceCountMin = 300;

/** How much of a fall by 30 % is to be followed after so many sales. */
const followed: Readonly<Record<number, number>> = { 5: 0.6, 12: 0.85 };

/** The goals in a world: in A the engine must be better, elsewhere it must not be much worse. */
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
