/** One private table in memory: the rows that a batch needs, and its changes. */
import { at } from '../../domain/kernel/at.ts';
import { insertIds, type Operation, updateRows } from '../sql/operation.ts';
import { fieldsOf, type Table } from '../sql/tables.ts';

interface OwnedRow {
  readonly id: number;
  readonly accountId: number;
}

/**
 * New rows have provisional ids greater than all others until the database assigns the real ones.
 */
const provisionalFrom = 2 ** 52;

export class RowTable<T extends OwnedRow> {
  private readonly byName = new Map<number, Map<string, T>>();
  private readonly byId = new Map<number, T>();
  private readonly added = new Set<T>();
  /** The changed fields of existing rows. */
  private readonly changed = new Map<T, Set<string>>();
  private readonly realIds = new Map<number, number>();

  constructor(
    private readonly table: Table,
    /** The name that identifies a row within its account. */
    private readonly nameOf: (row: T) => string,
  ) {}

  load(rows: readonly T[]): void {
    for (const row of rows) this.keep(row);
  }

  find(accountId: number, name: string): T | null {
    return this.byName.get(accountId)?.get(asStored(name)) ?? null;
  }

  of(accountId: number): T[] {
    return [...(this.byName.get(accountId)?.values() ?? [])];
  }

  /** Returns the provisional id. */
  add(values: Omit<T, 'id'>): number {
    const row = { ...values, id: provisionalFrom + this.added.size } as T;
    this.keep(row);
    this.added.add(row);
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
    Object.assign(row, values);
    if (this.added.has(row)) return;
    const fields = this.changed.get(row) ?? new Set();
    for (const field of Object.keys(values)) fields.add(field);
    this.changed.set(row, fields);
  }

  /** The database id of a saved row. */
  realId(id: number): number {
    return this.realIds.get(id) ?? id;
  }

  /** Writes all changes. `place` replaces provisional ids in references. */
  *save(place: (row: T) => T = (row) => row): Operation<void> {
    // Only changed columns are written, so that other indexes are not touched.
    const alike = Map.groupBy(this.changed, ([, fields]) => [...fields].sort().join());
    for (const group of alike.values()) {
      const fields = [...at(group, 0)[1]] as (keyof T & string)[];
      const rows = group.map(([row]) => place(row));
      yield* updateRows(this.table, fields, rows);
    }
    const fields = fieldsOf(this.table, ['id']) as (keyof T & string)[];
    const added = [...this.added];
    const ids = yield* insertIds(this.table, fields, added.map(place));
    for (const [index, row] of added.entries()) this.realIds.set(row.id, at(ids, index));
  }

  private keep(row: T): void {
    const own = this.byName.get(row.accountId) ?? new Map<string, T>();
    this.byName.set(row.accountId, own.set(asStored(this.nameOf(row)), row));
    this.byId.set(row.id, row);
  }
}

/** Lone surrogates become U+FFFD, as in the database. */
function asStored(name: string): string {
  return name.toWellFormed();
}
