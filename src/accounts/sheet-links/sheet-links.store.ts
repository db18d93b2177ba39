/**
 * Spreadsheet links. A link is charged to a key and is removed with it. Signatures are not stored.
 */
import { sheetFiles } from '../../contract/sheet-files.ts';
import { dayOf } from '../../kernel/time.ts';
import type { StoreClock } from '../../store/sql/clock.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, fieldsOf, tables } from '../../store/sql/tables.ts';
import { recordAudit } from '../audit/audit.store.ts';
import { byAccount } from '../audit/audit.ts';
import type { KeyHash } from '../keys/keys.ts';
import { scopeBits } from '../keys/scopes.ts';
import { changeAccount, isOnPlan } from '../people/account-methods.store.ts';
import { instant } from '../people/account-registry.store.ts';
import {
  type NewSheetLink,
  type SheetKey,
  type SheetLink,
  type SheetTarget,
  sheetLinksMax,
} from './sheet-link.ts';

/** Writes of `noter` may be lost in a power failure. */
export function sheetLinkStore(engine: db.Engine, clock: StoreClock, noter: db.Engine) {
  return {
    ...db.methods(noter.transaction, { noteSheetUse }),
    ...db.methods(engine.run, { findSheetKey, listSheetLinks }),
    ...db.methods(engine.transaction, { removeSheetLink }),
    /** The id; `no key` also if the key is revoked or expired; or the scopes that the key lacks. */
    addSheetLink: (link: NewSheetLink) =>
      changeAccount(engine, link.accountId, () => addLink(link, clock(link.at))),
  };
}

export interface SheetLinkStore extends ReturnType<typeof sheetLinkStore> {}

/** Newest first. */
function listSheetLinks(accountId: number): db.Reading<SheetLink[]> {
  return db.query<SheetLink>(linksSql, [accountId]);
}

/** Effective at once in all processes; false if the account has no such link. */
function* removeSheetLink(accountId: number, linkId: number, at: number): db.Operation<boolean> {
  if ((yield* db.deleteRows(tables.sheetLink, { accountId, id: linkId })) === 0) return false;
  const entry = { at, by: byAccount(accountId), accountId, detail: `link ${linkId}` };
  yield* recordAudit({ ...entry, action: 'sheet-link.revoked' });
  return true;
}

const linkFields = fieldsOf(tables.sheetLink, ['accountId']);

const linksSql = `SELECT ${columnsOf(tables.sheetLink, 'l', linkFields)}
  FROM private.sheet_link l WHERE l.account_id = $1::bigint ORDER BY l.id DESC`;

type AddedLink =
  | { readonly id: number }
  | { readonly lacks: number }
  | 'no key'
  | 'too many'
  | 'no plan';

/** The account is locked, so that the number of links stays within its limit. */
function* addLink(
  { at: _, ...link }: NewSheetLink,
  time: ReturnType<StoreClock>,
): db.Operation<AddedLink> {
  const { accountId, keyId } = link;
  if (!(yield* isOnPlan(accountId))) return 'no plan';
  const key = yield* db.first<{ at: number; scopes: number }>(
    `SELECT clock.at, k.scopes FROM ${instant} CROSS JOIN private.api_key k
     WHERE k.account_id = $3::bigint AND k.id = $4::bigint AND k.revoked_at IS NULL
       AND NOT k.is_test AND (k.expires_at IS NULL OR k.expires_at > clock.at)`,
    [...time, accountId, keyId],
  );
  if (!key) return 'no key';
  const lacks = scopeBits(sheetFiles[link.content].needs) & ~key.scopes;
  if (lacks !== 0) return { lacks };
  if ((yield* db.countRows(tables.sheetLink, { accountId })) >= sheetLinksMax) return 'too many';
  const row = { ...link, createdAt: key.at, usedDay: 0, used: 0 };
  const id = yield* db.insertRow(tables.sheetLink, row);
  const detail = `link ${id}, key ${keyId}`;
  const entry = { at: key.at, by: byAccount(accountId), accountId, detail };
  yield* recordAudit({ ...entry, action: 'sheet-link.added' });
  return { id };
}

/** Null if there is no such link. Admission checks whether the key is still valid. */
function* findSheetKey({ handle, content }: SheetTarget): db.Reading<SheetKey | null> {
  const row = yield* db.first<{ linkId: number; hash: Uint8Array }>(
    `SELECT l.id AS "linkId", k.hash FROM private.sheet_link l
     JOIN private.api_key k ON k.id = l.key_id
     WHERE l.handle = $1::text AND l.content = $2::text`,
    [handle, content],
  );
  return row && { linkId: row.linkId, keyHash: row.hash as KeyHash };
}

/**
 * Records usage of a link for its owner; the quota of the key was charged already. Uses of an
 * earlier day that arrive late are dropped.
 */
function* noteSheetUse(
  linkId: number,
  { cost, at }: { readonly cost: number; readonly at: number },
): db.Operation<void> {
  yield* db.run(
    `UPDATE private.sheet_link
     SET used = CASE WHEN used_day = $2::bigint THEN used ELSE 0 END + $3::bigint,
       used_day = $2::bigint, last_used_at = $4::bigint
     WHERE id = $1::bigint AND used_day <= $2::bigint`,
    [linkId, dayOf(at), cost, at],
  );
}
