/** Draws how far values were off with how many calls: planned, in turn, and asking everything. */
import type {
  AskingErrors,
  AskingRun,
  AskingWay,
} from '../src/valuation/backtest/sync-backtest.ts';
import type { DocumentedAsking } from './backtest-sync.ts';
import { colours, legend, line, type Point, picture, text } from './chart.ts';
import { percent } from './figures.ts';

const size = { width: 860, height: 340 };
const panel = { width: 340, height: 190, top: 96 };
const panelLefts = [70, 490] as const;

/** Lines of the scale are this far apart. */
const stepsWanted = 5;

/** The picture of docs/sources/asking.svg. */
export function askingPicture({ main }: DocumentedAsking): string {
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
  readonly of: keyof AskingErrors;
  readonly title: string;
}

function drawPanel(runs: readonly AskingRun[], { left, of, title }: Panel): string[] {
  const shares = [...new Set(runs.map(({ share }) => share))].sort((a, b) => a - b);
  const step = niceStep(Math.max(...runs.map((run) => run[of])) / stepsWanted);
  const top = Math.ceil(Math.max(...runs.map((run) => run[of])) / step) * step;
  const bottom = panel.top + panel.height;
  const lowest = Math.log(shares[0] ?? 1);
  const x = (share: number) => left + (1 - Math.log(share) / lowest) * panel.width;
  const y = (error: number) => bottom - (error / top) * panel.height;
  const full = runs.find(({ way }) => way === 'everything')?.[of] ?? 0;
  const curve = (way: AskingWay, stroke: string) => {
    const points = runs
      .filter((run) => run.way === way)
      .map((run): Point => ({ x: x(run.share), y: y(run[of]) }));
    return [...polyline(points, stroke), ...points.map((point) => dot(point, stroke))];
  };
  return [
    text({ x: left, y: panel.top - 14 }, title, { isBold: true }),
    ...Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step).flatMap(
      (error) => [
        line({ x: left, y: y(error) }, { x: left + panel.width, y: y(error) }, colours.grid),
        text({ x: left - 8, y: y(error) + 4 }, percent(error, 0), {
          anchor: 'end',
          fill: colours.soft,
        }),
      ],
    ),
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
    ...curve('in turn', colours.other),
    ...curve('planned', colours.engine),
  ];
}

function polyline(points: readonly Point[], stroke: string): string[] {
  const list = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return [`<polyline points="${list}" fill="none" stroke="${stroke}" stroke-width="2.5"/>`];
}

function dot({ x, y }: Point, fill: string): string {
  return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3.5" fill="${fill}"/>`;
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? rough;
}
