/** Passkeys, and challenges that browsers answer once: with a passkey, or from the provider. */
import { type NewPasskey, type Passkey, passkeysMax } from '../../domain/account/passkey.ts';
import type { TokenHash } from '../../domain/account/session.ts';
import {
  changeRows,
  deleteRows,
  type Engine,
  first,
  methods,
  type Operation,
  query,
  run,
} from '../sql/operation.ts';
import { columnsOf, tables } from '../sql/tables.ts';
import { accountMethods } from './account-methods.ts';

export function passkeyStore(engine: Engine) {
  return {
    ...methods(engine.run, {
      addChallenge,
      useChallenge,
      listPasskeys,
      findPasskey,
      notePasskeyUse,
    }),
    ...accountMethods(engine, { addPasskey, removePasskey }),
  };
}

/** The account is null for a sign-in, before it is known whose. */
function* addChallenge(challenge: {
  readonly hash: TokenHash;
  readonly accountId: number | null;
  readonly expiresAt: number;
}): Operation<void> {
  yield* run(
    `INSERT INTO private.challenge (hash, account_id, expires_at)
     VALUES ($1::bytea, $2::bigint, $3::bigint)`,
    [challenge.hash, challenge.accountId, challenge.expiresAt],
  );
}

/** False if it was used before, has expired, or was for another account. */
function* useChallenge(challenge: {
  readonly hash: TokenHash;
  readonly accountId: number | null;
  readonly at: number;
}): Operation<boolean> {
  return (
    (yield* run(
      `DELETE FROM private.challenge WHERE hash = $1::bytea
         AND account_id IS NOT DISTINCT FROM $2::bigint AND expires_at > $3::bigint`,
      [challenge.hash, challenge.accountId, challenge.at],
    )) > 0
  );
}

const columns = columnsOf(tables.passkey, 'passkey');

/** Oldest first. */
function listPasskeys(accountId: number): Operation<Passkey[]> {
  return query<Passkey>(
    `SELECT ${columns} FROM private.passkey WHERE account_id = $1::bigint ORDER BY passkey.id`,
    [accountId],
  );
}

function findPasskey(credentialId: string): Operation<Passkey | null> {
  return first<Passkey>(`SELECT ${columns} FROM private.passkey WHERE credential_id = $1::text`, [
    credentialId,
  ]);
}

/** Why it was not added: the account has too many, or the device has one already. */
function* addPasskey(
  accountId: number,
  passkey: NewPasskey,
): Operation<'added' | 'too many' | 'taken'> {
  if ((yield* listPasskeys(accountId)).length >= passkeysMax) return 'too many';
  const { name, credentialId, publicKey, counter, createdAt } = passkey;
  const added = yield* run(
    `INSERT INTO private.passkey
       (account_id, name, credential_id, public_key, counter, created_at)
     VALUES ($1::bigint, $2::text, $3::text, $4::bytea, $5::bigint, $6::bigint)
     ON CONFLICT DO NOTHING`,
    [accountId, name, credentialId, publicKey, counter, createdAt],
  );
  return added > 0 ? 'added' : 'taken';
}

function* notePasskeyUse(
  id: number,
  { counter, at }: { readonly counter: number; readonly at: number },
): Operation<void> {
  yield* changeRows(tables.passkey, { counter, lastUsedAt: at }, { id });
}

/** The outcome of removing a passkey or a provider; `last`: kept, as no other way is left. */
export type WayRemoval = 'removed' | 'last' | 'unknown';

/** `issuer` is that of the provider that accounts sign in with; null if there is none. */
function* removePasskey(
  accountId: number,
  { id, issuer }: { readonly id: number; readonly issuer: string | null },
): Operation<WayRemoval> {
  if (!(yield* hasOtherWay(accountId, { passkeyId: id, issuer }))) return 'last';
  return (yield* deleteRows(tables.passkey, { accountId, id })) > 0 ? 'removed' : 'unknown';
}

/** Whether an account can sign in with a password, this provider, or another passkey. */
export function* hasOtherWay(
  accountId: number,
  { passkeyId, issuer }: { readonly passkeyId: number | null; readonly issuer: string | null },
): Operation<boolean> {
  const found = yield* first(
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
