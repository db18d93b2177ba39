/** Which account of a provider signs in to which account. */

import type { StoreClock } from '../../store/sql/clock.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import type { Account, NewAccount } from '../people/account.ts';
import { accountMethods } from '../people/account-methods.store.ts';
import { addAccount } from '../people/account-registry.store.ts';
import { emailKey } from '../people/email.ts';
import { acceptInvitation, type InvitedAccount } from '../people/invitations.store.ts';
import type { Identity } from './identity.ts';
import { hasOtherWay, type WayRemoval } from './passkeys.store.ts';
import type { TokenHash } from './session.ts';

export function identityStore(engine: db.Engine, clock: StoreClock) {
  return {
    ...db.methods(engine.run, { findIdentity, hasIdentity, listIdentities }),
    ...accountMethods(engine, { linkIdentity, removeIdentity }),
    ...db.methods(engine.transaction, { claimAccount }),
    /** Null if the email has an account: only its owner can link that. */
    addAccountOf: (identity: Identity, account: NewAccount) =>
      engine.transaction(() =>
        linked(identity, account.at, addAccount(account, clock(account.at))),
      ),
    /** The same with an invitation, as `acceptInvitation`. */
    acceptInvitationOf: (identity: Identity, tokenHash: TokenHash, account: InvitedAccount) =>
      engine.transaction(() =>
        linked(identity, account.at, acceptInvitation(tokenHash, account, clock(account.at))),
      ),
  };
}

/** The account that an identity signs in to; null if there is none. */
function* findIdentity({ issuer, subject }: Identity): db.Reading<number | null> {
  const found = yield* db.findRow<{ accountId: number }>(tables.identity, { issuer, subject });
  return found?.accountId ?? null;
}

function listIdentities(
  accountId: number,
): db.Reading<(Identity & { readonly createdAt: number })[]> {
  const fields = ['issuer', 'subject', 'createdAt'];
  return db.listRows(tables.identity, { accountId }, { order: 't.issuer', fields });
}

function* hasIdentity(accountId: number, issuer: string): db.Reading<boolean> {
  return yield* db.hasRow(tables.identity, { accountId, issuer });
}

/** False if the identity or the account is linked already. */
function linkIdentity(
  accountId: number,
  { issuer, subject, at }: Identity & { readonly at: number },
): db.Operation<boolean> {
  return db.addRow(tables.identity, { issuer, subject, accountId, createdAt: at });
}

function* removeIdentity(accountId: number, issuer: string): db.Operation<WayRemoval> {
  const others = { passkeyId: null, issuer: null };
  if (!(yield* hasOtherWay(accountId, others))) return 'last';
  return (yield* db.deleteRows(tables.identity, { accountId, issuer })) > 0 ? 'removed' : 'unknown';
}

/**
 * Links an account that an operator added and nobody can sign in to yet: without a password, a
 * passkey and a link to this provider. Not one with a role, which no provider gives away. Returns
 * its ID; null if there is none.
 */
function* claimAccount(
  { issuer, subject, email }: Identity & { readonly email: string },
  at: number,
): db.Operation<number | null> {
  const account = yield* db.runFirst<{ id: number }>(
    `SELECT id FROM private.account WHERE email_key = $1::text AND role IS NULL FOR UPDATE`,
    [emailKey(email)],
  );
  if (!account || (yield* hasOtherWay(account.id, { passkeyId: null, issuer }))) return null;
  return (yield* linkIdentity(account.id, { issuer, subject, at })) ? account.id : null;
}

function* linked<Refusal extends string | null>(
  { issuer, subject }: Identity,
  at: number,
  making: db.Operation<Account | Refusal>,
): db.Operation<Account | Refusal> {
  const made = yield* making;
  if (made === null || typeof made === 'string') return made;
  if (yield* linkIdentity(made.id, { issuer, subject, at })) return made;
  // Another request of the same person was first; the transaction is rolled back.
  throw new Error('The identity was linked at the same time.');
}
