/**
 * Forms and entries of devices that were applied, so that one that is sent again has no effect. A
 * form is remembered in the transaction of its change. The ID of a form includes its content.
 */

import { type Around, Stopped } from '../../accounts/people/account-methods.store.ts';
import { countText } from '../../kernel/format.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import {
  deviceEntryLimits,
  entriesKeptMs,
  entryAgeProblem,
  formsKeptMs,
} from '../device/device-entries.ts';
import type { SentForm } from '../lots/private-rows.ts';

export function sentFormStore(engine: db.Engine) {
  return db.methods(engine.run, { findSentForm, findSentForms });
}

/** Who sent a form, and when. */
export interface OwnForm extends SentForm {
  readonly accountId: number;
  readonly at: number;
}

/** Stops a form that was applied before; otherwise remembers it if the change is not refused. */
export function onceFor(form: OwnForm): Around {
  const { accountId, id, at } = form;
  return function* (make) {
    yield* db.lock(`form ${id}`);
    const isKnown = (yield* findSentForm(accountId, form)) !== null;
    const isGone = !(yield* db.hasRow(tables.account, { id: accountId }));
    if (isKnown || isGone) throw new Stopped('sent before');
    const result = yield* make();
    if (isDone(result)) yield* rememberForm(accountId, form, { editId: null, at });
    return result;
  };
}

/** Methods return nothing, `done`, true, or what has an ID, and otherwise why they did nothing. */
function isDone(result: unknown): boolean {
  const hasId = typeof result === 'object' && result !== null && 'id' in result;
  const id = hasId ? result.id : result;
  return id === undefined || id === 'done' || id === true || (typeof id === 'number' && id > 0);
}

/** Those of the IDs that were applied. */
function* findSentForms(accountId: number, ids: readonly string[]): db.Reading<Set<string>> {
  const found = yield* db.query<{ id: string }>(
    'SELECT id FROM private.sent_form WHERE account_id = $1::bigint AND id = ANY($2::text[])',
    [accountId, ids],
  );
  return new Set(found.map(({ id }) => id));
}

interface FoundForm {
  /** The ID of the stored edit that undoes the change; null if it cannot be undone. */
  readonly editId: number | null;
  /** Whether it could be undone once, and cannot any more, usually because it was undone. */
  readonly isOver: boolean;
}

/** Null if the form was not applied yet. */
export function findSentForm(
  accountId: number,
  { id }: Pick<SentForm, 'id'>,
): db.Reading<FoundForm | null> {
  return db.first<FoundForm>(
    `SELECT f.edit_id::float8 AS "editId", (f.edit_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM private.edit e WHERE e.id = f.edit_id))::boolean AS "isOver"
     FROM private.sent_form f WHERE f.account_id = $1::bigint AND f.id = $2::text`,
    [accountId, id],
  );
}

/** Why an entry of a device may not be applied; null if it may. Forms of pages expire sooner. */
export function* sentFormFault(
  accountId: number,
  { madeAt }: SentForm,
  at: number,
): db.Reading<string | null> {
  if (madeAt === undefined) return null;
  const counted = yield* db.first<{ n: number }>(
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
): db.Operation<void> {
  const expiresAt = at + (madeAt === undefined ? formsKeptMs : entriesKeptMs);
  const row = { accountId, id, editId, expiresAt };
  yield* db.insertRows(tables.sentForm, [row]);
}
