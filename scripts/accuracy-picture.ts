/** Draws how wrong each method was: against the next sale, and against the true value. */
import type { DocumentedBacktest } from './backtest.ts';
import { bar, colours, legend, line, picture, text } from './chart.ts';
import { percent } from './figures.ts';

const width = 860;
const margin = { left: 232, right: 70, top: 92, bottom: 34 };
const rowHeight = 36;
const barHeight = 12;
const stepShare = 0.05;

/** A method that is further off than this many times the noise floor leaves the picture. */
const floorsMax = 1.85;

/** The picture of docs/accuracy.svg. */
export function accuracyPicture({ main }: DocumentedBacktest): string {
  const methods = main.methods.toSorted((a, b) => b.accuracy.saleError - a.accuracy.saleError);
  const height = margin.top + methods.length * rowHeight + margin.bottom;
  const top = Math.ceil((main.noiseFloor * floorsMax) / stepShare) * stepShare;
  const x = (share: number) =>
    margin.left + (Math.min(share, top) / top) * (width - margin.left - margin.right);
  const bottom = height - margin.bottom;
  const engine = main.methods.at(-1)?.name;
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
    ...grid(top).flatMap((share) => [
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

function grid(top: number): number[] {
  return Array.from({ length: Math.round(top / stepShare) + 1 }, (_, index) => index * stepShare);
}
