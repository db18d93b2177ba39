/**
 * What a table amounts to: how many rows, and a SHA-256 over all of them in the order of their key.
 * Both sides say it in the words of PostgreSQL's COPY. The target writes them itself; for the
 * source they are made here, byte by byte, from bytes: not by what made the text that was sent, so
 * that a fault there shows.
 */
import { createHash } from 'node:crypto';
import type { Connection } from '../postgres/client.ts';
import type { Column, ColumnType, Table } from '../sql/tables.ts';
import type { Source } from './source.ts';

/** A table's rows, in short. */
export interface Checksum {
  readonly rows: number;
  readonly sha256: string;
}

const lineEnd = 0x0a;

/** Reads a table of the target. */
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

/** Reads a table of the source, giving way after every piece. */
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
  let told = 0;
  for (const row of source.rows(table, columns.join(', '))) {
    writeRow(line, table.columns, row as Readonly<Record<string, unknown>>);
    rows++;
    if (!line.isFull()) continue;
    hash.update(line.take());
    onRows(rows - told);
    told = rows;
    await new Promise(setImmediate);
  }
  hash.update(line.take());
  onRows(rows - told);
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

/** The letter that stands for a byte behind a backslash; 0 for a byte that stands for itself. */
const letters = new Uint8Array(256);
for (const [byte, letter] of Object.entries({ 8: 'b', 9: 't', 10: 'n', 11: 'v', 12: 'f', 13: 'r' }))
  letters[Number(byte)] = letter.charCodeAt(0);
const backslash = 0x5c;
letters[backslash] = backslash;

const fullBytes = 128 * 1024;

/** Bytes that are put one after the other. */
class Bytes {
  private bytes = Buffer.allocUnsafe(2 * fullBytes);
  private length = 0;

  /** ASCII, as it is. */
  plain(text: string): void {
    this.reserve(text.length);
    // Most are so short that a call into the runtime would take longer.
    for (let index = 0; index < text.length; index++) {
      this.bytes[this.length++] = text.charCodeAt(index);
    }
  }

  /** Text in UTF-8, escaped as COPY does. */
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

  /** What is in; it is valid until something is put in again. */
  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.length);
    this.length = 0;
    return taken;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.length + count));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
