/** Authenticator apps, recovery codes, and sign-ins that wait for a code. */

import type { Encrypted } from '../../kernel/encryption.ts';
import {
  addRow,
  countRows,
  deleteOf,
  deleteRows,
  type Engine,
  first,
  hasRow,
  insertRows,
  methods,
  type Operation,
  type Reading,
  run,
  runFirst,
} from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { accountMethods, lockAccount, lockAccountOf } from '../people/account-methods.store.ts';
import type { Requirement } from '../people/site-access.ts';
import type { AuthenticatorApp, CodeProof, SignInStep, StepSession } from './second-factor.ts';
import type { TokenHash } from './session.ts';
import { addSession } from './sessions.store.ts';

export function secondFactorStore(engine: Engine) {
  return {
    ...methods(engine.run, { findAuthenticator, countRecoveryCodes, findSignInStep, hasRequired }),
    ...methods(engine.transaction, { addSignInStep, finishSignInStep, resetFactors }),
    ...accountMethods(engine, {
      startAuthenticator,
      confirmAuthenticator,
      useCode,
      saveRecoveryCodes,
      removeAuthenticator,
    }),
  };
}

function findAuthenticator(accountId: number): Reading<AuthenticatorApp | null> {
  return first<AuthenticatorApp>(
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
): Reading<boolean> {
  if (requires === 'none' || (yield* hasRow(tables.identity, { accountId, issuer }))) return true;
  if (requires === 'oidc') return false;
  const found = yield* first(
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
): Operation<boolean> {
  yield* run(
    'DELETE FROM private.authenticator WHERE account_id = $1::bigint AND last_step IS NULL',
    [accountId],
  );
  return yield* addRow(tables.authenticator, { accountId, secret, createdAt: at });
}

interface ConfirmedApp {
  readonly secret: Encrypted;
  readonly step: number;
  readonly codes: readonly TokenHash[];
}

/**
 * Ends all sessions, which began without a code. False if it is confirmed already, or another one
 * was started meanwhile.
 */
function* confirmAuthenticator(accountId: number, app: ConfirmedApp): Operation<boolean> {
  const confirmed = yield* run(
    `UPDATE private.authenticator SET last_step = $3::bigint
     WHERE account_id = $1::bigint AND secret = $2::bytea AND last_step IS NULL`,
    [accountId, app.secret, app.step],
  );
  if (confirmed === 0) return false;
  yield* saveRecoveryCodes(accountId, app.codes);
  yield* deleteRows(tables.session, { accountId });
  return true;
}

/** Replaces all recovery codes. */
function* saveRecoveryCodes(accountId: number, codes: readonly TokenHash[]): Operation<void> {
  yield* deleteRows(tables.recoveryCode, { accountId });
  const rows = codes.map((hash) => ({ accountId, hash }));
  yield* insertRows(tables.recoveryCode, ['accountId', 'hash'], rows);
}

function countRecoveryCodes(accountId: number): Reading<number> {
  return countRows(tables.recoveryCode, { accountId });
}

/** Uses up a right code; false if it was used before. */
function* useCode(accountId: number, proof: CodeProof): Operation<boolean> {
  const used =
    proof.kind === 'app'
      ? yield* run(
          `UPDATE private.authenticator SET last_step = $2::bigint
           WHERE account_id = $1::bigint AND last_step < $2::bigint`,
          [accountId, proof.step],
        )
      : yield* deleteRows(tables.recoveryCode, { accountId, hash: proof.hash });
  return used > 0;
}

/** Removes the app and its recovery codes. */
function removeAuthenticator(accountId: number): Operation<void> {
  return deleteOf(accountId, [tables.authenticator, tables.recoveryCode, tables.signInStep]);
}

/** False if the account has another password by now. */
function* addSignInStep(step: {
  readonly accountId: number;
  readonly passwordHash: string;
  readonly tokenHash: TokenHash;
  readonly expiresAt: number;
}): Operation<boolean> {
  // The account is locked, so that a concurrent change of the password is seen.
  const account = yield* runFirst(
    `SELECT 1 FROM private.account WHERE id = $1::bigint AND password_hash = $2::text
     FOR NO KEY UPDATE`,
    [step.accountId, step.passwordHash],
  );
  if (account === null) return false;
  yield* insertRows(tables.signInStep, ['tokenHash', 'accountId', 'expiresAt'], [step]);
  return true;
}

/** Null if it does not exist or has expired. */
function findSignInStep(tokenHash: TokenHash, at: number): Reading<SignInStep | null> {
  return first<SignInStep>(
    `SELECT a.id::float8 AS "accountId", a.email, app.secret FROM private.sign_in_step s
     JOIN private.account a ON a.id = s.account_id
     JOIN private.authenticator app ON app.account_id = a.id
     WHERE s.token_hash = $1::bytea AND s.expires_at > $2::bigint`,
    [tokenHash, at],
  );
}

/** Uses up the step and the code, and adds the session; null if one of them was used before. */
function* finishSignInStep(session: StepSession): Operation<number | null> {
  const { stepHash, proof, ...rest } = session;
  const step = yield* findSignInStep(stepHash, session.at);
  if (!step) return null;
  const { accountId } = step;
  yield* lockAccount(accountId);
  // A new password, or another request, deleted the step before the account was locked.
  if (!(yield* findSignInStep(stepHash, session.at))) return null;
  if (!(yield* useCode(accountId, proof))) return null;
  yield* deleteRows(tables.signInStep, { tokenHash: stepHash });
  return yield* addSession({ ...rest, accountId, passwordHash: null, method: 'code' });
}

/** Removes all factors of an account and ends its sessions; false if there is no such account. */
function* resetFactors(email: string): Operation<boolean> {
  const accountId = yield* lockAccountOf(email);
  if (accountId === null) return false;
  yield* removeAuthenticator(accountId);
  const { passkey, challenge, identity, session } = tables;
  yield* deleteOf(accountId, [passkey, challenge, identity, session]);
  return true;
}
