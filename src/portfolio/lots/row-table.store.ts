/** One private table of an account in memory: the rows that a change needs, and its changes. */

import { at } from '../../kernel/at.ts';
import * as db from '../../store/sql/operation.ts';
import type { Table } from '../../store/sql/tables.ts';

interface IdentifiedRow {
  readonly id: number;
}

/** A changed row, as it was and as it is; `fields` are those that were written. */
interface ChangedRow<T> {
  readonly before: T;
  readonly after: T;
  readonly fields: ReadonlySet<string>;
}

/**
 * New rows have provisional ids greater than all others until the database assigns the real ones.
 */
const provisionalFrom = 2 ** 52;

export class RowTable<T extends IdentifiedRow> {
  private readonly byName = new Map<string, T>();
  private readonly byId = new Map<number, T>();
  private readonly added = new Set<T>();
  /** Existing rows that were changed, as they were, and their changed fields. */
  private readonly edited = new Map<T, { readonly before: T; readonly fields: Set<string> }>();
  private readonly gone: T[] = [];
  private readonly realIds = new Map<number, number>();
  /** All rows of the account, including rows that are not loaded. */
  count = 0;

  constructor(
    private readonly table: Table,
    /** The name that identifies a row within its account. */
    private readonly nameOf: (row: T) => string,
  ) {}

  load(rows: readonly T[]): void {
    // A row that was loaded before may have been changed since.
    for (const row of rows) if (!this.byId.has(row.id)) this.keep(row);
  }

  /** Counts the rows of an account, unless all rows with these names exist. */
  *countFor(names: readonly string[], accountId: number): db.Reading<void> {
    if (names.every((name) => this.find(name))) return;
    this.count = yield* db.countRows(this.table, { accountId });
  }

  find(name: string): T | null {
    return this.byName.get(asStored(name)) ?? null;
  }

  findById(id: number): T | null {
    return this.byId.get(id) ?? null;
  }

  get rows(): T[] {
    return [...this.byId.values()];
  }

  /** Existing rows that were changed. */
  get changed(): ChangedRow<T>[] {
    return [...this.edited].map(([after, { before, fields }]) => ({ before, after, fields }));
  }

  /** Existing rows that were removed, as they were. */
  get removed(): readonly T[] {
    return this.gone;
  }

  /** Returns the provisional id. */
  add(values: Omit<T, 'id'>): number {
    const row = { ...values, id: provisionalFrom + this.added.size } as T;
    this.keep(row);
    this.added.add(row);
    this.count++;
    return row.id;
  }

  /** Throws if the row was not loaded. */
  get(id: number): T {
    const row = this.byId.get(id);
    if (!row) throw new Error(`Row ${id} of ${this.table.name} was not loaded.`);
    return row;
  }

  change(id: number, make: (row: T) => Partial<T>): void {
    const row = this.get(id);
    const values = make(row);
    const known = this.edited.get(row) ?? { before: { ...row }, fields: new Set() };
    Object.assign(row, values);
    if (this.added.has(row)) return;
    for (const field of Object.keys(values)) known.fields.add(field);
    this.edited.set(row, known);
  }

  /** Rows that a change added are never removed by it. */
  remove(id: number): void {
    const row = this.get(id);
    this.gone.push(this.edited.get(row)?.before ?? row);
    this.edited.delete(row);
    this.count--;
    this.byId.delete(id);
    this.byName.delete(asStored(this.nameOf(row)));
  }

  /** The database id of a saved row. */
  realId(id: number): number {
    return this.realIds.get(id) ?? id;
  }

  /** Writes added and changed rows. `place` replaces provisional ids in references. */
  *save(withIds: (row: T) => T = (row) => row): db.Operation<void> {
    // Only changed columns are written, so that other indexes are not touched.
    const alike = Map.groupBy(this.edited, ([, { fields }]) => [...fields].sort().join());
    for (const group of alike.values()) {
      const fields = [...at(group, 0)[1].fields] as (keyof T & string)[];
      const rows = group.map(([row]) => withIds(row));
      yield* db.updateRows(this.table, fields, rows);
    }
    const added = [...this.added];
    const ids = yield* db.insertIds(this.table, added.map(withIds));
    for (const [index, row] of added.entries()) this.realIds.set(row.id, at(ids, index));
  }

  *deleteRemoved(): db.Operation<void> {
    if (this.gone.length === 0) return;
    yield* db.run(`DELETE FROM ${this.table.target} WHERE id = ANY($1::bigint[])`, [
      this.gone.map(({ id }) => id),
    ]);
  }

  private keep(row: T): void {
    this.byName.set(asStored(this.nameOf(row)), row);
    this.byId.set(row.id, row);
  }
}

/** Lone surrogates become U+FFFD, as in the database. */
function asStored(name: string): string {
  return name.toWellFormed();
}
