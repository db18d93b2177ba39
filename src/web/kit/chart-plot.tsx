/**
 * The picture of a chart. Lines stretch with the window and text does not, so the lines are an SVG
 * inside the SVG. Its view box is the part that is shown; a script changes it.
 */
import { Fragment } from 'preact';
import { at } from '../../kernel/at.ts';
import {
  type ChartColumn,
  type ChartProps,
  columnKey,
  isScaled,
  lineClass,
  type RowMark,
  type TimedRow,
  toneOf,
} from './chart-data.ts';
import { dateTicks, tickText, type ValueTick, valueTicks } from './chart-scale.ts';
import { pageFormats } from './format.ts';

/** The coordinate system of the lines, and the room above it. The script has the same. */
const sheet = { width: 1000, height: 240, top: 16 } as const;

interface PlotProps extends Omit<ChartProps, 'rows' | 'marks'> {
  readonly rows: readonly TimedRow[];
  readonly marks: readonly RowMark[];
  /** The position of each key in the legend, from 1. */
  readonly keys: ReadonlyMap<string, number>;
  /** The start of the part that is shown, in milliseconds. */
  readonly view: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Positions in the coordinate system. */
interface Scale {
  readonly x: (seconds: number) => number;
  /** The height of a value; amounts are in dollars. */
  readonly y: (value: number) => number;
  /** The width of a row. */
  readonly step: number;
}

export function Plot(props: PlotProps) {
  const { caption, unit, columns, rows } = props;
  const hasBars = columns.some(({ look }) => look === 'bar');
  const whole = wholeSpan(rows, hasBars);
  const span = shownSpan(rows, whole, props.view / 1000);
  const all = valueTicks(unit, valuesIn({ ...props, hidden: [] }, whole), hasBars);
  const shown = valueTicks(unit, valuesIn(props, span), hasBars);
  const ticks = shown.length > 0 ? shown : all;
  const rate = rateOf(unit);
  const scale = scaleOf(whole, bounds(all), { rate, count: rows.length });
  const height = (shownValue: number) => scale.y(shownValue / rate);
  const part = bounds(ticks);
  const share = (seconds: number) => (100 * (seconds - span.from)) / (span.to - span.from);
  const left = scale.x(span.from);
  const box = [left, height(part.high), scale.x(span.to) - left];
  const shownPart = {
    x: '0',
    y: sheet.top,
    width: '100%',
    height: sheet.height,
    viewBox: [...box, height(part.low) - height(part.high)].map(round).join(' '),
    preserveAspectRatio: 'none',
  } as const;
  return (
    <div class="axes">
      <Amounts ticks={ticks} />
      <svg
        class="plot"
        role="img"
        aria-label={caption}
        data-unit={unit}
        data-one={tickText(unit, 1)}
        data-locale={pageFormats().locale}
        data-zero={hasBars ? '' : undefined}
        data-sheet={[whole.from, whole.to, bounds(all).low, bounds(all).high].join(' ')}
        data-from={span.from}
      >
        {columns.some(({ look }) => look === 'area') && (
          // Apart, because what is below the part that is shown is cut off.
          <svg class="areas" aria-hidden="true" {...shownPart}>
            <Hatch />
            <Areas {...props} scale={scale} />
          </svg>
        )}
        <svg class="lines" aria-hidden="true" {...shownPart}>
          <path
            class="gridline"
            d={ticks.map(({ value }) => `M0,${height(value)}H${sheet.width}`).join('')}
          />
          <Lines {...props} scale={scale} />
          <Levels {...props} scale={scale} />
          <Marks {...props} scale={scale} />
        </svg>
        <Dates span={span} share={share} />
        <Notes rows={rows} share={share} />
      </svg>
    </div>
  );
}

/** Bars are centered on their day: the first and the last need room. */
function wholeSpan(rows: readonly TimedRow[], hasBars: boolean): Span {
  const [first, last] = [at(rows, 0).seconds, at(rows, rows.length - 1).seconds];
  const room = hasBars ? (last - first) / (rows.length - 1) / 2 : 0;
  return { from: first - room, to: last + room };
}

/** The part from an instant on; the whole if that has nothing but its end. */
function shownSpan(rows: readonly TimedRow[], whole: Span, from: number): Span {
  const isPart = from > whole.from && from < whole.to && rows.length > 1;
  return isPart ? { from, to: whole.to } : whole;
}

function bounds(ticks: readonly ValueTick[]): { readonly low: number; readonly high: number } {
  return { low: at(ticks, 0).value, high: at(ticks, ticks.length - 1).value };
}

function scaleOf(
  whole: Span,
  { low, high }: ReturnType<typeof bounds>,
  { rate, count }: { readonly rate: number; readonly count: number },
): Scale {
  const width = whole.to - whole.from;
  return {
    x: (seconds) => round(((seconds - whole.from) / width) * sheet.width),
    y: (value) => round(sheet.height * (1 - (value * rate - low) / (high - low))),
    step: sheet.width / count,
  };
}

/** All points have the same rate, so that lines keep their shape and only the axis changes. */
function rateOf(unit: ChartProps['unit']): number {
  return unit === 'usd' ? (pageFormats().exchange?.perUsd ?? 1) : 1;
}

/** The values that are drawn in a span and in the rows around it, in the currency shown. */
function valuesIn(props: PlotProps, { from, to }: Span): number[] {
  const { rows, columns, levels = [], marks, hidden = [] } = props;
  const rate = rateOf(props.unit);
  const isOn = (key: string) => !hidden.includes(key);
  const drawn = columns.map((column) => isScaled(column) && isOn(columnKey(column)));
  const first = rows.findLastIndex(({ seconds }) => seconds <= from);
  const last = rows.findIndex(({ seconds }) => seconds >= to);
  const shown = rows.slice(Math.max(first, 0), last < 0 ? undefined : last + 1);
  const values = [
    ...shown.flatMap(({ values }) => values.filter((_, index) => drawn[index])),
    ...levels.flatMap(({ key, value }) => (isOn(key) ? value : [])),
    ...marks.flatMap(({ kind, value = null, row }) =>
      isOn(kind) && row.seconds >= from ? value : [],
    ),
  ];
  return values.flatMap((value) => (value === null ? [] : value * rate));
}

function Amounts({ ticks }: { readonly ticks: readonly ValueTick[] }) {
  const { low, high } = bounds(ticks);
  return (
    <svg class="amounts" aria-hidden="true">
      {ticks.map(({ value, text }) => (
        <text
          key={text}
          x="100%"
          y={round(sheet.top + 4 + sheet.height * (1 - (value - low) / (high - low)))}
          text-anchor="end"
        >
          {text}
        </text>
      ))}
    </svg>
  );
}

type ShareOf = (seconds: number) => number;

/** The first date may reach under the amounts; the last stays inside of the card. */
function Dates({ span, share }: { readonly span: Span; readonly share: ShareOf }) {
  return (
    <g class="dates">
      {dateTicks(span.from, span.to).map(({ seconds, text, isExtra }) => (
        <text
          key={text}
          class={isExtra ? 'extra' : undefined}
          x={`${round(share(seconds))}%`}
          y={sheet.top + sheet.height + 20}
          text-anchor={share(seconds) > 95 ? 'end' : 'middle'}
        >
          {text}
        </text>
      ))}
    </g>
  );
}

/** Notes are on alternating lines, so that neighbors do not overlap. */
const noteLines = 3;

function Notes({ rows, share }: { readonly rows: readonly TimedRow[]; readonly share: ShareOf }) {
  const noted = rows.filter(({ note }) => note);
  return (
    <g class="notes">
      {noted.map(({ note, seconds }, index) => {
        const x = round(share(seconds));
        const tick = { 'data-at': seconds, class: x < 0 ? 'off' : undefined };
        return (
          <Fragment key={seconds}>
            <line
              {...tick}
              x1={`${x}%`}
              x2={`${x}%`}
              y1={sheet.top}
              y2={sheet.top + sheet.height}
            />
            <text
              {...tick}
              x={`${x}%`}
              dx={x > 75 ? -4 : 4}
              y={sheet.top + 10 + 14 * (index % noteLines)}
              text-anchor={x > 75 ? 'end' : 'start'}
            >
              {note}
            </text>
          </Fragment>
        );
      })}
    </g>
  );
}

interface LinesProps extends PlotProps {
  readonly scale: Scale;
}

function Lines(props: LinesProps) {
  const { columns } = props;
  const bars = columns.filter(({ look }) => look === 'bar');
  return (
    <>
      {columns.map((column, index) => {
        const { look } = column;
        if (look === 'none' || look === 'area') return null;
        const points = pointsOf(props, index);
        const next = columns[index + 1];
        const isUpper = look === 'edge' && next !== undefined && columnKey(next) === column.key;
        if (look === 'edge' && !isUpper) return null;
        const among = { at: bars.indexOf(column), of: bars.length };
        return (
          <g key={column.name} class={keyClass(props, columnKey(column))}>
            {look === 'bar' && <Bars {...props} column={column} points={points} among={among} />}
            {look === 'edge' && (
              <path
                class={`band ${toneOf(column)}`}
                d={bandPath(points, pointsOf(props, index + 1))}
              />
            )}
            {look !== 'bar' && look !== 'edge' && (
              <>
                <path class={lineClass(column)} d={linePath(points, look === 'step')} />
                {look !== 'step' && <Dots column={column} points={points} />}
              </>
            )}
          </g>
        );
      })}
    </>
  );
}

function Areas(props: LinesProps) {
  return (
    <>
      {props.columns.map((column, index) =>
        column.look === 'area' ? (
          <path
            key={column.name}
            class={`${lineClass(column)} ${keyClass(props, columnKey(column))}`}
            d={areaPath(pointsOf(props, index))}
          />
        ) : null,
      )}
    </>
  );
}

/** The class by which the style sheet hides what is off. */
function keyClass({ keys }: PlotProps, key: string): string {
  return `k${keys.get(key)}`;
}

type Point = readonly [x: number, y: number | null];

function pointsOf({ columns, rows, scale }: LinesProps, index: number): Point[] {
  const own = columns[index]?.points?.map((point) => [point.at / 1000, point.value] as const);
  const given = own ?? rows.map((row) => [row.seconds, row.values[index] ?? null] as const);
  return given.map(([seconds, value]) => [
    scale.x(seconds),
    value === null ? null : scale.y(value),
  ]);
}

/** A line with gaps where values are missing. A step ends where its gap starts. */
function linePath(points: readonly Point[], isStep: boolean): string {
  let before: number | null = null;
  const parts = points.map(([x, y]) => {
    const part = before === null ? `M${x},${y}` : isStep ? stepTo(x, y, before) : `L${x},${y}`;
    const isDrawn = y !== null || (isStep && before !== null);
    before = y;
    return isDrawn ? part : '';
  });
  return parts.join('');
}

function stepTo(x: number, y: number | null, before: number): string {
  return y === null || y === before ? `H${x}` : `H${x}V${y}`;
}

/** Single points between gaps, which no line shows. */
function Dots({ column, points }: { readonly column: ChartColumn; readonly points: Point[] }) {
  const isNone = (point: Point | undefined) => point === undefined || point[1] === null;
  const single = points.filter(
    (point, index) => !isNone(point) && isNone(points[index - 1]) && isNone(points[index + 1]),
  );
  if (single.length === 0) return null;
  return <path class={`${toneOf(column)} point`} d={single.map((at) => `M${at}h0`).join('')} />;
}

/** Fills the areas of a page, and their swatches. */
function Hatch() {
  return (
    <pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse">
      <path d="M-2,2L2,-2M0,8L8,0M6,10L10,6" />
    </pattern>
  );
}

/** From the bottom up to the line, with gaps where values are missing. */
function areaPath(points: readonly Point[]): string {
  const [bottom, parts] = [sheet.height, [] as string[]];
  let before: Point | null = null;
  for (const [x, y] of points) {
    if (before === null && y !== null) parts.push(`M${x},${bottom}`);
    if (before !== null && y === null) parts.push(`L${before[0]},${bottom}`);
    if (y !== null) parts.push(`L${x},${y}`);
    before = y === null ? null : [x, y];
  }
  if (before !== null) parts.push(`L${before[0]},${bottom}`);
  return parts.join('');
}

function bandPath(upper: readonly Point[], lower: readonly Point[]): string {
  const top = upper.filter(([, y]) => y !== null);
  const bottom = lower.filter(([, y]) => y !== null).reverse();
  return top.length === 0 ? '' : `M${[...top, ...bottom].join('L')}Z`;
}

function Bars(
  props: LinesProps & {
    readonly column: ChartColumn;
    readonly points: readonly Point[];
    readonly among: { readonly at: number; readonly of: number };
  },
) {
  const { column, points, scale, among: place } = props;
  const width = round((scale.step * 0.7) / place.of);
  const zero = scale.y(0);
  return (
    <>
      {points.map(([x, y]) =>
        y === null ? null : (
          <rect
            key={x}
            class={toneOf(column)}
            x={round(x + (place.at - place.of / 2) * width)}
            y={Math.min(y, zero)}
            width={width}
            height={round(Math.abs(zero - y))}
          />
        ),
      )}
    </>
  );
}

function Levels(props: LinesProps) {
  return (
    <>
      {(props.levels ?? []).map(({ key, tone, value }) => (
        <path
          key={key}
          class={`${tone} ${keyClass(props, key)}`}
          d={`M0,${props.scale.y(value)}H${sheet.width}`}
        />
      ))}
    </>
  );
}

function Marks(props: LinesProps) {
  const { marks, scale } = props;
  return (
    <>
      {marks.map(({ kind, text, value, row }) => {
        const height = value ?? row.values[0] ?? null;
        if (height === null) return null;
        const { seconds } = row;
        return (
          <path
            key={`${row.at} ${text}`}
            class={`mark ${kind} ${keyClass(props, kind)}`}
            data-at={value === undefined ? undefined : seconds}
            data-value={value === undefined ? undefined : round(value * rateOf(props.unit))}
            d={`M${scale.x(seconds)},${scale.y(height)}h0`}
          />
        );
      })}
    </>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
