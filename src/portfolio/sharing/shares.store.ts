/** Shares of collections and saved boxes. A reader is found with the share, or not at all. */

import { accountMethods, isOnPlan } from '../../accounts/people/account-methods.store.ts';
import { isRemoved } from '../../accounts/people/account-registry.store.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import { minuteMs } from '../../kernel/time.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import {
  type ListedShare,
  type NewShare,
  type OfferedShare,
  type OpenShare,
  type Share,
  shareLimits,
} from './share.ts';

export function shareStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { listShares, listAllShares, listMemberships, findShareOffer }),
    ...accountMethods(engine, { addShare, removeShare, acceptShare, leaveShare }),
    /** The share of a link; null if it does not work. */
    openLink: async (tokenHash: TokenHash, at: number) =>
      openShare(engine, await engine.run(() => findLink(tokenHash, at)), at),
    /** A share that a member has accepted; null if there is none. */
    openMembership: async (memberId: number, shareId: number, at: number) =>
      openShare(engine, await engine.run(() => findMembership(memberId, shareId, at)), at),
  };
}

const thing = `LEFT JOIN private.brickfolio b ON b.id = s.brickfolio_id
  LEFT JOIN private.saved_box x ON x.id = s.box_id`;

/** Whether it has not ended; the parameter is the time. */
const isActive = (parameter: number) =>
  `(s.expires_at IS NULL OR s.expires_at > $${parameter}::bigint)`;

const listed = columnsOf(tables.share, 's', [
  'id',
  'brickfolioId',
  'boxId',
  'withCosts',
  'name',
  'acceptUntil',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
]);

/** Those of an account that have not ended, newest first. */
function listShares(accountId: number, at: number): db.Reading<Share[]> {
  return db.query<Share>(
    `SELECT ${listed}, coalesce(b.name, x.name) AS title, member.email AS "memberEmail"
     FROM private.share s ${thing} LEFT JOIN private.account member ON member.id = s.member_id
     WHERE s.account_id = $1::bigint AND ${isActive(2)}
       AND (s.accept_until IS NULL OR s.accept_until > $2::bigint)
     ORDER BY s.id DESC`,
    [accountId, at],
  );
}

/** Those of all accounts, or of one, that have not ended, newest first. */
function listAllShares(filter: {
  readonly accountId: number | null;
  readonly limit: number;
  readonly at: number;
}): db.Reading<ListedShare[]> {
  const { accountId, limit, at } = filter;
  const columns = columnsOf(tables.share, 's', [
    'id',
    'withCosts',
    'createdAt',
    'expiresAt',
    'lastUsedAt',
  ]);
  return db.query<ListedShare>(
    `SELECT ${columns}, owner.email AS "ownerEmail",
       CASE WHEN s.box_id IS NULL THEN 'collection' ELSE 'box' END AS shows,
       CASE WHEN s.member_id IS NOT NULL THEN 'member' WHEN s.accept_until IS NULL THEN 'link'
         ELSE 'invited' END AS reader
     FROM private.share s JOIN private.account owner ON owner.id = s.account_id
     WHERE ($1::bigint IS NULL OR s.account_id = $1::bigint) AND ${isActive(2)}
       AND (s.accept_until IS NULL OR s.accept_until > $2::bigint)
     ORDER BY s.id DESC LIMIT $3::bigint`,
    [accountId, at, limit],
  );
}

/** `missing` if the account has no such collection or box. */
function* addShare(
  accountId: number,
  { at, ...share }: NewShare,
): db.Operation<{ readonly id: number } | 'missing' | 'too many' | 'no plan'> {
  const { brickfolioId, boxId } = share;
  const own = yield* db.first(
    `SELECT id FROM private.brickfolio WHERE account_id = $1::bigint AND id = $2::bigint
     UNION ALL
     SELECT id FROM private.saved_box WHERE account_id = $1::bigint AND id = $3::bigint`,
    [accountId, brickfolioId, boxId],
  );
  if (!own) return 'missing';
  if (boxId !== null && !(yield* isOnPlan(accountId))) return 'no plan';
  if ((yield* listShares(accountId, at)).length >= shareLimits.given) return 'too many';
  const row = { ...share, accountId, memberId: null, createdAt: at, lastUsedAt: null };
  const id = yield* db.insertRow(tables.share, row);
  return { id };
}

