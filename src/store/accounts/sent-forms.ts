/**
 * Forms and entries of devices that were applied, so that one that is sent again has no effect.
 * The ID of a form includes its content.
 */

import { countText } from '../../domain/kernel/format.ts';
import {
  deviceEntryLimits,
  entriesKeptMs,
  entryAgeProblem,
  formsKeptMs,
} from '../../domain/portfolio/device-entries.ts';
import type { SentForm } from '../../domain/portfolio/private-rows.ts';
import {
  type Engine,
  first,
  hasRow,
  insertRows,
  methods,
  type Operation,
  query,
  type Reading,
} from '../sql/operation.ts';
import { tables } from '../sql/tables.ts';
import { accountMethods } from './account-methods.ts';

export function sentFormStore(engine: Engine) {
  return {
    ...methods(engine.run, { findSentForms }),
    ...accountMethods(engine, { claimForm }),
  };
}

/** Those of the IDs that were applied. */
function* findSentForms(accountId: number, ids: readonly string[]): Reading<Set<string>> {
  const found = yield* query<{ id: string }>(
    'SELECT id FROM private.sent_form WHERE account_id = $1::bigint AND id = ANY($2::text[])',
    [accountId, ids],
  );
  return new Set(found.map(({ id }) => id));
}

/** Remembers a form; false if it was sent before, or the account does not exist. */
function* claimForm(accountId: number, id: string, at: number): Operation<boolean> {
  if (!(yield* hasRow(tables.account, { id: accountId }))) return false;
  if (yield* findSentForm(accountId, { id })) return false;
  yield* rememberForm(accountId, { id }, { editId: null, at });
  return true;
}

interface FoundForm {
  /** The ID of the stored edit that undoes the change; null if it cannot be undone. */
  readonly editId: number | null;
}

/** Null if the form was not applied yet. */
export function findSentForm(accountId: number, { id }: SentForm): Reading<FoundForm | null> {
  return first<FoundForm>(
    `SELECT edit_id::float8 AS "editId" FROM private.sent_form
     WHERE account_id = $1::bigint AND id = $2::text`,
    [accountId, id],
  );
}

/** Why an entry of a device may not be applied; null if it may. Forms of pages expire sooner. */
export function* sentFormFault(
  accountId: number,
  { madeAt }: SentForm,
  at: number,
): Reading<string | null> {
  if (madeAt === undefined) return null;
  const counted = yield* first<{ n: number }>(
    `SELECT count(*)::int AS n FROM private.sent_form
     WHERE account_id = $1::bigint AND expires_at > $2::bigint`,
    [accountId, at + formsKeptMs],
  );
  const { remembered: max } = deviceEntryLimits;
  const isFull = (counted?.n ?? 0) >= max;
  const problem = entryAgeProblem({ madeAt }, at);
  return problem ?? (isFull ? `the limit of ${countText(max)} entries is reached` : null);
}

export function* rememberForm(
  accountId: number,
  { id, madeAt }: SentForm,
  { editId, at }: { readonly editId: number | null; readonly at: number },
): Operation<void> {
  const expiresAt = at + (madeAt === undefined ? formsKeptMs : entriesKeptMs);
  const row = { accountId, id, editId, expiresAt };
  yield* insertRows(tables.sentForm, ['accountId', 'id', 'editId', 'expiresAt'], [row]);
}
