/** Restatements of sealed history, for all to see. */
import type { Restatement } from '../../domain/market/market-store.ts';
import type { Reader } from './replica.ts';

/** Restatements, oldest first. */
export function listRestatements(connection: Reader): Promise<Restatement[]> {
  return connection.query(
    'SELECT id, from_month AS "fromMonth", reason, at FROM published.restatement ORDER BY id',
  );
}
