/** Opens the store for the length of a command. */
import type { Store } from '../domain/store.ts';
import type { Context } from './command.ts';

/** Runs `work` on the store and closes it, whatever happens. */
export async function withStore<T>(
  context: Context,
  work: (store: Store) => Promise<T>,
  options?: { readonly isServing: boolean },
): Promise<T> {
  const store = context.openStore(options);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
