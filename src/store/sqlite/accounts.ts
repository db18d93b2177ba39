/** The private half of the embedded store: `accounts.db`. */
import type { AdmissionRequest } from '../../accounts/keys/quota.ts';
import { accountStore } from '../accounts/account-store.ts';
import { givenClock } from '../sql/clock.ts';
import type { Migrating } from '../sql/schema-version.ts';
import type { AccountStore } from '../store.ts';
import { sqliteAdmission, sqliteHeartbeat } from './admission.ts';
import { emptyWal, openDatabase } from './database.ts';
import { sqliteEngine } from './engine.ts';
import { rehearseSqlite } from './own-rehearsal.ts';
import { withPatience } from './patience.ts';
import { accountMigrations } from './schema.ts';

/**
 * Opens `accounts.db`. Keys, revocations and private data survive a power failure; usage, which is
 * written with every response, only survives a killed process. `checkFiles` runs before every
 * method, and throws if writes would be lost with this process.
 */
export function openSqliteAccounts(
  path: string,
  {
    waits,
    checkFiles,
    migrating,
  }: { readonly waits: boolean; checkFiles(): void; readonly migrating: Migrating },
): AccountStore {
  const options = { ...migrating, migrations: accountMigrations, erases: true };
  const db = openDatabase(path, { ...options, durability: 'power', waits });
  // Only servers charge usage, and they retry instead of blocking.
  const lossy = { ...options, durability: 'process', waits: false } as const;
  const usageDb = openDatabase(path, lossy);
  // Apart, because admission has to notice all writes except its own.
  const sweepDb = openDatabase(path, lossy);
  const admit = sqliteAdmission(usageDb);
  const beat = sqliteHeartbeat(usageDb);
  const stored = accountStore(sqliteEngine(db), givenClock, sqliteEngine(sweepDb));
  const operations = {
    ...stored,
    ...erasing(stored, () => emptyWal(db)),
    rehearse: async (accountId: number) => rehearseSqlite(path, accountId),
  };
  const checked = {
    ...(waits ? operations : withPatience(operations)),
    ...withPatience({ checkCountable: async (at: number) => beat(at) }),
    admitGroup: async (requests: readonly AdmissionRequest[], at: number) => ({
      admissions: admit(requests, at),
      at,
    }),
  };
  return {
    ...checkedFirst(checked, checkFiles),
    admissionMsMax: 0,
    close: async () => {
      usageDb.close();
      sweepDb.close();
      db.close();
    },
  };
}

/**
 * Deleted rows leave the WAL when an account is erased, and when a sweep has nothing left to do. If
 * others use the file at that moment, they leave it after the next sweep.
 */
function erasing(
  { removeAccount, sweep }: Pick<AccountStore, 'removeAccount' | 'sweep'>,
  empty: () => void,
): Pick<AccountStore, 'removeAccount' | 'sweep'> {
  return {
    removeAccount: async (email) => {
      const removed = await removeAccount(email);
      if (removed === true) empty();
      return removed;
    },
    sweep: async (at, limit) => {
      const removed = await sweep(at, limit);
      if (removed === 0) empty();
      return removed;
    },
  };
}

/** Calls `check` before every method. */
function checkedFirst<T extends object>(operations: T, check: () => void): T {
  const methods = Object.entries(operations).map(([name, method]) => [
    name,
    async (...given: unknown[]) => {
      check();
      return method(...given);
    },
  ]);
  return Object.fromEntries(methods) as T;
}
