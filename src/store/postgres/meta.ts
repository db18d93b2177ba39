/** Single numbers that the market keeps by name. */
import type { Connection } from './client.ts';

/** The names of such numbers. */
export type MetaName =
  | 'publish_stamp'
  | 'published_at'
  | 'sealed_at'
  | 'parameters_change'
  | 'parameters_changed_from'
  | 'parameters_learned';

/** Reads all of them; those that are not there are undefined. */
export async function readMeta(connection: Connection): Promise<Map<MetaName, number>> {
  const rows = await connection.query<{ name: MetaName; value: number }>(
    'SELECT name, value FROM published.meta',
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Writes one of them. */
export async function saveMeta(tx: Connection, name: MetaName, value: number): Promise<void> {
  await tx.run(
    `INSERT INTO published.meta VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [name, value],
  );
}

/** The number of the latest publication that a server knows. */
export async function readStamp(server: Pick<Connection, 'query'>): Promise<number> {
  const [row] = await server.query<{ value: number }>(
    "SELECT value FROM published.meta WHERE name = 'publish_stamp'",
  );
  return row?.value ?? 0;
}

/**
 * Every publication has a number of its own; caches compare it. It is never less than the time: a
 * database that was set back gives no number again that a node may know from before.
 */
export async function nextStamp(tx: Connection): Promise<number> {
  const [row] = await tx.query<{ value: number }>(
    `UPDATE published.meta SET value = greatest(value + 1, published.instant(NULL, 0))
     WHERE name = 'publish_stamp' RETURNING value`,
  );
  if (!row) throw new Error('The store has no publish stamp.');
  return row.value;
}
