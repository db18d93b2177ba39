/** Invitations, and the accounts that they create. */

import type { StoreClock } from '../../store/sql/clock.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import type { TokenHash } from '../sign-in/session.ts';
import type { Account, NewAccount } from './account.ts';
import { adminLock } from './account-methods.store.ts';
import { addAccount, hasAdmin } from './account-registry.store.ts';
import type { Invitation, NewInvitation } from './invitation.ts';

export function invitationStore(engine: db.Engine, clock: StoreClock) {
  return {
    ...db.methods(engine.run, { findInvitation, listInvitations }),
    ...db.methods(engine.transaction, { addInvitation, inviteFirstOperator, removeInvitation }),
    /** Creates the account and uses up the invitation, which a taken email does not. */
    acceptInvitation: (tokenHash: TokenHash, account: InvitedAccount) =>
      engine.transaction(() => acceptInvitation(tokenHash, account, clock(account.at))),
  };
}

export type InvitedAccount = Omit<NewAccount, 'plan' | 'isOperator'>;

function* addInvitation(invitation: NewInvitation): db.Operation<void> {
  yield* insertInvitation(invitation, false);
}

function* insertInvitation(invitation: NewInvitation, isOperator: boolean): db.Operation<void> {
  const { at: createdAt, ...row } = invitation;
  yield* db.insertRow(tables.invitation, { ...row, isOperator, createdAt });
}

const columns = columnsOf(tables.invitation, 'invitation', [
  'id',
  'plan',
  'isOperator',
  'createdAt',
  'expiresAt',
]);

/** Null if it does not exist, was used or has expired. */
function* findInvitation(tokenHash: TokenHash, at: number): db.Reading<Invitation | null> {
  const found = yield* db.first<Invitation>(
    `SELECT ${columns} FROM private.invitation
     WHERE token_hash = $1::bytea AND expires_at > $2::bigint`,
    [tokenHash, at],
  );
  return found?.isOperator && (yield* hasAdmin()) ? null : found;
}

/** Open invitations, except that of the first operator; latest first. */
function listInvitations(at: number): db.Reading<Invitation[]> {
  return db.query<Invitation>(
    `SELECT ${columns} FROM private.invitation
     WHERE expires_at > $1::bigint AND NOT is_operator ORDER BY invitation.id DESC`,
    [at],
  );
}

function removeInvitation(id: number): db.Operation<boolean> {
  return db.runAny('DELETE FROM private.invitation WHERE id = $1::bigint AND NOT is_operator', [
    id,
  ]);
}

/** Replaces the invitation of the first operator; false if there is an operator. */
function* inviteFirstOperator(invitation: NewInvitation): db.Operation<boolean> {
  yield* db.lock(adminLock);
  if (yield* hasAdmin()) return false;
  yield* db.run('DELETE FROM private.invitation WHERE is_operator');
  yield* insertInvitation(invitation, true);
  return true;
}

export function* acceptInvitation(
  tokenHash: TokenHash,
  account: InvitedAccount,
  time: ReturnType<StoreClock>,
): db.Operation<Account | 'taken' | 'gone'> {
  yield* db.lock(adminLock);
  // The invitation is locked: of two requests with the same link, only one succeeds.
  yield* db.runRows('SELECT 1 FROM private.invitation WHERE token_hash = $1::bytea FOR UPDATE', [
    tokenHash,
  ]);
  const invitation = yield* findInvitation(tokenHash, account.at);
  if (!invitation) return 'gone';
  const { id, plan, isOperator } = invitation;
  const made = yield* addAccount({ ...account, plan, isOperator }, time);
  if (!made) return 'taken';
  yield* db.deleteRows(tables.invitation, { id });
  return made;
}
