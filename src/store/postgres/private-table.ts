/** One private table in memory: the rows that a batch needs, and what the batch does to them. */

import type { Connection } from './client.ts';
import { jsonRows } from './json-rows.ts';

/** What every row has: its owner, and what its owner calls it. */
export interface NamedRow {
  id: number;
  readonly accountId: number;
  readonly name: string;
}

/** How the rows of a table are named and typed here and in the database. */
export interface TableShape<T extends NamedRow> {
  readonly table: string;
  /** The column of what its owner calls a row. */
  readonly name: string;
  /** All other columns, by the names of their fields. */
  readonly columns: Readonly<Record<Exclude<keyof T & string, keyof NamedRow>, string>>;
  /** The columns that are not of text. */
  readonly types: Readonly<Record<string, 'bigint' | 'boolean'>>;
}

/** Rows to be get provisional ids that sort after all others; the database gives the real ones. */
const provisionalFrom = 2 ** 52;

/** The rows of one table. */
export class PrivateTable<T extends NamedRow> {
  private readonly byName = new Map<string, T>();
  private readonly byId = new Map<number, T>();
  private readonly added = new Set<T>();
  private readonly changed = new Set<T>();
  private readonly realIds = new Map<number, number>();

  constructor(private readonly shape: TableShape<T>) {}

  /** The columns to select, of the table under this name. */
  columns(alias: string): string {
    const { name, columns } = this.shape;
    const list = Object.entries(columns).map(
      ([field, column]) => `${alias}.${column} AS "${field}"`,
    );
    const named = [`${alias}.account_id AS "accountId"`, `${alias}.${name} AS name`];
    return [`${alias}.id`, ...named, ...list].join();
  }

  /** Takes in rows as they are stored. */
  load(rows: readonly T[]): void {
    for (const row of rows) this.keep(row);
  }

  find(accountId: number, name: string): T | null {
    return this.byName.get(nameOf({ accountId, name })) ?? null;
  }

  /** The rows of an account. */
  of(accountId: number): T[] {
    return [...this.byId.values()].filter((row) => row.accountId === accountId);
  }

  /** Adds a row; its provisional id. */
  add(values: Omit<T, 'id'>): number {
    const row = { ...values, id: provisionalFrom + this.added.size } as T;
    this.keep(row);
    this.added.add(row);
    return row.id;
  }

  change(id: number, make: (row: T) => Partial<T>): void {
    const row = this.byId.get(id);
    if (!row) throw new Error(`Row ${id} of ${this.shape.table} was not loaded.`);
    Object.assign(row, make(row));
    if (!this.added.has(row)) this.changed.add(row);
  }

  /** The id in the database of a row that is saved. */
  realId(id: number): number {
    return this.realIds.get(id) ?? id;
  }

  /** Writes what has changed. `place` puts real ids where a row refers to others. */
  async save(tx: Connection, place: (row: T) => T = (row) => row): Promise<void> {
    if (this.changed.size > 0)
      await tx.run(this.update(), [jsonRows([...this.changed].map(place))]);
    if (this.added.size === 0) return;
    const rows = [...this.added].map((row, n) => ({ ...place(row), n }));
    for (const { id, ...named } of await tx.query<NamedRow>(this.insert(), [jsonRows(rows)])) {
      this.realIds.set(this.byName.get(nameOf(named))?.id ?? 0, id);
    }
  }

  private keep(row: T): void {
    this.byName.set(nameOf(row), row);
    this.byId.set(row.id, row);
  }

  private update(): string {
    const { table, columns } = this.shape;
    const list = Object.entries(columns).map(([field, column]) => `${column} = r."${field}"`);
    return `UPDATE ${table} t SET ${list.join()} FROM ${this.given()} WHERE t.id = r.id`;
  }

  /** Rows get their ids in the order in which they came. */
  private insert(): string {
    const { table, name, columns } = this.shape;
    const fields = Object.keys(columns).map((field) => `r."${field}"`);
    return `INSERT INTO ${table} (account_id, ${name}, ${Object.values(columns).join()})
      SELECT r."accountId", r.name, ${fields.join()} FROM ${this.given()} ORDER BY r.n
      RETURNING id, account_id AS "accountId", ${name} AS name`;
  }

  private given(): string {
    const { columns, types } = this.shape;
    const fields = Object.keys(columns).map((field) => `"${field}" ${types[field] ?? 'text'}`);
    return `json_to_recordset($1::text::json)
      AS r (n bigint, id bigint, "accountId" bigint, name text, ${fields.join()})`;
  }
}

function nameOf({ accountId, name }: Omit<NamedRow, 'id'>): string {
  // As it is stored: half a character becomes the sign for one that is not known.
  return `${accountId} ${name.toWellFormed()}`;
}
