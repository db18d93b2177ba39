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

/** Like it, where a store must be there already: a mistyped folder is not made one. */
export async function withExistingStore<T>(
  context: Context,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (!(await context.hasStore())) {
    const { databaseUrl, dataFolder } = context.config;
    const [place, settings] =
      databaseUrl === null
        ? [`'${dataFolder}'`, '--data or BRICKMARK_DATA']
        : ['the database', '--database or BRICKMARK_DATABASE_URL'];
    throw new CommandError(
      `No store in ${place}. Check ${settings}, or run 'brickmark import' to create one.`,
    );
  }
  return withStore(context, work);
}
