/** Authenticator apps, recovery codes, and sign-ins that wait for a code. */

import type { Encrypted } from '../../kernel/encryption.ts';
import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { accountMethods, lockAccount, lockAccountOf } from '../people/account-methods.store.ts';
import type { Requirement } from '../people/site-access.ts';
import type { AuthenticatorApp, CodeProof, SignInStep, StepSession } from './second-factor.ts';
import type { TokenHash } from './session.ts';
import { addSession } from './sessions.store.ts';

export function secondFactorStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, {
      findAuthenticator,
      countRecoveryCodes,
      findSignInStep,
      hasRequired,
    }),
    ...db.methods(engine.transaction, { addSignInStep, finishSignInStep, resetFactors }),
    ...accountMethods(engine, {
      startAuthenticator,
      confirmAuthenticator,
      useCode,
      saveRecoveryCodes,
      removeAuthenticator,
    }),
  };
}

function findAuthenticator(accountId: number): db.Reading<AuthenticatorApp | null> {
  return db.first<AuthenticatorApp>(
    `SELECT secret, created_at::float8 AS "createdAt",
       (last_step IS NOT NULL)::boolean AS "isConfirmed"
     FROM private.authenticator WHERE account_id = $1::bigint`,
    [accountId],
  );
}

/** Whether an account has what a site requires of sign-ins; the provider is enough for all. */
function* hasRequired(
  accountId: number,
  { requires, issuer }: { readonly requires: Requirement; readonly issuer: string | null },
): db.Reading<boolean> {
  if (requires === 'none' || (yield* db.hasRow(tables.identity, { accountId, issuer })))
    return true;
  if (requires === 'oidc') return false;
  const found = yield* db.first(
    `SELECT 1 FROM private.passkey WHERE account_id = $1::bigint UNION ALL
     SELECT 1 FROM private.authenticator
     WHERE account_id = $1::bigint AND last_step IS NOT NULL`,
    [accountId],
  );
  return found !== null;
}

/** Replaces one that is not confirmed; false if there is a confirmed one. */
function* startAuthenticator(
  accountId: number,
  { secret, at }: { readonly secret: Encrypted; readonly at: number },
): db.Operation<boolean> {
  yield* db.run(
    'DELETE FROM private.authenticator WHERE account_id = $1::bigint AND last_step IS NULL',
    [accountId],
  );
  return yield* db.addRow(tables.authenticator, { accountId, secret, createdAt: at });
}

interface ConfirmedApp {
  readonly secret: Encrypted;
  readonly step: number;
  readonly codes: readonly TokenHash[];
}

/** Ends all sessions, which began without a code. False if confirmed or replaced meanwhile. */
function* confirmAuthenticator(accountId: number, app: ConfirmedApp): db.Operation<boolean> {
  const confirmed = yield* db.run(
    `UPDATE private.authenticator SET last_step = $3::bigint
     WHERE account_id = $1::bigint AND secret = $2::bytea AND last_step IS NULL`,
    [accountId, app.secret, app.step],
  );
  if (confirmed === 0) return false;
  yield* saveRecoveryCodes(accountId, app.codes);
  yield* db.deleteRows(tables.session, { accountId });
  return true;
}

/** Replaces all recovery codes. */
function* saveRecoveryCodes(accountId: number, codes: readonly TokenHash[]): db.Operation<void> {
  yield* db.deleteRows(tables.recoveryCode, { accountId });
  const rows = codes.map((hash) => ({ accountId, hash }));
  yield* db.insertRows(tables.recoveryCode, rows);
}

function countRecoveryCodes(accountId: number): db.Reading<number> {
  return db.countRows(tables.recoveryCode, { accountId });
}

/** Uses up a right code; false if it was used before. */
function* useCode(accountId: number, proof: CodeProof): db.Operation<boolean> {
  const used =
    proof.kind === 'app'
      ? yield* db.run(
          `UPDATE private.authenticator SET last_step = $2::bigint
           WHERE account_id = $1::bigint AND last_step < $2::bigint`,
          [accountId, proof.step],
        )
      : yield* db.deleteRows(tables.recoveryCode, { accountId, hash: proof.hash });
  return used > 0;
}

/** Removes the app and its recovery codes. */
function removeAuthenticator(accountId: number): db.Operation<void> {
  return db.deleteOf(accountId, [tables.authenticator, tables.recoveryCode, tables.signInStep]);
}

/** False if the account has another password by now. */
function* addSignInStep(step: {
  readonly accountId: number;
  readonly passwordHash: string;
  readonly tokenHash: TokenHash;
  readonly expiresAt: number;
}): db.Operation<boolean> {
  // The account is locked, so that a concurrent change of the password is seen.
  const account = yield* db.runFirst(
    `SELECT 1 FROM private.account WHERE id = $1::bigint AND password_hash = $2::text
     FOR NO KEY UPDATE`,
    [step.accountId, step.passwordHash],
  );
  if (account === null) return false;
  yield* db.insertRows(tables.signInStep, [step]);
  return true;
}

/** Null if it does not exist or has expired. */
function findSignInStep(tokenHash: TokenHash, at: number): db.Reading<SignInStep | null> {
  return db.first<SignInStep>(
    `SELECT a.id::float8 AS "accountId", a.email, app.secret FROM private.sign_in_step s
     JOIN private.account a ON a.id = s.account_id
     JOIN private.authenticator app ON app.account_id = a.id
     WHERE s.token_hash = $1::bytea AND s.expires_at > $2::bigint`,
    [tokenHash, at],
  );
}

/** Uses up the step and the code, and adds the session; null if one of them was used before. */
function* finishSignInStep(session: StepSession): db.Operation<number | null> {
  const { stepHash, proof, ...rest } = session;
  const step = yield* findSignInStep(stepHash, session.at);
  if (!step) return null;
  const { accountId } = step;
  yield* lockAccount(accountId);
  // A new password, or another request, deleted the step before the account was locked.
  if (!(yield* findSignInStep(stepHash, session.at))) return null;
  if (!(yield* useCode(accountId, proof))) return null;
  yield* db.deleteRows(tables.signInStep, { tokenHash: stepHash });
  return yield* addSession({ ...rest, accountId, passwordHash: null, method: 'code' });
}

/** Removes all factors of an account and ends its sessions; false if there is no such account. */
function* resetFactors(email: string): db.Operation<boolean> {
  const accountId = yield* lockAccountOf(email);
  if (accountId === null) return false;
  yield* removeAuthenticator(accountId);
  const { passkey, challenge, identity, session } = tables;
  yield* db.deleteOf(accountId, [passkey, challenge, identity, session]);
  return true;
}
