/** Applies entries of devices about watched items and barcodes; lots are changed like by a form. */

import { accountMethods } from '../../accounts/people/account-methods.store.ts';
import { watchLimits } from '../../alerts/watchlists/watch-list.ts';
import { watchFirst } from '../../alerts/watchlists/watch-lists.store.ts';
import { countText } from '../../kernel/format.ts';
import type { Engine, Operation } from '../../store/sql/operation.ts';
import { keepBarcode } from '../barcodes/own-barcodes.store.ts';
import { ownBarcodesMax } from '../barcodes/own-barcodes.ts';
import { sentFormFault } from '../forms/sent-forms.store.ts';
import type { EntryChange, EntryMark } from './device-entries.ts';

export function deviceEntryStore(engine: Engine) {
  return accountMethods(engine, { applyEntry });
}

interface SentEntry {
  readonly mark: EntryMark;
  readonly change: EntryChange;
  readonly at: number;
}

/** Applies an entry, which `applyForm` does once. Returns why not; `done` if it is applied. */
function* applyEntry(accountId: number, entry: SentEntry): Operation<string> {
  const fault = yield* sentFormFault(accountId, entry.mark, entry.at);
  return fault ?? (yield* applyChange(accountId, entry)) ?? 'done';
}

/** Writes nothing if it returns why not. */
function* applyChange(
  accountId: number,
  { mark, change, at }: SentEntry,
): Operation<string | null> {
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
