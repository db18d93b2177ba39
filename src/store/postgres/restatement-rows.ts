/** Restatements of sealed history, for all to see. */
import type { Restatement } from '../../domain/market-store.ts';
import type { Connection } from './client.ts';

/** Restatements, oldest first. */
export function listRestatements(connection: Connection): Promise<Restatement[]> {
  return connection.query(
    'SELECT id, from_month AS "fromMonth", reason, at FROM published.restatement ORDER BY id',
  );
}
