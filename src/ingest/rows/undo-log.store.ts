/**
 * The undo log of an import: only keys of added rows, and the previous state of changed rows.
 * Entries are stored in groups in the order of writing; undoing goes backwards, so the earliest
 * state wins. Set contents, aliases and weeks are derived from the rows, so they are not logged.
 */
import { StoreLostError } from '../../kernel/store-errors.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';

/** Entries by kind: the key of a row and its previous state. Without a state, the row was added. */
export interface UndoEntries {
  /** Item id and source; body and `goneAt` of the record. */
  readonly record: readonly [number, string] | readonly [number, string, string, number | null];
  /** Item id and source of a record; its previous `goneAt`. */
  readonly gone: readonly [number, string, number | null];
  /** Source and source id; the row. */
  readonly sale: readonly [string, string] | readonly [string, string, object];
  /** Item id, retailer and time of an observation; the observed facts. */
  readonly offer: readonly [number, string, number] | readonly [number, string, number, object];
  /** Item id, condition and channel of a count of units for sale; the row. */
  readonly listings: LatestEntry;
  /** Item id, condition and source of a value of parts; the row. */
  readonly part_out: LatestEntry;
  /** Currency and day; the rate. */
  readonly rate: readonly [string, string] | readonly [string, string, number];
  /** Item id and condition of a series that did not exist. */
  readonly series: readonly [number, string];
}

type LatestEntry = readonly [number, string, string] | readonly [number, string, string, object];

export type UndoKind = keyof UndoEntries;

/** Entries per stored row, which are undone together. */
const entryBatchSize = 1_000;

/** Collects what one batch replaces; nothing if there is no import. */
export class UndoLog {
  private readonly entries = new Map<UndoKind, unknown[]>();

  constructor(private readonly importId: number | null) {}

  get isKept(): boolean {
    return this.importId !== null;
  }

  add<Kind extends UndoKind>(kind: Kind, entry: UndoEntries[Kind]): void {
    if (this.importId === null) return;
    this.entries.getOrInsert(kind, []).push(entry);
  }

  *save(): db.Operation<void> {
    const { importId } = this;
    if (importId === null || this.entries.size === 0) return;
    yield* checkNotUndone(importId);
    const rows: { importId: number; kind: UndoKind; body: string }[] = [];
    for (const [kind, entries] of this.entries) {
      for (let start = 0; start < entries.length; start += entryBatchSize) {
        const body = JSON.stringify(entries.slice(start, start + entryBatchSize));
        rows.push({ importId, kind, body });
      }
    }
    yield* db.insertRows(tables.importUndo, rows);
  }
}

/** An import that was undone while it runs must not write any more. */
function* checkNotUndone(importId: number): db.Operation<void> {
  const undone = yield* db.first(
    `SELECT 1 FROM published.import_log
     WHERE id = $1::bigint AND body::json ->> 'undoneAt' IS NOT NULL`,
    [importId],
  );
  if (undone) {
    throw new StoreLostError('This import was undone while it was running; start it again.');
  }
}
