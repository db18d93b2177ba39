/** The private half of a store on PostgreSQL. */

import { privateRows } from '../../portfolio/lots/private-rows.store.ts';
import { accountStore } from '../accounts/account-store.ts';
import type { StoreClock } from '../sql/clock.ts';
import type { AccountStore } from '../store.ts';
import { postgresAdmission } from './admission.ts';
import type { Client, Connection } from './client.ts';
import { postgresEngine } from './engine.ts';

export function postgresAccounts(
  client: Client,
  clock: StoreClock,
  admission: Connection = client,
): Omit<AccountStore, 'close'> {
  return {
    ...accountStore(postgresEngine(client), clock),
    ...postgresAdmission(admission, clock),
    rehearse: async () => {
      // One transaction that is rolled back; only the account itself is locked.
      const undoable = await client.undoable();
      const { change } = privateRows(postgresEngine(undoable), clock);
      return { change, close: () => undoable.close() };
    },
  };
}
