/** Draws how many sales lay in range, and how far values were off, by the sales behind them. */
import type { Slice } from '../src/valuation/backtest/slices.ts';
import type { DocumentedBacktest } from './backtest.ts';
import { bar, colours, legend, line, picture, text } from './chart.ts';
import { percent } from './figures.ts';

const size = { width: 860, height: 400 };
const plot = { top: 96, bottom: 318 };
const panels = { coverage: { left: 62, right: 424 }, errors: { left: 492, right: 842 } };

/** A panel: where it is, which shares it shows, and where its groups are. */
interface Panel {
  readonly left: number;
  readonly right: number;
  y(share: number): number;
  /** The middle of a group. */
  x(index: number): number;
}

/** The picture of docs/coverage.svg. */
export function coveragePicture({ main }: DocumentedBacktest): string {
  const slices = main.slices.filter(({ by }) => by === 'condition and sales in 180 days');
  return picture(size, 'Coverage of ranges and errors, by the number of sales', [
    ...coverage(slices),
    ...errors(slices, main.best.sale.name),
  ]);
}

function coverage(slices: readonly Slice[]): string[] {
  const panel = makePanel(panels.coverage, slices.length, { low: 0.7, high: 0.9 });
  const { left, right, x, y } = panel;
  const shares = slices.map(({ engine }) => engine.range?.coverage ?? 0);
  const within = (share: number) => Math.max(0.7, Math.min(0.9, share));
  return [
    text({ x: left - 38, y: 30 }, 'Sales inside the range (goal: 80%)', {
      size: 15,
      isBold: true,
    }),
    text({ x: left - 38, y: 54 }, 'shaded: 75 to 85%', { fill: colours.soft }),
    `<rect x="${left}" y="${y(0.85)}" width="${right - left}" height="${y(0.75) - y(0.85)}" ` +
      `fill="${colours.band}" fill-opacity="0.22"/>`,
    ...axis(panel, [0.7, 0.75, 0.8, 0.85, 0.9]),
    line({ x: left, y: y(0.8) }, { x: right, y: y(0.8) }, colours.ink, '4 3'),
    ...shares.flatMap((share, index) => [
      `<circle cx="${x(index).toFixed(1)}" cy="${y(within(share)).toFixed(1)}" r="5" ` +
        `fill="${colours.engine}"/>`,
      text(
        { x: x(index), y: y(within(share)) + (share < 0.8 ? 20 : -11) },
        (100 * share).toFixed(1),
        { anchor: 'middle', size: 11, isBold: true },
      ),
    ]),
    ...groupLabels(panel, slices),
  ];
}

function errors(slices: readonly Slice[], simpleName: string): string[] {
  const largest = Math.max(...slices.flatMap((s) => [s.engine.trueError, s.simple.trueError]));
  const high = Math.ceil(largest / 0.05) * 0.05;
  const panel = makePanel(panels.errors, slices.length, { low: 0, high });
  const { left, right, x, y } = panel;
  const barWidth = ((right - left) / slices.length) * 0.4;
  const draw = (share: number, at: number, fill: string, anchor: 'start' | 'end') => [
    bar({ x: at, y: y(share) }, { width: barWidth, height: y(0) - y(share) }, fill),
    text({ x: anchor === 'end' ? at + barWidth : at, y: y(share) - 4 }, (100 * share).toFixed(1), {
      anchor,
      size: 9.5,
    }),
  ];
  return [
    text({ x: left - 38, y: 30 }, 'Error against the true value (median)', {
      size: 15,
      isBold: true,
    }),
    ...legend({ x: left - 38, y: 54 }, [
      { fill: colours.engine, words: 'engine' },
      { fill: colours.other, words: simpleName },
    ]),
    ...axis(
      panel,
      Array.from({ length: Math.round(high / 0.05) + 1 }, (_, i) => i * 0.05),
    ),
    ...slices.flatMap(({ engine, simple }, index) => [
      ...draw(engine.trueError, x(index) - barWidth - 0.5, colours.engine, 'end'),
      ...draw(simple.trueError, x(index) + 0.5, colours.other, 'start'),
    ]),
    ...groupLabels(panel, slices),
  ];
}

function makePanel(
  place: { readonly left: number; readonly right: number },
  groups: number,
  shares: { readonly low: number; readonly high: number },
): Panel {
  const scale = (plot.bottom - plot.top) / (shares.high - shares.low);
  return {
    ...place,
    y: (share) => plot.bottom - (share - shares.low) * scale,
    x: (index) => place.left + ((index + 0.5) * (place.right - place.left)) / groups,
  };
}

function axis({ left, right, y }: Panel, shares: readonly number[]): string[] {
  return shares.flatMap((share) => [
    line({ x: left, y: y(share) }, { x: right, y: y(share) }, colours.grid),
    text({ x: left - 7, y: y(share) + 4 }, percent(share, 0), {
      anchor: 'end',
      fill: colours.soft,
    }),
  ]);
}

/** The number of sales under each group, and the condition under those that share it. */
function groupLabels({ left, right, x }: Panel, slices: readonly Slice[]): string[] {
  const named = slices.map(({ part }, index) => {
    const [condition = '', support = ''] = part.split(', ');
    return { condition, support: support.replace('-', '–'), index };
  });
  const conditions = [...Map.groupBy(named, ({ condition }) => condition)];
  return [
    ...named.map(({ support, index }) =>
      text({ x: x(index), y: plot.bottom + 18 }, support, { anchor: 'middle' }),
    ),
    ...conditions.map(([condition, members]) => {
      const [first, last] = [members[0]?.index ?? 0, members.at(-1)?.index ?? 0];
      const middle = (x(first) + x(last)) / 2;
      return text({ x: middle, y: plot.bottom + 38 }, condition, {
        anchor: 'middle',
        isBold: true,
      });
    }),
    text({ x: (left + right) / 2, y: plot.bottom + 60 }, 'sales in the 180 days before', {
      anchor: 'middle',
      fill: colours.soft,
    }),
  ];
}
