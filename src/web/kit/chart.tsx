/**
 * Charts, rendered on the server. Lines stretch with the window and text does not, so the lines are
 * an SVG inside the SVG. A script adds the tooltip and zoom.
 */
import { at } from '../../domain/kernel/at.ts';
import { parseDay } from '../../domain/kernel/time.ts';
import { type ChartUnit, dateTicks, valueTicks } from './chart-scale.ts';
import { dayText, momentText, monthText, pageFormats } from './format.ts';

/** A line of a chart. A range is two columns in a row with the look `edge`, the upper one first. */
export interface ChartColumn {
  readonly name: string;
  /** `none` is only in the table. */
  readonly look: 'line' | 'step' | 'dashed' | 'bar' | 'edge' | 'none';
  readonly tone?: ChartTone;
  /** Formats values for the table; by default, they are shown as they are. */
  readonly show?: (value: number) => string;
}

export type ChartTone = 'series-1' | 'series-2' | 'quiet';

export interface ChartRow {
  /** `YYYY-MM-DD`, `YYYY-MM` where it stands for the month, or an instant. */
  readonly at: string;
  readonly values: readonly (number | null)[];
  /** A note on this row, such as an event. */
  readonly note?: string | null;
}

/** A purchase or a sale, marked on the first line. */
export interface ChartMark {
  readonly at: string;
  readonly kind: 'purchase' | 'sale';
  readonly text: string;
}

export interface ChartProps {
  /** Unique in the page. */
  readonly id: string;
  /** A description for screen readers. */
  readonly caption: string;
  readonly unit: ChartUnit;
  readonly columns: readonly ChartColumn[];
  readonly rows: readonly ChartRow[];
  readonly marks?: readonly ChartMark[];
  /** Shown instead of a chart of fewer than two rows. */
  readonly empty?: string;
}

/** The coordinate system of the lines. */
const sheet = { width: 1000, height: 240, top: 16 } as const;

/** A chart and its table. */
export function Chart(props: ChartProps) {
  const { id, caption, columns, marks = [] } = props;
  const { empty = 'Not enough data for a chart yet.' } = props;
  const rows = trimmed(props.rows);
  if (rows.length < 2) return <p class="quiet">{empty}</p>;
  return (
    <div class="chart" data-chart={id}>
      <Legend columns={columns} marks={marks} />
      <Plot {...props} rows={rows} />
      <details>
        <summary>Show numbers</summary>
        <Numbers id={id} caption={caption} columns={columns} rows={rows} />
      </details>
    </div>
  );
}

/** Without empty rows before the first value and after the last. */
function trimmed(rows: readonly ChartRow[]): readonly ChartRow[] {
  const hasValue = (row: ChartRow) => row.values.some((value) => value !== null);
  return rows.slice(rows.findIndex(hasValue), rows.findLastIndex(hasValue) + 1);
}

const markNames = { purchase: 'Purchases', sale: 'Sales' } as const;

function Legend(props: {
  readonly columns: readonly ChartColumn[];
  readonly marks: readonly ChartMark[];
}) {
  const shown = props.columns.filter(({ look }) => look !== 'edge' && look !== 'none');
  const kinds = (['purchase', 'sale'] as const).filter((each) =>
    props.marks.some(({ kind }) => kind === each),
  );
  if (shown.length + kinds.length < 2) return null;
  return (
    <ul class="legend" aria-hidden="true">
      {shown.map((column) => (
        <li key={column.name}>
          <svg class="swatch" viewBox="0 0 20 10" aria-hidden="true">
            {column.look === 'bar' ? (
              <rect class={toneOf(column)} x="4" y="0" width="12" height="10" />
            ) : (
              <path class={lineClass(column)} d="M0,5H20" />
            )}
          </svg>
          {column.name}
        </li>
      ))}
      {kinds.map((kind) => (
        <li key={kind}>
          <svg class="swatch" viewBox="0 0 20 10" aria-hidden="true">
            <path class={`mark ${kind}`} d="M10,5h0" />
          </svg>
          {markNames[kind]}
        </li>
      ))}
    </ul>
  );
}

function toneOf({ tone = 'series-1' }: Pick<ChartColumn, 'tone'>): ChartTone {
  return tone;
}

function lineClass(column: ChartColumn): string {
  return column.look === 'dashed' ? `${toneOf(column)} dashed` : toneOf(column);
}

/** A row with its position in time. */
interface TimedRow extends ChartRow {
  readonly seconds: number;
}

/** Positions in the coordinate system. */
interface Scale {
  readonly x: (seconds: number) => number;
  readonly y: (value: number) => number;
  /** The width of a row. */
  readonly step: number;
}

