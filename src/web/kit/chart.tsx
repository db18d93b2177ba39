/**
 * Charts, rendered on the server as a picture and a table. A script adds the tooltip and zoom.
 * Lines are turned off by checkboxes in the legend, which need no script.
 */
import { formatDay } from '../../kernel/time.ts';
import {
  type ChartMark,
  type ChartProps,
  type ChartRow,
  columnKey,
  isScaled,
  lineClass,
  type MarkKind,
  markKinds,
  type RowMark,
  secondsOf,
  type TimedRow,
  toneOf,
} from './chart-data.ts';
import { Plot } from './chart-plot.tsx';
import { countText, dayText, momentText, monthText } from './format.ts';
import { Segments } from './segments.tsx';

export function Chart(props: ChartProps) {
  const { id, caption, columns, ranges = [], hidden = [], offAtFirst = [] } = props;
  const { empty = 'Not enough data for a chart yet.' } = props;
  const rows = trimmedRows(props).map((row) => ({ ...row, seconds: secondsOf(row.at) }));
  if (rows.length < 2) {
    return (
      <>
        {ranges.length > 0 && <Segments label="Range" choices={ranges} />}
        <p class="quiet">{empty}</p>
      </>
    );
  }
  const marks = marksOnRows(props.marks ?? [], rows);
  const entries = legendOf({ ...props, marks });
  const view = ranges.find(({ isCurrent }) => isCurrent)?.from ?? 0;
  return (
    <div class="chart" data-chart={id} data-address={props.hidden && offAtFirst.join()}>
      {(entries.length > 1 || ranges.length > 0) && (
        <div class="heading">
          {entries.length > 1 && <Legend entries={entries} hidden={hidden} />}
          {ranges.length > 0 && <Segments label="Range" choices={ranges} />}
        </div>
      )}
      <Plot {...props} rows={rows} marks={marks} keys={keysOf(entries)} view={view} />
      <details>
        <summary>Show numbers</summary>
        <Numbers id={id} caption={caption} columns={columns} rows={rows} marks={marks} />
      </details>
    </div>
  );
}

/** The lines that are off: those in the address, or else those that are off at first. */
export function hiddenKeys(
  query: URLSearchParams,
  offAtFirst: readonly string[] = [],
): readonly string[] {
  return query.get('hide')?.split(',').filter(Boolean) ?? offAtFirst;
}

/** Without rows before the first value, and after the last except those of marks with a value. */
function trimmedRows({ rows, marks = [] }: Pick<ChartProps, 'rows' | 'marks'>) {
  const marked = new Set(marks.flatMap((mark) => (mark.value === undefined ? [] : mark.at)));
  const hasValue = (row: ChartRow) => row.values.some((value) => value !== null);
  const first = rows.findIndex(hasValue);
  const last = rows.findLastIndex((row) => marked.has(row.at) || hasValue(row));
  return first < 0 ? [] : rows.slice(first, last + 1);
}

/** Marks with their rows; those after the last row are left out. */
function marksOnRows(marks: readonly ChartMark[], rows: readonly TimedRow[]): RowMark[] {
  const [first] = rows;
  if (!first) return [];
  const isEarly = ({ at }: ChartMark) => secondsOf(at) < first.seconds;
  const early = marks.filter(isEarly);
  const others = marks.filter((mark) => !isEarly(mark));
  return [
    ...markKinds.flatMap((kind) => {
      const ofKind = early.filter((mark) => mark.kind === kind);
      return ofKind.length === 0 ? [] : [earlierMark(kind, ofKind, first)];
    }),
    ...others.flatMap((mark) => {
      const at = secondsOf(mark.at);
      const row = rows.find(({ seconds }) => seconds >= at);
      return row ? [{ ...mark, row }] : [];
    }),
  ];
}

/** The latest of the marks before the first row are listed there. */
const earlierListed = 5;

/** One mark on the first row, without a height of its own. */
function earlierMark(kind: MarkKind, marks: readonly ChartMark[], row: TimedRow): RowMark {
  const listed = marks.slice(-earlierListed).map(({ at, text }) => `${dayText(at)}: ${text}`);
  const left = marks.length - listed.length;
  const more = left > 0 ? [`${countText(left)} earlier`] : [];
  return { kind, at: row.at, text: [...listed, ...more].join(', '), row };
}

interface LegendEntry {
  readonly key: string;
  readonly name: string;
  /** The class of the swatch; `bar`, `band` and `area` are filled. */
  readonly look: string;
  /** The value of a level, as shown. */
  readonly value?: string;
}

