/** Methods that change the data of one account. */
import { type Engine, type Methods, type Operation, query } from '../sql/operation.ts';

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

/** Locks the account, so that its data does not change between statements. */
export function* lockingAccount<T>(accountId: number, make: () => Operation<T>): Operation<T> {
  yield* query('SELECT 1 FROM private.account WHERE id = $1::bigint FOR NO KEY UPDATE', [
    accountId,
  ]);
  return yield* make();
}
