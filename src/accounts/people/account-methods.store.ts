/** Methods that change the data of one account. */

import * as db from '../../store/sql/operation.ts';
import { tables } from '../../store/sql/tables.ts';
import { fullPlan } from '../keys/quota.ts';
import { emailKey } from './email.ts';
import { mayChange, type Role } from './role.ts';

type AccountOperations = Readonly<
  Record<string, (accountId: number, ...given: never[]) => db.Operation<unknown>>
>;

/** Methods that each run in one transaction with the account locked. */
export function accountMethods<Named extends AccountOperations>(
  engine: db.Engine,
  operations: Named,
): db.Methods<Named> {
  const entries = Object.entries(operations).map(([name, operation]) => [
    name,
    (accountId: number, ...given: never[]) =>
      changeAccount(engine, accountId, () => operation(accountId, ...given)),
  ]);
  return Object.fromEntries(entries) as db.Methods<Named>;
}

/** Runs an operation in one transaction with the account locked. */
export function changeAccount<T>(
  engine: db.Engine,
  accountId: number,
  make: () => db.Operation<T>,
): Promise<T> {
  return engine.transaction(() => lockingAccount(accountId, make));
}

export function* lockingAccount<T>(
  accountId: number,
  make: () => db.Operation<T>,
): db.Operation<T> {
  yield* lockAccount(accountId);
  return yield* make();
}

/** Locks an account, so that its data does not change between statements. */
export function* lockAccount(accountId: number): db.Operation<void> {
  const sql = 'SELECT 1 FROM private.account WHERE id = $1::bigint FOR NO KEY UPDATE';
  yield* db.runRows(sql, [accountId]);
}

/**
 * Makes cached responses of accounts stale. After a restore, a database must not reach a version
 * again that stood for other data, so versions are at least its clock. The embedded store is never
 * restored while a process is running. False if there is no such account.
 */
export function raiseVersion(accountId: number): db.Operation<boolean> {
  return db.runAny(
    `UPDATE private.account
     SET private_version = greatest(private_version + 1, published.instant(NULL, 0))
     WHERE id = $1::bigint`,
    [accountId],
  );
}

/** Runs a change together with something else, or stops it. */
export type Around = <Result>(make: () => db.Operation<Result>) => db.Operation<Result>;

/** Thrown in a transaction whose change must not be made. */
export class Stopped extends Error {}

/**
 * Lets `work` call one method of a store, with something else in the transaction of that method.
 * Returns `why` if that stops it.
 */
export async function changeAround<Changes, T, Why extends string>(
  { engine, storeOn }: { readonly engine: db.Engine; storeOn(engine: db.Engine): Changes },
  { why, around }: { readonly why: Why; readonly around: Around },
  work: (accounts: Changes) => Promise<T>,
): Promise<T | Why> {
  const changing: db.Engine = {
    run: engine.run,
    snapshot: engine.snapshot,
    transaction: (make) => engine.transaction(() => around(make)),
    inSlices: (make) => engine.inSlices((rows) => around(() => make(rows))),
  };
  try {
    return await work(storeOn(changing));
  } catch (error) {
    if (error instanceof Stopped && error.message === why) return why;
    throw error;
  }
}

/** Held by whatever creates the first admin or ends one; acquired before any account. */
export const adminLock = 'admins';

/** Stops a change of an account that somebody with a role may not change. */
export function allowedTo({ role, accountId }: Changer): Around {
  return function* (make) {
    yield* db.lock(adminLock);
    const account = yield* db.runFirst<{ role: Role | null }>(
      'SELECT role FROM private.account WHERE id = $1::bigint FOR NO KEY UPDATE',
      [accountId],
    );
    if (account && !mayChange(role, account)) throw new Stopped('not allowed');
    return yield* make();
  };
}

/** Who changes which account. */
export interface Changer {
  readonly role: Role | null;
  readonly accountId: number;
}

/** Whether a locked account may use what is part of the plan. */
export function isOnPlan(accountId: number): db.Reading<boolean> {
  return db.hasRow(tables.account, { id: accountId, plan: fullPlan });
}

/** Locks the account with an email; returns its id, or null if there is none. */
export function* lockAccountOf(email: string): db.Operation<number | null> {
  const account = yield* db.runFirst<{ id: number }>(
    'SELECT id FROM private.account WHERE email_key = $1::text FOR NO KEY UPDATE',
    [emailKey(email)],
  );
  return account?.id ?? null;
}
