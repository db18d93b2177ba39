/** The engines that every store suite runs on; today there is one. */
import type { Store } from '../../src/domain/store.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';

/** An engine and how a store of it is opened in a folder. */
export const engines: readonly { readonly engine: string; open(folder: string): Promise<Store> }[] =
  [{ engine: 'SQLite', open: async (folder) => openSqliteStore(folder) }];
