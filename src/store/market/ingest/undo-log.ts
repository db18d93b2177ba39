/**
 * What an import replaces, kept so that it can be undone: of rows that it adds nothing but their
 * names, of rows that it changes what they were. Many of them are one row of the table, in order of
 * writing; taken back in the opposite order, the first state is the last to be restored. Contents
 * of sets, aliases and weeks follow from the rows, and are not kept.
 */
import { StoreLostError } from '../../../domain/store.ts';
import { first, insertRows, type Operation } from '../../sql/operation.ts';
import { tables } from '../../sql/tables.ts';

/** Each kind of entry: the row's name, then what it was; without that, the row was added. */
export interface UndoEntries {
  /** An item's id and a source; the body of the record, and since when it is gone. */
  readonly record: readonly [number, string] | readonly [number, string, string, number | null];
  /** The same of a record whose mark changed, and nothing else. */
  readonly gone: readonly [number, string, number | null];
  /** A source and its name for a sale; the whole row. */
  readonly sale: readonly [string, string] | readonly [string, string, object];
  /** An item's id, a retailer and the instant of the look; what the look had found. */
  readonly offer: readonly [number, string, number] | readonly [number, string, number, object];
  /** A currency and a day; the rate. */
  readonly rate: readonly [string, string] | readonly [string, string, number];
  /** An item's id and a condition, of which no month was sealed yet. */
  readonly series: readonly [number, string];
}

/** A kind of entry. */
export type UndoKind = keyof UndoEntries;

/** Entries in one row: few enough to be taken back at once. */
const entriesPerRow = 1_000;

/** Gathers what one batch replaces. Without an import, nothing is kept. */
export class UndoLog {
  private readonly entries = new Map<UndoKind, unknown[]>();

  constructor(private readonly importId: number | null) {}

  get isKept(): boolean {
    return this.importId !== null;
  }

  add<Kind extends UndoKind>(kind: Kind, entry: UndoEntries[Kind]): void {
    if (this.importId === null) return;
    const entries = this.entries.get(kind);
    if (entries) entries.push(entry);
    else this.entries.set(kind, [entry]);
  }

  *save(): Operation<void> {
    const { importId } = this;
    if (importId === null || this.entries.size === 0) return;
    yield* checkNotUndone(importId);
    const rows: { importId: number; kind: UndoKind; body: string }[] = [];
    for (const [kind, entries] of this.entries) {
      for (let start = 0; start < entries.length; start += entriesPerRow) {
        const body = JSON.stringify(entries.slice(start, start + entriesPerRow));
        rows.push({ importId, kind, body });
      }
    }
    yield* insertRows(tables.importUndo, ['importId', 'kind', 'body'], rows);
  }
}

/** An import that somebody undid while it was running writes nothing any more. */
function* checkNotUndone(importId: number): Operation<void> {
  const undone = yield* first(
    `SELECT 1 FROM published.import_log
     WHERE id = $1::bigint AND body::json ->> 'undoneAt' IS NOT NULL`,
    [importId],
  );
  if (undone) {
    throw new StoreLostError('This import was undone while it was running; start it again.');
  }
}
