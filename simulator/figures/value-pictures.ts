/** The pictures about values: errors of all methods, and coverage by number of sales. */
import { at } from '../../src/kernel/at.ts';
import type { Slice } from '../backtest/slices.ts';
import { axisSteps, bar, colours, dot, legend, line, picture, text, valueAxis } from './chart.ts';
import { percent } from './markdown.ts';
import type { ValueMeasurements } from './measure.ts';

const width = 860;

const margin = { left: 232, right: 70, top: 92, bottom: 34 };
const rowHeight = 36;
const barHeight = 12;
const stepShare = 0.05;

/** Bars end at this multiple of the noise floor. */
const floorsMax = 1.85;

/** docs/accuracy.svg: errors against the next sale and the true value, by method. */
export function accuracyPicture({ main }: ValueMeasurements): string {
  const methods = main.methods.toSorted((a, b) => b.accuracy.saleError - a.accuracy.saleError);
  const height = margin.top + methods.length * rowHeight + margin.bottom;
  const top = Math.ceil((main.noiseFloor * floorsMax) / stepShare) * stepShare;
  const x = (share: number) =>
    margin.left + (Math.min(share, top) / top) * (width - margin.left - margin.right);
  const bottom = height - margin.bottom;
  const engine = at(main.methods, main.methods.length - 1).name;
  const rows = methods.flatMap(({ name, accuracy }, index) => {
    const isEngine = name === engine;
    const y = margin.top + index * rowHeight + 5;
    const draw = (share: number, offset: number, fill: string) => [
      bar(
        { x: margin.left, y: y + offset },
        { width: x(share) - margin.left, height: barHeight },
        fill,
      ),
      text(
        { x: x(share) + 6, y: y + offset + barHeight - 2 },
        `${percent(share)}${share > top ? ' →' : ''}`,
        { size: 11, isBold: isEngine },
      ),
    ];
    return [
      text({ x: margin.left - 10, y: y + barHeight + 5 }, name, {
        anchor: 'end',
        isBold: isEngine,
      }),
      ...draw(accuracy.saleError, 0, isEngine ? colours.engine : colours.other),
      ...draw(accuracy.trueError, barHeight + 1, isEngine ? colours.engineSoft : colours.otherSoft),
    ];
  });
  const floor = x(main.noiseFloor);
  const title = `How far values were off, median over ${main.scored.toLocaleString('en')} sales`;
  return picture({ width, height }, 'Errors of the methods', [
    text({ x: 24, y: 28 }, title, { size: 15, isBold: true }),
    ...legend({ x: 24, y: 52 }, [
      { fill: colours.engine, words: 'engine: next sale' },
      { fill: colours.engineSoft, words: 'engine: true value' },
      { fill: colours.other, words: 'simple methods: next sale' },
      { fill: colours.otherSoft, words: 'simple methods: true value' },
    ]),
    ...axisSteps(0, top, stepShare).flatMap((share) => [
      line({ x: x(share), y: margin.top }, { x: x(share), y: bottom }, colours.grid),
      text({ x: x(share), y: bottom + 18 }, percent(share, 0), {
        anchor: 'middle',
        fill: colours.soft,
      }),
    ]),
    ...rows,
    line({ x: floor, y: margin.top - 6 }, { x: floor, y: bottom }, colours.ink, '4 3'),
    text(
      { x: floor, y: margin.top - 12 },
      `noise floor: the true value is off by ${percent(main.noiseFloor)}`,
      {
        anchor: 'middle',
      },
    ),
  ]);
}

const coverageHeight = 400;
const plot = { top: 96, bottom: 318 };
const panels = { coverage: { left: 62, right: 424 }, errors: { left: 492, right: 842 } };

interface Panel {
  readonly left: number;
  readonly right: number;
  y(share: number): number;
  /** The middle of a group. */
  x(index: number): number;
}

/** docs/coverage.svg: coverage of ranges and errors, by number of sales. */
export function coveragePicture({ main }: ValueMeasurements): string {
  const slices = main.slices.filter(({ by }) => by === 'condition and sales in 180 days');
  return picture(
    { width, height: coverageHeight },
    'Coverage of ranges and errors, by the number of sales',
    [...coverage(slices), ...errors(slices, main.best.sale.name)],
  );
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
    ...valueAxis(panel, axisSteps(0.7, 0.9, stepShare)),
    line({ x: left, y: y(0.8) }, { x: right, y: y(0.8) }, colours.ink, '4 3'),
    ...shares.flatMap((share, index) => [
      dot({ x: x(index), y: y(within(share)) }, colours.engine, 5),
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
  const high = Math.ceil(largest / stepShare) * stepShare;
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
    ...valueAxis(panel, axisSteps(0, high, stepShare)),
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

/** Labels each group with its number of sales, and adjacent groups with their condition. */
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
      const [first, last] = [at(members, 0).index, at(members, members.length - 1).index];
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
