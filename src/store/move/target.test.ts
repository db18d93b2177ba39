/** The target database of a move: locked and empty. */
// @runs PostgreSQL: is about its tables
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOf, isPostgres } from '../../../test/support/engines.ts';
import { type Client, type Connection, openClient } from '../postgres/client.ts';
import { sqlState } from '../postgres/pool.ts';
import { movedTables } from '../sql/tables.ts';
import { dropReferences, restoreReference, takeTarget } from './target.ts';

describe.skipIf(!isPostgres)('the target of a move', () => {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-target-'));
  let client: Client;
  let other: Client;

  beforeAll(async () => {
    const url = (await databaseOf(folder)) ?? '';
    const open = () => openClient(url, { max: 1, statementMs: 0, name: 'test' });
    [client, other] = [open(), open()];
  });

  afterAll(async () => {
    await client.close();
    await other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs something in a transaction that is rolled back. */
  async function undone<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
    const undoable = await client.undoable();
    try {
      return await work(undoable);
    } finally {
      await undoable.close();
    }
  }

  const show = async (tx: Connection, name: string) =>
    (await tx.query<{ value: string }>(`SELECT current_setting('${name}') AS value`))[0]?.value;

  test('has no idle timeout, and a lock timeout of ten seconds', async () => {
    const names = ['idle_in_transaction_session_timeout', 'lock_timeout', 'bytea_output'];
    const settings = await client
      .transaction(async (tx) => {
        await takeTarget(tx, 'db');
        const found: unknown[] = [];
        for (const name of names) found.push(await show(tx, name));
        throw Object.assign(new Error('undone'), { found });
      })
      .catch((error: { found?: unknown[] }) => error.found);
    expect(settings).toEqual(['0', '10s', 'hex']);
  });

  test('cannot be written by others', async () => {
    await undone(async (tx) => {
      await takeTarget(tx, 'db');
      await other
        .transaction(async (its) => {
          await its.run("SET LOCAL lock_timeout = '20ms'");
          const write = its.run("INSERT INTO published.fx VALUES ('EUR', '2026-01-01', 1, 0)");
          expect(await write.catch(sqlState)).toBe('55P03');
          throw new Error('undone');
        })
        .catch(() => {});
    });
  });

  test('is empty apart from the initial rows of every store, which are removed', async () => {
    await undone(async (tx) => {
      await takeTarget(tx, 'db');
      for (const { target } of movedTables) {
        expect(await tx.query(`SELECT 1 FROM ${target} LIMIT 1`)).toEqual([]);
      }
      await tx.run("INSERT INTO published.fx VALUES ('EUR', '2026-01-01', 1, 0)");
      await expect(takeTarget(tx, 'db')).rejects.toThrow(
        "The database db is not empty: 'published.fx' has rows. Move to a new database.",
      );
    });
  });

  test('gets its foreign keys back, each once', async () => {
    await undone(async (tx) => {
      const references = await dropReferences(tx);
      expect(references.length).toBeGreaterThan(5);
      expect(await dropReferences(tx)).toEqual([]);
      for (const reference of references) await restoreReference(tx, reference);
      expect(await dropReferences(tx)).toEqual(references);
    });
  });
});
