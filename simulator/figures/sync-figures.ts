/** The figures and the chart of docs/sources/planning.md, from docs/backtest-sync.json. */
import { at } from '../../src/kernel/at.ts';
import { quantile } from '../../src/market/values/quantile.ts';
import type { SyncErrors, SyncRun, SyncStrategy } from '../backtest/sync-backtest.ts';
import {
  axisSteps,
  colours,
  dot,
  legend,
  line,
  type Point,
  picture,
  text,
  valueAxis,
} from './chart.ts';
import { markdownTable, percent } from './markdown.ts';
import { type SyncMeasurement, type SyncMeasurements, tenth } from './measure.ts';

/** By the names of their markers. */
export const syncSections: Readonly<Record<string, (measured: SyncMeasurements) => string>> = {
  'asking-goals': goals,
  'asking-a-tenth': aTenth,
  'asking-by-calls': byCalls,
};

/** Goals of planned sync with a tenth of the calls, relative to the other strategies. */
const goal = { aboveFull: 0.1, belowRoundRobin: 0.25 } as const;

function goals({ main, others }: SyncMeasurements): string {
  const markets = [main, ...others];
  const row = (of: keyof SyncErrors, words: string) => {
    const errors = markets.map((market) => errorsOf(market, tenth, of));
    const above = errors.map(({ planned, full }) => planned / full - 1);
    const below = errors.map(({ planned, roundRobin }) => 1 - planned / roundRobin);
    const possible = errors.map(({ full, roundRobin }) => 1 - full / roundRobin);
    const count = (values: readonly number[], isReached: (value: number) => boolean) =>
      `${values.filter(isReached).length} of ${markets.length}`;
    const isBelow = (value: number) => value >= goal.belowRoundRobin;
    return [
      words,
      spreadOf(above),
      count(above, (value) => value <= goal.aboveFull),
      spreadOf(below),
      count(below, isBelow),
      count(possible, isBelow),
    ];
  };
  return markdownTable(
    [
      'planned, a tenth of the calls',
      'above full refresh',
      'at most 10% above',
      'below round robin',
      'at least 25% below',
      'full refresh is 25% below round robin',
    ],
    [row('filling', 'first 10 days'), row('settled', 'after a month')],
  );
}

/** Median and extremes. */
function spreadOf(values: readonly number[]): string {
  const extremes = [Math.min(...values), Math.max(...values)].map((value) => percent(value));
  return `${percent(quantile(values, 0.5))} (${extremes.join(' to ')})`;
}

/** All markets, with a tenth of the calls. */
function aTenth({ main, others }: SyncMeasurements): string {
  const cells = (market: SyncMeasurement, of: keyof SyncErrors) => {
    const { full, planned, roundRobin } = errorsOf(market, tenth, of);
    return [
      percent(full),
      `${percent(planned)} (${ratio(planned, full)})`,
      `${percent(roundRobin)} (${ratio(roundRobin, full)})`,
      `${percent(1 - planned / roundRobin)}`,
    ];
  };
  return markdownTable(
    [
      'market',
      'first 10 days: full refresh',
      'planned',
      'round robin',
      'planned below round robin',
      'after a month: full refresh',
      'planned',
      'round robin',
      'planned below round robin',
    ],
    [main, ...others].map((market) => [
      `${market.world}, seed ${market.seed}`,
      ...cells(market, 'filling'),
      ...cells(market, 'settled'),
    ]),
  );
}

/** The main market, with all budgets. */
function byCalls({ main }: SyncMeasurements): string {
  const shares = [...new Set(main.runs.map(({ share }) => share))].sort((a, b) => a - b);
  return markdownTable(
    [
      'calls',
      'first 10 days: planned',
      'round robin',
      'after a month: planned',
      'round robin',
      'equal weights: planned',
      'round robin',
    ],
    shares.map((share) => [
      percent(share, share < 0.01 ? 1 : 0),
      ...(['filling', 'settled', 'unweighted'] as const).flatMap((of) => {
        const { planned, roundRobin } = errorsOf(main, share, of);
        return [percent(planned), percent(roundRobin)];
      }),
    ]),
  );
}

