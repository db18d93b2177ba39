/** Spreadsheet links: each names a key that it spends from, and goes with it. */
import type { KeyHash } from '../../domain/account/keys.ts';
import { type SheetTarget, sheetLinksMax } from '../../domain/account/sheet-link.ts';
import type {
  NewSheetLink,
  SheetKey,
  SheetLink,
  SheetLinkStore,
} from '../../domain/account/sheet-link-store.ts';
import { dayOf } from '../../domain/kernel/time.ts';
import type { StoreClock } from '../sql/clock.ts';
import { type Engine, first, insertIds, type Operation, query, run } from '../sql/operation.ts';
import { columnsOf, fieldsOf, tables } from '../sql/tables.ts';
import { instant } from './account-registry.ts';

/** Spreadsheet links; `noter` writes what a power cut may undo. */
export function sheetLinkStore(engine: Engine, clock: StoreClock, noter: Engine): SheetLinkStore {
  return {
    addSheetLink: (link) => engine.transaction(() => addLink(link, clock(link.at))),
    listSheetLinks: (accountId) => engine.run(() => query<SheetLink>(linksSql, [accountId])),
    removeSheetLink: async (accountId, linkId) =>
      (await engine.run(() =>
        run('DELETE FROM private.sheet_link WHERE account_id = $1::bigint AND id = $2::bigint', [
          accountId,
          linkId,
        ]),
      )) > 0,
    findSheetKey: (target) => engine.run(() => findKey(target)),
    noteSheetUse: async (linkId, use) => {
      await noter.run(() => noteUse(linkId, use));
    },
  };
}

const linkFields = fieldsOf(tables.sheetLink, ['accountId']);

const linksSql = `SELECT ${columnsOf(tables.sheetLink, 'l', linkFields)}
  FROM private.sheet_link l WHERE l.account_id = $1::bigint ORDER BY l.id DESC`;

/** While the account is locked no other link is added to it, so that the count stays true. */
function* addLink(
  { at: _, ...link }: NewSheetLink,
  time: ReturnType<StoreClock>,
): Operation<{ readonly id: number } | 'no key' | 'too many'> {
  const { accountId, keyId } = link;
  yield* query('SELECT id FROM private.account WHERE id = $1::bigint FOR NO KEY UPDATE', [
    accountId,
  ]);
  const key = yield* first<{ at: number }>(
    `SELECT clock.at FROM ${instant} CROSS JOIN private.api_key k
     WHERE k.account_id = $3::bigint AND k.id = $4::bigint AND k.revoked_at IS NULL
       AND (k.expires_at IS NULL OR k.expires_at > clock.at)`,
    [...time, accountId, keyId],
  );
  if (!key) return 'no key';
  const counted = yield* first<{ n: number }>(
    'SELECT count(*) AS n FROM private.sheet_link WHERE account_id = $1::bigint',
    [accountId],
  );
  if ((counted?.n ?? 0) >= sheetLinksMax) return 'too many';
  const row = { ...link, createdAt: key.at, usedDay: 0, used: 0 };
  const fields = Object.keys(row) as (keyof typeof row)[];
  const [id] = yield* insertIds(tables.sheetLink, fields, [row]);
  if (id === undefined) throw new Error('The link was not written.');
  return { id };
}

function* findKey({ handle, content }: SheetTarget): Operation<SheetKey | null> {
  const row = yield* first<{ linkId: number; hash: Uint8Array }>(
    `SELECT l.id AS "linkId", k.hash FROM private.sheet_link l
     JOIN private.api_key k ON k.id = l.key_id
     WHERE l.handle = $1::text AND l.content = $2::text`,
    [handle, content],
  );
  return row && { linkId: row.linkId, keyHash: row.hash as KeyHash };
}

/** What comes late, from the day before, is left out. */
function* noteUse(
  linkId: number,
  { cost, at }: { readonly cost: number; readonly at: number },
): Operation<void> {
  yield* run(
    `UPDATE private.sheet_link
     SET used = CASE WHEN used_day = $2::bigint THEN used ELSE 0 END + $3::bigint,
       used_day = $2::bigint, last_used_at = $4::bigint
     WHERE id = $1::bigint AND used_day <= $2::bigint`,
    [linkId, dayOf(at), cost, at],
  );
}
