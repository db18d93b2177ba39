/** Corrections that owners make in the preview of an import, applied to rows as they are read. */
import type { Table, TableRow } from '../readers/table.work.ts';

/** The owner's correction of a row. */
export interface Correction {
  /** The new texts, by the key of the field. */
  readonly texts: Readonly<Record<string, string>>;
  /** Whether the row is left out. */
  readonly isSkipped: boolean;
}

/** By the location of the row. */
export type Corrections = ReadonlyMap<string, Correction>;

/** A field of a row that can be corrected. */
export interface RowField {
  readonly key: string;
  /** As shown to users. */
  readonly name: string;
  /** With the correction, if there is one. */
  readonly text: string;
}

/** The reason of rows that the owner skips. */
export const skippedReason = 'skipped';

type Texts = Readonly<Record<string, string>>;

export class Corrector {
  private readonly fields = new Map<string, () => readonly RowField[]>();

  constructor(private readonly corrections: Corrections) {}

  isSkipped(where: string): boolean {
    return this.corrections.get(where)?.isSkipped === true;
  }

  /** The fields of a row that was read; none if the row cannot be corrected. */
  fieldsOf(where: string): readonly RowField[] {
    return this.fields.get(where)?.() ?? [];
  }

  /** The texts with their corrections. `names` are those that can be corrected. */
  correct<T extends Texts>(where: string, texts: T, names: Texts): T {
    const changed = this.changes(where, texts, names);
    const corrected = changed === null ? texts : { ...texts, ...changed };
    this.fields.set(where, () =>
      Object.entries(names).map(([key, name]) => ({ key, name, text: corrected[key] ?? '' })),
    );
    return corrected;
  }

  /** The corrections, if they change anything. */
  private changes(where: string, texts: Texts, names: Texts): Texts | null {
    const given = this.corrections.get(where)?.texts ?? {};
    const keys = Object.keys(names).filter((key) => given[key] !== undefined);
    const isChanged = keys.some((key) => given[key] !== (texts[key] ?? '').trim());
    return isChanged ? Object.fromEntries(keys.map((key) => [key, given[key] ?? ''])) : null;
  }
}

/** A table whose rows have their corrections. `columns` can be corrected, with shown names. */
export function correctedTable(
  table: Table,
  columns: ReadonlyMap<number, string>,
  corrector: Corrector | undefined,
): Table {
  if (!corrector) return table;
  const names = Object.fromEntries(columns);
  return { ...table, rows: () => correctedRows(table.rows(), names, corrector) };
}

async function* correctedRows(
  groups: AsyncGenerator<TableRow[]>,
  names: Texts,
  corrector: Corrector,
): AsyncGenerator<TableRow[]> {
  const keys = Object.keys(names);
  for await (const rows of groups) {
    yield rows.map((row) => {
      const cells = Object.fromEntries(keys.map((key) => [key, row.cells[Number(key)] ?? '']));
      const corrected = corrector.correct(row.where, cells, names);
      return corrected === cells ? row : row.withCells(corrected);
    });
  }
}

/** The places of columns with these names, as far as the table has them. */
export function columnsNamed(table: Table, names: readonly string[]): ReadonlyMap<number, string> {
  const header = table.header.map((name) => name.toLowerCase());
  const columns = names.map((name) => [header.indexOf(name.toLowerCase()), name] as const);
  return new Map(columns.filter(([index]) => index >= 0));
}
