/** Opens the store for the length of a command. */
import type { Store } from '../domain/store.ts';
import { CommandError, type Context } from './command.ts';

/** Runs `work` on the store and closes it, whatever happens. */
export async function withStore<T>(
  context: Context,
  work: (store: Store) => Promise<T>,
  options?: { readonly isServing: boolean },
): Promise<T> {
  const store = await context.openStore(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Like it, where a store must be there: a mistyped folder is not made one. */
export async function withExistingStore<T>(
  context: Context,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (!(await context.hasStore())) {
    const { databaseUrl, dataFolder } = context.config;
    throw new CommandError(
      databaseUrl === null
        ? `There is no store in '${dataFolder}': check --data; 'brickmark import' makes one.`
        : "There is no store in the database: check --database; 'brickmark import' makes one.",
    );
  }
  return withStore(context, work);
}
