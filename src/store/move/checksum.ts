/**
 * The row count of a table and a SHA-256 over its rows in order of the key, in the format of
 * PostgreSQL's COPY. The target encodes its rows itself. Rows of the source are encoded here byte
 * by byte, independently of `copy-text.ts`, so that an encoding error there is detected.
 */
import { createHash } from 'node:crypto';
import type { Connection } from '../postgres/client.ts';
import type { Column, ColumnType, Table } from '../sql/tables.ts';
import type { Source } from './source.ts';

export interface Checksum {
  readonly rows: number;
  readonly sha256: string;
}

const lineEnd = 0x0a;

/** The checksum of a table in PostgreSQL. */
export async function targetChecksum(tx: Connection, table: Table): Promise<Checksum> {
  const columns = table.columns.map(targetColumn).join(', ');
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  const order = table.key.map((name) =>
    types.get(name) === 'text' ? `${name} COLLATE "C"` : name,
  );
  const select = `SELECT ${columns} FROM ${table.target} ORDER BY ${order.join(', ')}`;
  const hash = createHash('sha256');
  let rows = 0;
  for await (const piece of tx.copyOut(`COPY (${select}) TO STDOUT`)) {
    hash.update(piece);
    for (let at = piece.indexOf(lineEnd); at >= 0; at = piece.indexOf(lineEnd, at + 1)) rows++;
  }
  return { rows, sha256: hash.digest('hex') };
}

/** Doubles are compared by their bytes. */
function targetColumn({ name, type }: Column): string {
  return type === 'double' ? `encode(float8send(${name}), 'hex')` : name;
}

/** The checksum of a table in the embedded store. Yields to the event loop after every chunk. */
export async function sourceChecksum(
  source: Pick<Source, 'rows'>,
  table: Table,
  onRows: (count: number) => void,
): Promise<Checksum> {
  const columns = table.columns.map(({ name, type }) =>
    type === 'text' ? `CAST(${name} AS BLOB) AS ${name}` : name,
  );
  const hash = createHash('sha256');
  const line = new Bytes();
  let rows = 0;
  let reported = 0;
  for (const row of source.rows(table, columns.join(', '))) {
    writeRow(line, table.columns, row as Readonly<Record<string, unknown>>);
    rows++;
    if (!line.isFull()) continue;
    hash.update(line.take());
    onRows(rows - reported);
    reported = rows;
    await new Promise(setImmediate);
  }
  hash.update(line.take());
  onRows(rows - reported);
  return { rows, sha256: hash.digest('hex') };
}

function writeRow(
  line: Bytes,
  columns: readonly Column[],
  row: Readonly<Record<string, unknown>>,
): void {
  let isFirst = true;
  for (const { name, type } of columns) {
    if (!isFirst) line.plain('\t');
    isFirst = false;
    const value = row[name];
    if (value === null) line.plain('\\N');
    else writers[type](line, value);
  }
  line.plain('\n');
}

const writers: Readonly<Record<ColumnType, (line: Bytes, value: unknown) => void>> = {
  integer: (line, value) => line.plain(String(value)),
  boolean: (line, value) => line.plain(value === 1 ? 't' : 'f'),
  double: (line, value) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value as number);
    line.plain(bytes.toString('hex'));
  },
  text: (line, value) => line.escaped(value as Uint8Array),
  bytes: (line, value) => line.plain(`\\\\x${Buffer.from(value as Uint8Array).toString('hex')}`),
};

/** The letter after the backslash for each byte that is escaped; 0 for all others. */
const letters = new Uint8Array(256);
for (const [byte, letter] of Object.entries({ 8: 'b', 9: 't', 10: 'n', 11: 'v', 12: 'f', 13: 'r' }))
  letters[Number(byte)] = letter.charCodeAt(0);
const backslash = 0x5c;
letters[backslash] = backslash;

const fullBytes = 128 * 1024;

/** A growing buffer. */
class Bytes {
  private bytes = Buffer.allocUnsafe(2 * fullBytes);
  private length = 0;

  /** Appends ASCII without escaping. */
  plain(text: string): void {
    this.reserve(text.length);
    // Most texts are so short that a native call would be slower.
    for (let index = 0; index < text.length; index++) {
      this.bytes[this.length++] = text.charCodeAt(index);
    }
  }

  /** Appends UTF-8, escaped like COPY. */
  escaped(text: Uint8Array): void {
    this.reserve(2 * text.length);
    const { bytes } = this;
    let at = this.length;
    for (let index = 0; index < text.length; index++) {
      const byte = text[index] ?? 0;
      const letter = letters[byte] ?? 0;
      if (letter !== 0) bytes[at++] = backslash;
      bytes[at++] = letter === 0 ? byte : letter;
    }
    this.length = at;
  }

  isFull(): boolean {
    return this.length >= fullBytes;
  }

  /** Empties the buffer; the result is valid until the next append. */
  take(): Uint8Array {
    const content = this.bytes.subarray(0, this.length);
    this.length = 0;
    return content;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.length + count));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
