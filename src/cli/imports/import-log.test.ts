/** The message of an import that the store ended. */
import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../store/sqlite/store.ts';
import { type LoggedWork, runLogged } from './import-log.ts';

test('an import that a full disk ends says what it has written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-import-log-'));
  const store = openSqliteStore(folder);
  const said: string[] = [];
  const config = { clock: () => 1_800_000_000_000 };
  const context = { config, say: (text: string) => said.push(text) };
  const rejects = { add: () => {}, close: () => {} };
  const work = { name: 'feed', format: {}, paths: ['a.ndjson'], rejects, context };
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  try {
    const ran = runLogged(work as unknown as LoggedWork, store, async (_, importId) => {
      const written = { added: 1_200, updated: 3, unchanged: 0 };
      await store.market.countWritten(importId ?? 0, config.clock(), written);
      throw full;
    });
    await expect(ran).rejects.toBe(full);
    expect(said).toEqual([
      'Written until then: 1,200 rows added, 3 updated. To add the rest, import again: what is ' +
        'written stays as it is.',
    ]);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});