/** With enough calls for all items, both strategies are a full refresh. */
function errorsOf({ runs }: SyncMeasurement, share: number, of: keyof SyncErrors) {
  const error = (matches: (run: SyncRun) => boolean) => runs.find(matches)?.[of] ?? Number.NaN;
  const full = error(({ strategy }) => strategy === 'full refresh');
  const errorOf = (strategy: SyncStrategy) =>
    share === 1 ? full : error((run) => run.strategy === strategy && run.share === share);
  return { full, planned: errorOf('planned'), roundRobin: errorOf('round robin') };
}

function ratio(error: number, full: number): string {
  return `× ${(error / full).toFixed(2)}`;
}

const size = { width: 860, height: 340 };
const panel = { width: 340, height: 190, top: 96 };
const panelLefts = [70, 490] as const;

/** Approximate number of grid lines. */
const stepsWanted = 5;

/** docs/sources/asking.svg: error by calls per day and strategy. */
export function syncPicture({ main }: SyncMeasurements): string {
  const panels = [
    {
      left: panelLefts[0],
      of: 'filling' as const,
      title: 'First ten days, from an empty store',
    },
    { left: panelLefts[1], of: 'settled' as const, title: 'After a month' },
  ];
  return picture(size, 'Error by calls per day', [
    text({ x: 24, y: 28 }, 'Error of values by calls per day', { size: 15, isBold: true }),
    ...legend({ x: 24, y: 52 }, [
      { fill: colours.engine, words: 'planned' },
      { fill: colours.other, words: 'round robin' },
      { fill: colours.ink, words: 'full refresh' },
    ]),
    ...panels.flatMap((each) => drawPanel(main.runs, each)),
  ]);
}

interface Panel {
  readonly left: number;
  readonly of: keyof SyncErrors;
  readonly title: string;
}

function drawPanel(runs: readonly SyncRun[], { left, of, title }: Panel): string[] {
  const shares = [...new Set(runs.map(({ share }) => share))].sort((a, b) => a - b);
  const step = niceStep(Math.max(...runs.map((run) => run[of])) / stepsWanted);
  const top = Math.ceil(Math.max(...runs.map((run) => run[of])) / step) * step;
  const bottom = panel.top + panel.height;
  const lowest = Math.log(at(shares, 0));
  const x = (share: number) => left + (1 - Math.log(share) / lowest) * panel.width;
  const y = (error: number) => bottom - (error / top) * panel.height;
  const full = runs.find(({ strategy }) => strategy === 'full refresh')?.[of] ?? 0;
  const curve = (strategy: SyncStrategy, stroke: string) => {
    const points = runs
      .filter((run) => run.strategy === strategy)
      .map((run): Point => ({ x: x(run.share), y: y(run[of]) }));
    return [...polyline(points, stroke), ...points.map((point) => dot(point, stroke, 3.5))];
  };
  return [
    text({ x: left, y: panel.top - 14 }, title, { isBold: true }),
    ...valueAxis({ left, right: left + panel.width, y }, axisSteps(0, top, step)),
    ...shares.map((share) =>
      text({ x: x(share), y: bottom + 18 }, percent(share, share < 0.01 ? 1 : 0), {
        anchor: 'middle',
        fill: colours.soft,
        size: 11,
      }),
    ),
    text({ x: left + panel.width / 2, y: bottom + 38 }, 'of the calls of a full refresh', {
      anchor: 'middle',
      fill: colours.soft,
    }),
    line({ x: left, y: y(full) }, { x: left + panel.width, y: y(full) }, colours.ink, '4 3'),
    ...curve('round robin', colours.other),
    ...curve('planned', colours.engine),
  ];
}

function polyline(points: readonly Point[], stroke: string): string[] {
  const list = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return [`<polyline points="${list}" fill="none" stroke="${stroke}" stroke-width="2.5"/>`];
}

/** The next of 1, 2, 5, 10 times a power of ten. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? rough;
}