/** All points have the same rate, so the line keeps its shape and only the axis changes. */
function drawnRow(row: ChartRow, unit: ChartUnit): TimedRow {
  const rate = unit === 'usd' ? (pageFormats().exchange?.perUsd ?? 1) : 1;
  const values = row.values.map((value) => (value === null ? null : value * rate));
  return { ...row, values, seconds: secondsOf(row.at) };
}

function Plot(props: ChartProps) {
  const { caption, unit, columns, marks = [] } = props;
  const rows = props.rows.map((row) => drawnRow(row, unit));
  const hasBars = columns.some(({ look }) => look === 'bar');
  const [first, last] = [at(rows, 0).seconds, at(rows, rows.length - 1).seconds];
  // Bars are centered on their day: the first and the last need room.
  const step = ((last - first) / (rows.length - 1)) * (hasBars ? 0.5 : 0);
  const span = { from: first - step, to: last + step };
  const ticks = valueTicks(unit, valuesOf(columns, rows), hasBars);
  const [low, high] = [at(ticks, 0).value, at(ticks, ticks.length - 1).value];
  const width = span.to - span.from;
  const scale: Scale = {
    x: (seconds) => round(((seconds - span.from) / width) * sheet.width),
    y: (value) => round(sheet.height * (1 - (value - low) / (high - low))),
    step: sheet.width / rows.length,
  };
  const share = (seconds: number) => `${round(((seconds - span.from) / width) * 100)}%`;
  return (
    <div class="axes">
      <svg class="amounts" aria-hidden="true">
        {ticks.map(({ value, text }) => (
          <text key={text} x="100%" y={sheet.top + scale.y(value) + 4} text-anchor="end">
            {text}
          </text>
        ))}
      </svg>
      <svg class="plot" role="img" aria-label={caption} data-from={span.from} data-to={span.to}>
        <svg
          class="lines"
          aria-hidden="true"
          x="0"
          y={sheet.top}
          width="100%"
          height={sheet.height}
          viewBox={`0 0 ${sheet.width} ${sheet.height}`}
          preserveAspectRatio="none"
        >
          {ticks.map(({ value }) => (
            <path key={value} class="gridline" d={`M0,${scale.y(value)}H${sheet.width}`} />
          ))}
          <Lines columns={columns} rows={rows} scale={scale} />
          <Marks marks={marks} rows={rows} scale={scale} />
          {rows.map(
            ({ seconds, note }) =>
              note && (
                <path key={seconds} class="event" d={`M${scale.x(seconds)},0V${sheet.height}`} />
              ),
          )}
        </svg>
        {/* The first date may reach under the amounts; the last stays inside of the card. */}
        <g class="dates">
          {dateTicks(first, last).map(({ seconds, text, isExtra }) => (
            <text
              key={text}
              class={isExtra ? 'extra' : undefined}
              x={share(seconds)}
              y={sheet.top + sheet.height + 20}
              text-anchor={seconds - span.from > width * 0.95 ? 'end' : 'middle'}
            >
              {text}
            </text>
          ))}
        </g>
        <Notes rows={rows} share={share} />
      </svg>
    </div>
  );
}

/** Notes are on alternating lines, so that neighbors do not overlap. */
const noteLines = 3;

function Notes(props: {
  readonly rows: readonly TimedRow[];
  readonly share: (seconds: number) => string;
}) {
  const { rows, share } = props;
  const noted = rows.filter(({ note }) => note);
  return (
    <g class="notes">
      {noted.map(({ note, seconds }, index) => (
        <text
          key={note}
          x={share(seconds)}
          dx={Number.parseFloat(share(seconds)) > 75 ? -4 : 4}
          y={sheet.top + 10 + 14 * (index % noteLines)}
          text-anchor={Number.parseFloat(share(seconds)) > 75 ? 'end' : 'start'}
        >
          {note}
        </text>
      ))}
    </g>
  );
}

function valuesOf(columns: readonly ChartColumn[], rows: readonly ChartRow[]): number[] {
  const drawn = rows.flatMap(({ values }) =>
    values.filter((value, index) => value !== null && columns[index]?.look !== 'none'),
  );
  return drawn.filter((value) => value !== null);
}

interface LinesProps {
  readonly columns: readonly ChartColumn[];
  readonly rows: readonly TimedRow[];
  readonly scale: Scale;
}

