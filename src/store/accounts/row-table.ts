/** One private table in memory: the rows that a batch needs, and what the batch does to them. */
import { insertIds, type Operation, updateRows } from '../sql/operation.ts';
import { fieldsOf, type Table } from '../sql/tables.ts';

/** What every row has. */
interface OwnedRow {
  readonly id: number;
  readonly accountId: number;
}

/** New rows get provisional ids that sort after all others; the database gives the real ones. */
const provisionalFrom = 2 ** 52;

/** The rows of one table. */
export class RowTable<T extends OwnedRow> {
  /** By account, and by what its owner calls a row. */
  private readonly byName = new Map<number, Map<string, T>>();
  private readonly byId = new Map<number, T>();
  private readonly added = new Set<T>();
  /** The fields that have changed, of rows that there were. */
  private readonly changed = new Map<T, Set<string>>();
  private readonly realIds = new Map<number, number>();

  constructor(
    private readonly table: Table,
    /** What its owner calls a row. */
    private readonly nameOf: (row: T) => string,
  ) {}

  /** Takes in rows as they are stored. */
  load(rows: readonly T[]): void {
    for (const row of rows) this.keep(row);
  }

  find(accountId: number, name: string): T | null {
    return this.byName.get(accountId)?.get(asStored(name)) ?? null;
  }

  /** The rows of an account. */
  of(accountId: number): T[] {
    return [...(this.byName.get(accountId)?.values() ?? [])];
  }

  /** Adds a row; its provisional id. */
  add(values: Omit<T, 'id'>): number {
    const row = { ...values, id: provisionalFrom + this.added.size } as T;
    this.keep(row);
    this.added.add(row);
    return row.id;
  }

  /** A row that is known to be loaded. */
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

  /** The id in the database of a row that is saved. */
  realId(id: number): number {
    return this.realIds.get(id) ?? id;
  }

  /** Writes what has changed. `place` puts real ids where a row refers to others. */
  *save(place: (row: T) => T = (row) => row): Operation<void> {
    // Only what has changed is written: indexes of other columns stay as they are.
    const alike = Map.groupBy(this.changed, ([, fields]) => [...fields].sort().join());
    for (const group of alike.values()) {
      const fields = [...(group[0]?.[1] ?? [])] as (keyof T & string)[];
      const rows = group.map(([row]) => place(row));
      yield* updateRows(this.table, fields, rows);
    }
    const fields = fieldsOf(this.table, ['id']) as (keyof T & string)[];
    const added = [...this.added];
    const ids = yield* insertIds(this.table, fields, added.map(place));
    for (const [index, row] of added.entries()) this.realIds.set(row.id, ids[index] ?? 0);
  }

  private keep(row: T): void {
    const own = this.byName.get(row.accountId) ?? new Map<string, T>();
    this.byName.set(row.accountId, own.set(asStored(this.nameOf(row)), row));
    this.byId.set(row.id, row);
  }
}

/** Half a character becomes the sign for one that is not known. */
function asStored(name: string): string {
  return name.toWellFormed();
}
