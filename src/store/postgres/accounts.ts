/** The private side of a store on PostgreSQL. */
import type { AccountStore } from '../../domain/account-store.ts';
import { postgresAdmission } from './admission.ts';
import type { Client } from './client.ts';
import type { DatabaseClock } from './clock.ts';
import { postgresHoldings } from './holdings.ts';
import { postgresAccountRows, postgresKeys } from './keys.ts';
import { applyPostgresRows } from './private-rows.ts';

/** Accounts, keys, usage, collections and sales. */
export function postgresAccounts(
  client: Client,
  clock: DatabaseClock,
): Omit<AccountStore, 'close'> {
  return {
    ...postgresAccountRows(client, clock),
    ...postgresKeys(client, clock),
    ...postgresAdmission(client, clock),
    ...postgresHoldings(client),
    applyRows: (rows, at) => applyPostgresRows(client, rows, clock(at)),
  };
}
