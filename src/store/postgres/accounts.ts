/** The private side of a store on PostgreSQL. */
import type { AccountStore } from '../../domain/account/account-store.ts';
import { sessionStore } from '../accounts/sessions.ts';
import { CountMemory } from '../row-counts.ts';
import type { StoreClock } from '../sql/clock.ts';
import { postgresAdmission } from './admission.ts';
import type { Client, Connection } from './client.ts';
import { postgresEngine } from './engine.ts';
import { postgresHoldingEdits } from './holding-edits.ts';
import { postgresHoldings } from './holdings.ts';
import { postgresAccountRows, postgresKeys } from './keys.ts';
import { postgresLotTies } from './lot-ties.ts';
import { applyPostgresRows } from './private-rows.ts';
import { postgresSweep } from './sweep.ts';

/** Accounts, keys, usage, collections and sales. */
export function postgresAccounts(
  client: Client,
  clock: StoreClock,
  admission: Connection = client,
): Omit<AccountStore, 'close'> {
  const memory = new CountMemory();
  const options = (at: number, together: boolean) => ({ time: clock(at), together, memory });
  return {
    ...postgresAccountRows(client, clock),
    ...postgresKeys(client, clock),
    ...postgresAdmission(admission, clock),
    ...postgresHoldings(client),
    ...postgresHoldingEdits(client),
    ...postgresLotTies(client),
    ...sessionStore(postgresEngine(client), clock),
    ...postgresSweep(client),
    applyRows: (rows, at) => applyPostgresRows(client, rows, options(at, false)),
    rehearse: async () => {
      // One transaction, which is undone; nobody but the account itself waits for it.
      const undoable = await client.undoable();
      const tried = { together: false, memory: new CountMemory() };
      return {
        applyRows: (rows, at) => applyPostgresRows(undoable, rows, { ...tried, time: clock(at) }),
        close: () => undoable.close(),
      };
    },
    applyTogether: (rows, at) => applyPostgresRows(client, rows, options(at, true)),
  };
}
