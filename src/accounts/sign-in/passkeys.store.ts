/** Passkeys, and challenges that browsers answer once: with a passkey, or from the provider. */

import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { accountMethods } from '../people/account-methods.store.ts';
import { type NewPasskey, type Passkey, passkeysMax } from './passkey.ts';
import type { TokenHash } from './session.ts';

export function passkeyStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, { listPasskeys, findPasskey }),
    ...db.methods(engine.transaction, { addChallenge, useChallenge, notePasskeyUse }),
    ...accountMethods(engine, { addPasskey, removePasskey }),
  };
}

/** The account is null for a sign-in, before it is known whose. */
function addChallenge(challenge: {
  readonly hash: TokenHash;
  readonly accountId: number | null;
  readonly expiresAt: number;
}): db.Operation<void> {
  return db.insertRows(tables.challenge, [challenge]);
}

/** False if it was used before, has expired, or was for another account. */
function useChallenge(challenge: {
  readonly hash: TokenHash;
  readonly accountId: number | null;
  readonly at: number;
}): db.Operation<boolean> {
  return db.runAny(
    `DELETE FROM private.challenge WHERE hash = $1::bytea
       AND account_id IS NOT DISTINCT FROM $2::bigint AND expires_at > $3::bigint`,
    [challenge.hash, challenge.accountId, challenge.at],
  );
}

/** Oldest first. */
function listPasskeys(accountId: number): db.Reading<Passkey[]> {
  return db.listRows(tables.passkey, { accountId }, { order: 't.id' });
}

function findPasskey(credentialId: string): db.Reading<Passkey | null> {
  return db.findRow(tables.passkey, { credentialId });
}

/** Why it was not added: the account has too many, or the device has one already. */
function* addPasskey(
  accountId: number,
  passkey: NewPasskey,
): db.Operation<'added' | 'too many' | 'taken'> {
  if ((yield* listPasskeys(accountId)).length >= passkeysMax) return 'too many';
  return (yield* db.addRow(tables.passkey, { ...passkey, accountId })) ? 'added' : 'taken';
}

function* notePasskeyUse(
  id: number,
  { counter, at }: { readonly counter: number; readonly at: number },
): db.Operation<void> {
  yield* db.changeRows(tables.passkey, { counter, lastUsedAt: at }, { id });
}

/** The outcome of removing a passkey or a provider; `last`: kept, as no other way is left. */
export type WayRemoval = 'removed' | 'last' | 'unknown';

/** `issuer` is that of the provider that accounts sign in with; null if there is none. */
function* removePasskey(
  accountId: number,
  { id, issuer }: { readonly id: number; readonly issuer: string | null },
): db.Operation<WayRemoval> {
  if (!(yield* hasOtherWay(accountId, { passkeyId: id, issuer }))) return 'last';
  return (yield* db.deleteRows(tables.passkey, { accountId, id })) > 0 ? 'removed' : 'unknown';
}

/** Whether an account can sign in with a password, this provider, or another passkey. */
export function* hasOtherWay(
  accountId: number,
  { passkeyId, issuer }: { readonly passkeyId: number | null; readonly issuer: string | null },
): db.Reading<boolean> {
  const found = yield* db.first(
    `SELECT 1 FROM private.account WHERE id = $1::bigint AND password_hash IS NOT NULL
     UNION ALL
     SELECT 1 FROM private.identity WHERE account_id = $1::bigint AND issuer = $2::text
     UNION ALL
     SELECT 1 FROM private.passkey WHERE account_id = $1::bigint
       AND id IS DISTINCT FROM $3::bigint
     LIMIT 1`,
    [accountId, issuer, passkeyId],
  );
  return found !== null;
}
