/** Applies entries of devices, each at most once. */
import { watchLimits } from '../../domain/alerts/watch-list.ts';
import { ownBarcodesMax } from '../../domain/catalog/own-barcodes.ts';
import { countText } from '../../domain/kernel/format.ts';
import {
  deviceEntryLimits,
  type EntryChange,
  type EntryMark,
  entryAgeProblem,
} from '../../domain/portfolio/device-entries.ts';
import type { StoreClock } from '../sql/clock.ts';
import {
  type Engine,
  first,
  insertRows,
  methods,
  type Operation,
  query,
} from '../sql/operation.ts';
import { tables } from '../sql/tables.ts';
import { changeAccount } from './account-methods.ts';
import { keepBarcode } from './own-barcodes.ts';
import { type ApplyOptions, applyBatch } from './private-rows.ts';
import { CountMemory } from './row-counts.ts';
import { watchFirst } from './watch-lists.ts';

export function deviceEntryStore(engine: Engine, clock: StoreClock) {
  const memory = new CountMemory();
  return {
    ...methods(engine.run, { findAppliedEntries }),
    /**
     * Applies an entry and remembers it, in one transaction. Returns why not; null if it is
     * applied, now or before.
     */
    applyEntry: (accountId: number, { mark, change, at }: SentEntry) =>
      changeAccount(engine, accountId, () =>
        applyEntry(accountId, { mark, change, at }, { time: clock(at), together: true, memory }),
      ),
  };
}

interface SentEntry {
  readonly mark: EntryMark;
  readonly change: EntryChange;
  readonly at: number;
}

/** Those of the IDs that were applied. */
function* findAppliedEntries(accountId: number, ids: readonly string[]): Operation<Set<string>> {
  const found = yield* query<{ id: string }>(
    `SELECT id FROM private.device_entry
     WHERE account_id = $1::bigint AND id = ANY($2::text[])`,
    [accountId, ids],
  );
  return new Set(found.map(({ id }) => id));
}

function* applyEntry(
  accountId: number,
  { mark, change, at }: SentEntry,
  options: ApplyOptions,
): Operation<string | null> {
  if ((yield* findAppliedEntries(accountId, [mark.id])).size > 0) return null;
  const fault =
    entryAgeProblem(mark, at) ??
    (yield* rememberFault(accountId)) ??
    (yield* applyChange(accountId, { mark, change, at }, options));
  if (fault !== null) return fault;
  const row = { accountId, id: mark.id, appliedAt: at };
  yield* insertRows(tables.deviceEntry, ['accountId', 'id', 'appliedAt'], [row]);
  return null;
}

/** Why no more entries can be remembered; null if they can. */
function* rememberFault(accountId: number): Operation<string | null> {
  const counted = yield* first<{ n: number }>(
    'SELECT count(*)::int AS n FROM private.device_entry WHERE account_id = $1::bigint',
    [accountId],
  );
  const { remembered: max } = deviceEntryLimits;
  return (counted?.n ?? 0) < max ? null : `the limit of ${countText(max)} entries is reached`;
}

/** Writes nothing if it returns why not. */
function* applyChange(
  accountId: number,
  { mark, change, at }: SentEntry,
  options: ApplyOptions,
): Operation<string | null> {
  if ('rows' in change) {
    const { outcomes } = yield* applyBatch(change.rows, options);
    const rejected = outcomes.find((outcome) => outcome.kind === 'rejected');
    return rejected?.kind === 'rejected' ? rejected.reason : null;
  }
  if ('watched' in change) {
    const { watched: item, keys } = change;
    const outcome = yield* watchFirst(accountId, { item, keys, at });
    return notWritten(outcome, { max: watchLimits.items, things: 'watched items' });
  }
  const outcome = yield* keepBarcode(accountId, change.barcode, mark.madeAt);
  return notWritten(outcome, { max: ownBarcodesMax, things: 'barcodes' });
}

/** Why nothing was written; null if it was. */
function notWritten(
  outcome: 'done' | 'too many' | 'no account',
  { max, things }: { readonly max: number; readonly things: string },
): string | null {
  if (outcome === 'done') return null;
  if (outcome === 'no account') return 'the account does not exist';
  return `the limit of ${countText(max)} ${things} is reached`;
}
