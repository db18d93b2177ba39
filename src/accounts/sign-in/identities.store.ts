/** Which account of a provider signs in to which account. */

import type { StoreClock } from '../../store/sql/clock.ts';
import {
  addRow,
  deleteRows,
  type Engine,
  first,
  hasRow,
  methods,
  type Operation,
  query,
  type Reading,
} from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import type { Account, NewAccount } from '../people/account.ts';
import { accountMethods } from '../people/account-methods.store.ts';
import { addAccount } from '../people/account-registry.store.ts';
import type { Identity } from './identity.ts';
import { hasOtherWay, type WayRemoval } from './passkeys.store.ts';

export function identityStore(engine: Engine, clock: StoreClock) {
  return {
    ...methods(engine.run, { findIdentity, hasIdentity, listIdentities }),
    ...accountMethods(engine, { linkIdentity, removeIdentity }),
    /** Null if the email has an account: only its owner can link that. */
    addAccountOf: (identity: Identity, account: NewAccount) =>
      engine.transaction(() => addAccountOf(identity, account, clock(account.at))),
  };
}

/** The account that an identity signs in to; null if there is none. */
function* findIdentity({ issuer, subject }: Identity): Reading<number | null> {
  const found = yield* first<{ accountId: number }>(
    `SELECT account_id AS "accountId" FROM private.identity
     WHERE issuer = $1::text AND subject = $2::text`,
    [issuer, subject],
  );
  return found?.accountId ?? null;
}

function listIdentities(accountId: number): Reading<(Identity & { readonly createdAt: number })[]> {
  return query(
    `SELECT ${columnsOf(tables.identity, 'i', ['issuer', 'subject', 'createdAt'])}
     FROM private.identity AS i WHERE i.account_id = $1::bigint ORDER BY i.issuer`,
    [accountId],
  );
}

function* hasIdentity(accountId: number, issuer: string): Reading<boolean> {
  return yield* hasRow(tables.identity, { accountId, issuer });
}

/** False if the identity or the account is linked already. */
function linkIdentity(
  accountId: number,
  { issuer, subject, at }: Identity & { readonly at: number },
): Operation<boolean> {
  return addRow(tables.identity, { issuer, subject, accountId, createdAt: at });
}

function* removeIdentity(accountId: number, issuer: string): Operation<WayRemoval> {
  const others = { passkeyId: null, issuer: null };
  if (!(yield* hasOtherWay(accountId, others))) return 'last';
  return (yield* deleteRows(tables.identity, { accountId, issuer })) > 0 ? 'removed' : 'unknown';
}

function* addAccountOf(
  { issuer, subject }: Identity,
  account: NewAccount,
  time: ReturnType<StoreClock>,
): Operation<Account | null> {
  const made = yield* addAccount(account, time);
  if (!made) return null;
  if (yield* linkIdentity(made.id, { issuer, subject, at: account.at })) return made;
  // Another request of the same person was first; the transaction is rolled back.
  throw new Error('The identity was linked at the same time.');
}
