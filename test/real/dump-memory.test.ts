/**
 * The memory for importing a full dump of Rebrickable; `npm run bench:dump` measures its time. The
 * files are not part of this project; without them this is skipped.
 */
// @runs SQLite (rest): reads files of other services
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runMeasured } from '../support/measured.ts';

const root = resolve(import.meta.dir, '../..');
const dump = resolve(root, '../shared/data/rebrickable_2025-08-31');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-dump-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!existsSync(dump))('importing a dump takes less than 500 MB', async () => {
  const command = [join(root, 'bin/brickmark'), 'import', 'rebrickable', dump, '--no-value'];
  const { status, memory } = await runMeasured([...command, '--data', folder]);
  expect(status).toBe(0);
  expect(memory).toBeLessThan(500e6);
});
