/** The private side of a store on PostgreSQL. */
import type { AccountStore } from '../../domain/account-store.ts';
import { postgresAdmission } from './admission.ts';
import type { Client, Connection } from './client.ts';
import type { DatabaseClock } from './clock.ts';
import { postgresHoldingEdits } from './holding-edits.ts';
import { postgresHoldings } from './holdings.ts';
import { postgresAccountRows, postgresKeys } from './keys.ts';
import { postgresLotTies } from './lot-ties.ts';
import { applyPostgresRows } from './private-rows.ts';
import { postgresSessions } from './sessions.ts';

/** Accounts, keys, usage, collections and sales. */
export function postgresAccounts(
  client: Client,
  clock: DatabaseClock,
  admission: Connection = client,
): Omit<AccountStore, 'close'> {
  return {
    ...postgresAccountRows(client, clock),
    ...postgresKeys(client, clock),
    ...postgresAdmission(admission, clock),
    ...postgresHoldings(client),
    ...postgresHoldingEdits(client),
    ...postgresLotTies(client),
    ...postgresSessions(client, clock),
    applyRows: (rows, at) => applyPostgresRows(client, rows, { time: clock(at), together: false }),
    rehearse: async () => {
      // One transaction, which is undone; nobody but the account itself waits for it.
      const undoable = await client.undoable();
      return {
        applyRows: (rows, at) =>
          applyPostgresRows(undoable, rows, { time: clock(at), together: false }),
        close: () => undoable.close(),
      };
    },
    applyTogether: (rows, at) =>
      applyPostgresRows(client, rows, { time: clock(at), together: true }),
  };
}