/** Effective at once in all processes; false if the account has no such share. */
function* removeShare(accountId: number, shareId: number): db.Operation<boolean> {
  return (yield* db.deleteRows(tables.share, { accountId, id: shareId })) > 0;
}

type FoundShare = OfferedShare & { readonly lastUsedAt: number | null };

/** Shares with owners that exist; boxes only with the plan of *Evaluate*. */
const readable = `SELECT ${columnsOf(tables.share, 's', [
  'id',
  'accountId',
  'brickfolioId',
  'boxId',
  'withCosts',
  'expiresAt',
  'lastUsedAt',
])}, coalesce(b.name, x.name) AS title, owner.email AS "ownerEmail"
  FROM private.share s JOIN private.account owner ON owner.id = s.account_id ${thing}
  WHERE owner.closed_at IS NULL AND NOT ${isRemoved}
    AND (s.box_id IS NULL OR owner.plan = 'reseller')`;

function findLink(tokenHash: TokenHash, at: number): db.Reading<FoundShare | null> {
  return db.first(
    `${readable} AND s.token_hash = $1::bytea AND s.accept_until IS NULL AND ${isActive(2)}`,
    [tokenHash, at],
  );
}

function findMembership(
  memberId: number,
  shareId: number,
  at: number,
): db.Reading<FoundShare | null> {
  return db.first(
    `${readable} AND s.member_id = $1::bigint AND s.id = $2::bigint AND ${isActive(3)}`,
    [memberId, shareId, at],
  );
}

/** `last_used_at` is updated at most this often. */
const usedAgainMs = 5 * minuteMs;

async function openShare(
  engine: db.Engine,
  found: FoundShare | null,
  at: number,
): Promise<OpenShare | null> {
  if (!found) return null;
  const { lastUsedAt, ownerEmail: _, ...share } = found;
  if (lastUsedAt === null || at - lastUsedAt >= usedAgainMs) {
    const changes = { lastUsedAt: at };
    await engine.transaction(() => db.changeRows(tables.share, changes, { id: share.id }));
  }
  return share;
}

/** Everything that an account may read of others, in the order it was created. */
function listMemberships(memberId: number, at: number): db.Reading<OfferedShare[]> {
  return db.query<OfferedShare>(
    `${readable} AND s.member_id = $1::bigint AND ${isActive(2)} ORDER BY s.id`,
    [memberId, at],
  );
}

/** The share of an invitation; null if it was accepted or revoked, or has expired. */
function findShareOffer(tokenHash: TokenHash, at: number): db.Reading<OfferedShare | null> {
  return db.first<OfferedShare>(
    `${readable} AND s.token_hash = $1::bytea AND s.accept_until > $2::bigint AND ${isActive(2)}`,
    [tokenHash, at],
  );
}

/** Of two accounts that accept at the same time, one becomes the member. */
function* acceptShare(
  memberId: number,
  tokenHash: TokenHash,
  at: number,
): db.Operation<OfferedShare | 'gone' | 'own' | 'too many'> {
  const offer = yield* findShareOffer(tokenHash, at);
  if (!offer) return 'gone';
  if (offer.accountId === memberId) return 'own';
  if ((yield* listMemberships(memberId, at)).length >= shareLimits.accepted) return 'too many';
  const accepted = yield* db.run(
    `UPDATE private.share SET member_id = $1::bigint, name = '', token_hash = NULL,
       accept_until = NULL WHERE id = $2::bigint AND token_hash = $3::bytea`,
    [memberId, offer.id, tokenHash],
  );
  return accepted > 0 ? offer : 'gone';
}

/** Returns the owner; null if the account has no such membership. */
function* leaveShare(memberId: number, shareId: number): db.Operation<number | null> {
  const left = yield* db.runFirst<{ accountId: number }>(
    `DELETE FROM private.share WHERE member_id = $1::bigint AND id = $2::bigint
     RETURNING account_id::float8 AS "accountId"`,
    [memberId, shareId],
  );
  return left?.accountId ?? null;
}
