/** Methods that change the data of one account. */
import { emailKey } from '../../domain/account/email.ts';
import { fullPlan } from '../../domain/account/quota.ts';
import {
  type Engine,
  hasRow,
  type Methods,
  type Operation,
  type Reading,
  runFirst,
  runRows,
} from '../sql/operation.ts';
import { tables } from '../sql/tables.ts';

type AccountOperations = Readonly<
  Record<string, (accountId: number, ...given: never[]) => Operation<unknown>>
>;

/** Methods that each run in one transaction with the account locked. */
export function accountMethods<Named extends AccountOperations>(
  engine: Engine,
  operations: Named,
): Methods<Named> {
  const entries = Object.entries(operations).map(([name, operation]) => [
    name,
    (accountId: number, ...given: never[]) =>
      changeAccount(engine, accountId, () => operation(accountId, ...given)),
  ]);
  return Object.fromEntries(entries) as Methods<Named>;
}

/** Runs an operation in one transaction with the account locked. */
export function changeAccount<T>(
  engine: Engine,
  accountId: number,
  make: () => Operation<T>,
): Promise<T> {
  return engine.transaction(() => lockingAccount(accountId, make));
}

export function* lockingAccount<T>(accountId: number, make: () => Operation<T>): Operation<T> {
  yield* lockAccount(accountId);
  return yield* make();
}

/** Locks an account, so that its data does not change between statements. */
export function* lockAccount(accountId: number): Operation<void> {
  const sql = 'SELECT 1 FROM private.account WHERE id = $1::bigint FOR NO KEY UPDATE';
  yield* runRows(sql, [accountId]);
}

/** Whether a locked account may use what is part of the plan. */
export function isOnPlan(accountId: number): Reading<boolean> {
  return hasRow(tables.account, { id: accountId, plan: fullPlan });
}

/** Locks the account with an email; returns its id, or null if there is none. */
export function* lockAccountOf(email: string): Operation<number | null> {
  const account = yield* runFirst<{ id: number }>(
    'SELECT id FROM private.account WHERE email_key = $1::text FOR NO KEY UPDATE',
    [emailKey(email)],
  );
  return account?.id ?? null;
}