const markNames: Readonly<Record<MarkKind, string>> = { purchase: 'Purchases', sale: 'Sales' };

function legendOf(
  props: Pick<ChartProps, 'columns' | 'levels'> & { readonly marks: readonly RowMark[] },
): readonly LegendEntry[] {
  const { columns, levels = [], marks } = props;
  const lines = columns.flatMap((column, index): LegendEntry[] => {
    const { look } = column;
    const key = columnKey(column);
    const isSecond = columns.findIndex((each) => columnKey(each) === key) < index;
    if (look === 'none' || isSecond) return [];
    const swatch = look === 'edge' ? `band ${toneOf(column)}` : lineClass(column);
    return [{ key, name: column.legend ?? column.name, look: swatch }];
  });
  const kinds = markKinds.filter((kind) => marks.some((mark) => mark.kind === kind));
  return [
    ...lines,
    ...levels.map(({ key, name, tone, text }) => ({ key, name, look: tone, value: text })),
    ...kinds.map((kind) => ({ key: kind, name: markNames[kind], look: `mark ${kind}` })),
  ];
}

/** The position of each key in the legend, from 1; the style sheet hides by position. */
function keysOf(entries: readonly LegendEntry[]): ReadonlyMap<string, number> {
  return new Map(entries.map(({ key }, index) => [key, index + 1]));
}

function Legend(props: {
  readonly entries: readonly LegendEntry[];
  readonly hidden: readonly string[];
}) {
  return (
    <ul class="legend" aria-label="Legend">
      {props.entries.map(({ key, name, look, value }) => (
        <li key={key}>
          <label>
            <input
              type="checkbox"
              value={key}
              checked={!props.hidden.includes(key)}
              data-value={value}
              autocomplete="off"
            />
            <svg class="swatch" viewBox="0 0 20 10" aria-hidden="true">
              {/^(bar|band|area)/.test(look) ? (
                <rect class={look} x="2" y="0" width="16" height="10" />
              ) : (
                <path class={look} d={look.startsWith('mark') ? 'M10,5h0' : 'M0,5H20'} />
              )}
            </svg>
            {value === undefined ? name : `${name} ${value}`}
          </label>
        </li>
      ))}
    </ul>
  );
}

function Numbers(
  props: Pick<ChartProps, 'id' | 'caption' | 'columns'> & {
    readonly rows: readonly TimedRow[];
    readonly marks: readonly RowMark[];
  },
) {
  const { id, caption, columns, rows, marks } = props;
  const marked = Map.groupBy(marks, ({ row }) => row);
  const eventsOf = (row: TimedRow) => {
    const here = marked.get(row)?.map(({ text }) => text) ?? [];
    return (row.note ? [row.note, ...here] : here).join(', ');
  };
  const hasEvents = marks.length > 0 || rows.some((row) => row.note);
  const dates = rowDates(rows);
  return (
    <div class="scroll">
      <table id={id} aria-label={caption}>
        <thead>
          <tr>
            <th scope="col">{rows.every(({ at }) => isMonth(at)) ? 'Month' : 'Date'}</th>
            {columns.map((column) => (
              <th
                key={column.name}
                scope="col"
                data-key={isScaled(column) ? columnKey(column) : undefined}
              >
                {column.name}
              </th>
            ))}
            {hasEvents && <th scope="col">Event</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.at} data-at={row.seconds}>
              <td>{dates[index]}</td>
              {columns.map(({ name, show = String }, index) => (
                <td key={name}>{showValue(row.values[index] ?? null, show)}</td>
              ))}
              {hasEvents && <td>{eventsOf(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The dates of rows; an instant has its time only if it is not the only row of its day. */
function rowDates(rows: readonly TimedRow[]): readonly string[] {
  const days = rows.map(({ at, seconds }) => (isInstant(at) ? formatDay(seconds * 1000) : at));
  return rows.map(({ at, seconds }, index) => {
    const day = days[index] ?? at;
    if (isMonth(at)) return monthText(at);
    // Rows are in order.
    const isOnly = day !== days[index - 1] && day !== days[index + 1];
    return isInstant(at) && !isOnly ? momentText(seconds * 1000) : dayText(day);
  });
}

function isInstant(at: string): boolean {
  return at.length > 'YYYY-MM-DD'.length;
}

function isMonth(at: string): boolean {
  return /^\d{4}-\d{2}$/.test(at);
}

function showValue(value: number | null, show: (value: number) => string): string {
  return value === null ? '—' : show(value);
}
