/** Statements that are made before any is sent: what cannot be written fails before it is begun. */

import type { Value } from '../sql/operation.ts';
import type { Connection } from './client.ts';

/** What is sent, and with what. */
export type Statement = readonly [sql: string, values: readonly Value[]];

/** A statement about rows; none when there are no rows. */
export function withRows<Row>(
  rows: readonly Row[],
  make: (rows: readonly Row[]) => Statement,
): Statement[] {
  return rows.length === 0 ? [] : [make(rows)];
}

/** Sends statements that do not depend on each other, without waiting in between. */
export async function runAll(tx: Connection, statements: readonly Statement[]): Promise<void> {
  await Promise.all(statements.map(([sql, values]) => tx.run(sql, values)));
}
