/** The PostgreSQL database as the target of a move. */
import type { Client, Connection } from '../postgres/client.ts';
import { movedTables, replacedTables } from '../sql/tables.ts';
import { MoveError } from './move-error.ts';

/** Timeout for locks that other processes hold. */
const lockMs = 10_000;

const names: readonly string[] = movedTables.map(({ target }) => target);

/** Locks all tables against writes, and checks that the database has no data yet. */
export async function takeTarget(tx: Connection, database: string): Promise<void> {
  // The connection is idle while the source is read; if this process dies, it closes.
  await tx.run('SET LOCAL idle_in_transaction_session_timeout = 0');
  await tx.run(`SET LOCAL lock_timeout = ${lockMs}`);
  await tx.run("SET LOCAL bytea_output = 'hex'");
  await tx.run(`LOCK TABLE ${names.join(', ')} IN EXCLUSIVE MODE`);
  for (const name of names) {
    if (replacedTables.has(name)) {
      await tx.run(`DELETE FROM ${name}`);
      continue;
    }
    const [row] = await tx.query(`SELECT 1 AS one FROM ${name} LIMIT 1`);
    if (!row) continue;
    throw new MoveError(
      `The database ${database} is not empty: '${name}' has rows. Move to a new database.`,
    );
  }
}

/** A foreign key. */
export interface Reference {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Drops foreign keys: checking them for each row takes longer than writing the rows. */
export async function dropReferences(tx: Connection): Promise<Reference[]> {
  const references = await tx.query<Reference>(
    `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name,
       pg_get_constraintdef(oid) AS definition
     FROM pg_constraint
     WHERE contype = 'f' AND conrelid = ANY($1::text[]::regclass[])
     ORDER BY 1, 2`,
    [names],
  );
  for (const { table, name } of references) {
    await tx.run(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  return references;
}

/** Restores a foreign key, which checks all rows at once. */
export async function restoreReference(tx: Connection, reference: Reference): Promise<void> {
  const { table, name, definition } = reference;
  await tx.run(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
}

/** Updates the planner's statistics now; autovacuum would do so a little later. */
export async function analyzeTarget(client: Client): Promise<void> {
  await client.script(`ANALYZE ${names.join(', ')}`).catch(() => {});
}
