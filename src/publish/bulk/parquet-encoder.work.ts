/** Turns rows into the bytes of a Parquet file, a group at a time, so that memory is constant. */

import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { BulkColumn, BulkRow, Cell, CellKind } from '../../contract/plus/bulk-columns.ts';
import { dayMs, parseDay, parseInstant } from '../../kernel/time.ts';
import type { BulkEncoder, Emit } from './text-encoders.work.ts';

/** Cells per group. Requests wait while it is encoded, and while all are listed at the end. */
const groupCells = 64_000;

export function parquetEncoder(columns: readonly BulkColumn[], emit: Emit): BulkEncoder {
  const file = new ParquetWriter({
    writer: new EmittingWriter(emit),
    schema: schemaOf(columns),
    // Rows are ordered by item, so the bounds of a group would exclude none from a search.
    statistics: false,
    codec: 'ZSTD',
    compressors: { ZSTD: (bytes) => Bun.zstdCompressSync(bytes) },
  });
  const groupRows = Math.ceil(groupCells / columns.length);
  let waiting: BulkRow[] = [];
  const writeGroup = () => {
    const columnData = columns.map(({ name, kind }, index) => ({
      name,
      data: waiting.map((row) => types[kind].read(row[index] ?? null)),
    }));
    file.write({ columnData, rowGroupSize: waiting.length });
    waiting = [];
  };
  return {
    write: async ({ rows }) => {
      for (const row of rows) {
        waiting.push(row);
        if (waiting.length === groupRows) writeGroup();
      }
    },
    end: async () => {
      if (waiting.length > 0) writeGroup();
      file.finish();
    },
  };
}

/** Emits what was written after each group, and at the end. */
class EmittingWriter extends ByteWriter {
  constructor(private readonly emit: Emit) {
    super();
  }

  flush(): void {
    this.emit(this.getBytes().slice());
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

type Value = string | number | bigint | boolean | null;

interface ParquetType {
  readonly element: Pick<SchemaElement, 'type' | 'converted_type'>;
  read(cell: Cell): Value;
}

/** The cells of each kind in Parquet. Days are counted from 1970, instants in milliseconds. */
const types: Readonly<Record<CellKind, ParquetType>> = {
  text: { element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, read: asIs },
  integer: { element: { type: 'INT32' }, read: asIs },
  number: { element: { type: 'DOUBLE' }, read: asIs },
  flag: { element: { type: 'BOOLEAN' }, read: asIs },
  day: { element: { type: 'INT32', converted_type: 'DATE' }, read: readDay },
  instant: { element: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }, read: readInstant },
};

function asIs(cell: Cell): Value {
  return cell;
}

function readDay(cell: Cell): Value {
  const at = parseDay(String(cell));
  return at === null ? null : at / dayMs;
}

function readInstant(cell: Cell): Value {
  const at = parseInstant(String(cell));
  return at === null ? null : BigInt(at);
}

function schemaOf(columns: readonly BulkColumn[]): SchemaElement[] {
  const elements = columns.map(({ name, kind }): SchemaElement => {
    return { name, ...types[kind].element, repetition_type: 'OPTIONAL' };
  });
  return [{ name: 'root', num_children: columns.length }, ...elements];
}
