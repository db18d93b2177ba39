/** The private side of a store on PostgreSQL. */
import type { AccountStore } from '../../domain/account/account-store.ts';
import { accountStore } from '../accounts/account-store.ts';
import { privateRows } from '../accounts/private-rows.ts';
import type { StoreClock } from '../sql/clock.ts';
import { postgresAdmission } from './admission.ts';
import type { Client, Connection } from './client.ts';
import { postgresEngine } from './engine.ts';

/** Accounts, keys, usage, collections and sales. */
export function postgresAccounts(
  client: Client,
  clock: StoreClock,
  admission: Connection = client,
): Omit<AccountStore, 'close'> {
  return {
    ...accountStore(postgresEngine(client), clock),
    ...postgresAdmission(admission, clock),
    rehearse: async () => {
      // One transaction, which is undone; nobody but the account itself waits for it.
      const undoable = await client.undoable();
      const { applyRows } = privateRows(postgresEngine(undoable), clock);
      return { applyRows, close: () => undoable.close() };
    },
  };
}
