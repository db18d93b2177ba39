/** The private side of a store on PostgreSQL. */
import type { AccountStore } from '../../domain/account-store.ts';
import type { Client } from './client.ts';
import type { DatabaseClock } from './clock.ts';

/** Accounts, keys, usage, collections and sales. */
export function postgresAccounts(
  _client: Client,
  _clock: DatabaseClock,
): Omit<AccountStore, 'close'> {
  throw new Error('Not there yet.');
}
