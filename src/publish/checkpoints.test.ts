/** Publishing from a checkpoint gives the same as publishing from the first row, to the bit. */
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMarket } from '../../test/support/checkpoint-run.ts';
import { openTestStore } from '../../test/support/engines.ts';
import { runsOnEngine } from '../../test/support/random-runs.ts';

/** `npm run test:checkpoints` runs as many seeds as wanted. */
const seeds = Array.from({ length: runsOnEngine(10) }, (_, index) => index + 1);

describe('checkpoints', () => {
  test.each(seeds)('change nothing in a random market (seed %p)', async (seed) => {
    const folder = mkdtempSync(join(tmpdir(), 'brickmark-checkpoints-'));
    const store = await openTestStore(folder);
    try {
      const { fromCheckpoint } = await runMarket(store, seed, 30);
      expect(fromCheckpoint).toBeGreaterThan(10);
    } finally {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
