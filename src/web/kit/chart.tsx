/** Charts, each with a table behind it: the drawing is made from the table. */
import { parseDay } from '../../domain/kernel/time.ts';
import type { AssetName } from './assets.ts';

/** Loaded by pages that have charts. */
export const chartScripts: readonly AssetName[] = ['uplot.js', 'chart.js'];
export const chartStyles: readonly AssetName[] = ['uplot.css'];

/** A line of a chart. A range is two columns in a row with the look `edge`, the upper one first. */
export interface ChartColumn {
  readonly name: string;
  readonly look: 'line' | 'step' | 'dashed' | 'bar' | 'edge' | 'none';
  /** The name of a colour of the stylesheet. */
  readonly colour?: '--accent' | '--brand' | '--gain' | '--loss' | '--quiet';
  /** What is written in the table; the value itself where it is left out. */
  readonly show?: (value: number) => string;
}

/** What a chart shows. */
export interface ChartProps {
  /** Unique in the page. */
  readonly id: string;
  /** Said to those who do not see the drawing. */
  readonly caption: string;
  readonly unit: 'usd' | 'count' | 'percent';
  readonly columns: readonly ChartColumn[];
  readonly rows: readonly {
    /** `YYYY-MM-DD`, or an instant. */
    readonly at: string;
    readonly values: readonly (number | null)[];
    /** Something to be said about this row, such as an event. */
    readonly note?: string | null;
  }[];
}

/** A chart and its table. */
export function Chart({ id, caption, unit, columns, rows }: ChartProps) {
  const hasNotes = rows.some((row) => row.note);
  return (
    <div class="chart">
      <div class="drawing" data-table={id} data-unit={unit} role="img" aria-label={caption} />
      <details>
        <summary>{`${caption}: the numbers`}</summary>
        <div class="scroll">
          <table id={id}>
            <thead>
              <tr>
                <th scope="col">Date</th>
                {columns.map((column) => (
                  <th
                    key={column.name}
                    scope="col"
                    class="number"
                    data-look={column.look}
                    data-colour={column.colour}
                  >
                    {column.name}
                  </th>
                ))}
                {hasNotes && (
                  <th scope="col" data-look="none" data-notes="">
                    Event
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.at}>
                  <td data-value={secondsOf(row.at)}>{row.at}</td>
                  {columns.map((column, index) => (
                    <td key={column.name} class="number" data-value={row.values[index] ?? ''}>
                      {shown(column, row.values[index] ?? null)}
                    </td>
                  ))}
                  {hasNotes && <td>{row.note ?? ''}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}

function shown({ show = String }: ChartColumn, value: number | null): string {
  return value === null ? '–' : show(value);
}

function secondsOf(at: string): number {
  return (parseDay(at) ?? Date.parse(at)) / 1000;
}