function Lines(props: LinesProps) {
  const bars = props.columns.filter(({ look }) => look === 'bar');
  return (
    <>
      {props.columns.map((column, index) => {
        if (column.look === 'none') return null;
        const points = pointsOf(props, index);
        if (column.look === 'bar') {
          const place = { at: bars.indexOf(column), of: bars.length };
          return (
            <Bars key={column.name} column={column} points={points} {...props} place={place} />
          );
        }
        if (column.look === 'edge') {
          // The first of two edges draws the band between them.
          const isUpper =
            props.columns[index + 1]?.look === 'edge' && index % 2 === edgeStart(props) % 2;
          return isUpper ? (
            <path
              key={column.name}
              class={`band ${toneOf(column)}`}
              d={bandPath(points, pointsOf(props, index + 1))}
            />
          ) : null;
        }
        const isStep = column.look === 'step';
        return (
          <g key={column.name}>
            <path class={lineClass(column)} d={linePath(points, isStep)} />
            <path class={`${toneOf(column)} point`} d={dotPath(points)} />
          </g>
        );
      })}
    </>
  );
}

function edgeStart({ columns }: LinesProps): number {
  return columns.findIndex(({ look }) => look === 'edge');
}

type Point = readonly [x: number, y: number] | null;

function pointsOf({ rows, scale }: LinesProps, column: number): Point[] {
  return rows.map(({ values, seconds }) => {
    const value = values[column] ?? null;
    return value === null ? null : [scale.x(seconds), scale.y(value)];
  });
}

/** A line with gaps where values are missing. */
function linePath(points: readonly Point[], isStep: boolean): string {
  let isOpen = false;
  const parts = points.map((point) => {
    const part = point === null ? '' : !isOpen ? `M${point}` : stepTo(point, isStep);
    isOpen = point !== null;
    return part;
  });
  return parts.join('');
}

function stepTo(point: NonNullable<Point>, isStep: boolean): string {
  return isStep ? `H${point[0]}V${point[1]}` : `L${point}`;
}

/** Single points between gaps, which no line shows. */
function dotPath(points: readonly Point[]): string {
  return points
    .filter((point, index) => point && !points[index - 1] && !points[index + 1])
    .map((point) => `M${point}h0`)
    .join('');
}

function bandPath(upper: readonly Point[], lower: readonly Point[]): string {
  const top = upper.filter((point) => point !== null);
  const bottom = lower.filter((point) => point !== null).reverse();
  return top.length === 0 ? '' : `M${[...top, ...bottom].join('L')}Z`;
}

function Bars(
  props: LinesProps & {
    readonly column: ChartColumn;
    readonly points: readonly Point[];
    readonly place: { readonly at: number; readonly of: number };
  },
) {
  const { column, points, scale, place } = props;
  const width = round((scale.step * 0.7) / place.of);
  const zero = scale.y(0);
  return (
    <>
      {points.map((point) => {
        if (!point) return null;
        const [x, y] = point;
        return (
          <rect
            key={x}
            class={toneOf(column)}
            x={round(x + (place.at - place.of / 2) * width)}
            y={Math.min(y, zero)}
            width={width}
            height={round(Math.abs(zero - y))}
          />
        );
      })}
    </>
  );
}

function Marks(props: {
  readonly marks: readonly ChartMark[];
  readonly rows: readonly TimedRow[];
  readonly scale: Scale;
}) {
  const { marks, rows, scale } = props;
  return (
    <>
      {marks.map(({ at, kind, text }) => {
        const row = rows.find(({ seconds }) => seconds >= secondsOf(at));
        const value = row?.values[0] ?? null;
        if (!row || value === null) return null;
        return (
          <path
            key={`${at} ${text}`}
            class={`mark ${kind}`}
            d={`M${scale.x(row.seconds)},${scale.y(value)}h0`}
          >
            <title>{text}</title>
          </path>
        );
      })}
    </>
  );
}

function Numbers(props: Pick<ChartProps, 'id' | 'caption' | 'columns' | 'rows'>) {
  const { id, caption, columns, rows } = props;
  const hasNotes = rows.some((row) => row.note);
  return (
    <div class="scroll">
      <table id={id} aria-label={caption}>
        <thead>
          <tr>
            <th scope="col">{rows.every(({ at }) => isMonth(at)) ? 'Month' : 'Date'}</th>
            {columns.map(({ name }) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
            {hasNotes && <th scope="col">Event</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, values, note }) => (
            <tr key={at} data-at={secondsOf(at)}>
              <td>{dateText(at)}</td>
              {columns.map(({ name, show = String }, index) => (
                <td key={name} class="number">
                  {showValue(values[index] ?? null, show)}
                </td>
              ))}
              {hasNotes && <td>{note ?? ''}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isMonth(at: string): boolean {
  return /^\d{4}-\d{2}$/.test(at);
}

function dateText(at: string): string {
  if (isMonth(at)) return monthText(at);
  return parseDay(at) === null ? momentText(Date.parse(at)) : dayText(at);
}

function showValue(value: number | null, show: (value: number) => string): string {
  return value === null ? '—' : show(value);
}

function secondsOf(at: string): number {
  return (parseDay(at) ?? Date.parse(at)) / 1000;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
