/** The data of charts. */
import { parseDay } from '../../kernel/time.ts';
import type { ChartUnit } from './chart-scale.ts';
import type { Segment } from './segments.tsx';

/**
 * A line of a chart. A range is two columns in a row with the look `edge` and the same key, the
 * upper one first.
 */
export interface ChartColumn {
  readonly name: string;
  /**
   * `area` is hatched up to the value, and does not change the scale; `none` is only in the table.
   */
  readonly look: 'line' | 'step' | 'dashed' | 'bar' | 'edge' | 'area' | 'none';
  readonly tone?: ChartTone;
  /** Its name in addresses and in the legend; by default, its name in the table. */
  readonly key?: string;
  readonly legend?: string;
  /** The points to draw, if not the value of every row. */
  readonly points?: readonly ChartPoint[];
  /** Formats values for the table; by default, they are shown as they are. */
  readonly show?: (value: number) => string;
}

/** A value from an instant on. */
export interface ChartPoint {
  readonly at: number;
  readonly value: number | null;
}

/** The same value over the whole chart. It is in the legend, not in the table. */
export interface ChartLevel {
  readonly key: string;
  readonly name: string;
  readonly tone: ChartTone;
  readonly value: number;
  readonly text: string;
}

type ChartTone = 'series-1' | 'series-2' | 'series-3' | 'series-4' | 'level-1' | 'level-2';

export interface ChartRow {
  /** `YYYY-MM-DD`, `YYYY-MM` where it stands for the month, or an instant. */
  readonly at: string;
  readonly values: readonly (number | null)[];
  /** A note on this row, such as an event. */
  readonly note?: string | null;
}

export const markKinds = ['purchase', 'sale'] as const;
export type MarkKind = (typeof markKinds)[number];

export interface ChartMark {
  readonly at: string;
  readonly kind: MarkKind;
  readonly text: string;
  /** Its height; by default, it is on the first line. */
  readonly value?: number;
}

export interface ChartProps {
  /** Unique in the page. */
  readonly id: string;
  /** A description for screen readers. */
  readonly caption: string;
  readonly unit: ChartUnit;
  readonly columns: readonly ChartColumn[];
  readonly levels?: readonly ChartLevel[];
  readonly rows: readonly ChartRow[];
  readonly marks?: readonly ChartMark[];
  /** Parts of the chart, up to its end; the current one is shown. */
  readonly ranges?: readonly Segment[];
  /** The keys of lines that are off. If given, a script keeps them in the address. */
  readonly hidden?: readonly string[];
  /** The keys of lines that are off unless the address says otherwise. */
  readonly offAtFirst?: readonly string[];
  /** Shown instead of a chart of fewer than two rows. */
  readonly empty?: string;
}

export interface TimedRow extends ChartRow {
  readonly seconds: number;
}

/** A mark with its row: the first one that is not before it. */
export interface RowMark extends ChartMark {
  readonly row: TimedRow;
}

export function columnKey({ key, name }: Pick<ChartColumn, 'key' | 'name'>): string {
  return key ?? name;
}

/** Whether the axis includes its values. */
export function isScaled({ look }: Pick<ChartColumn, 'look'>): boolean {
  return look !== 'area' && look !== 'none';
}

export function toneOf({ tone = 'series-1' }: Pick<ChartColumn, 'tone'>): ChartTone {
  return tone;
}

/** The classes of a line, and of its swatch in the legend. */
export function lineClass(column: Pick<ChartColumn, 'look' | 'tone'>): string {
  return `${column.look} ${toneOf(column)}`;
}

export function secondsOf(at: string): number {
  return (parseDay(at) ?? Date.parse(at)) / 1000;
}
