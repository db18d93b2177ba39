/**
 * What bringing a full dump of Rebrickable in costs, beside reading and parsing the same files. CPU
 * time is compared, which other work on the machine hardly changes; `npm run bench:dump` measures
 * the rest. The files are not part of this project; without them this is skipped.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runMeasured } from '../support/measured.ts';

const root = resolve(import.meta.dir, '../..');
const dump = resolve(root, '../shared/data/rebrickable_2025-08-31');

/** What others do on the machine meanwhile disturbs a round or two, not all of them. */
const rounds = [1, 2, 3, 4];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-dump-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.skipIf(!existsSync(dump))(
  'importing a dump costs at most 4 times what reading and parsing it does, in bounded memory',
  async () => {
    const parsing = [process.execPath, join(root, 'bench/dump.ts'), dump, 'parse'];
    const importing = (round: number) => [
      join(root, 'bin/brickmark'),
      'import',
      'rebrickable',
      dump,
      '--no-value',
      '--data',
      join(folder, String(round)),
    ];
    const least = (runs: readonly { readonly cpuSeconds: number }[]) =>
      Math.min(...runs.map(({ cpuSeconds }) => cpuSeconds));
    // By turns, so that what else the machine does is the same for both.
    const parsed = [];
    const imported = [];
    for (const round of rounds) {
      parsed.push(await run(parsing));
      imported.push(await run(importing(round)));
      parsed.push(await run(parsing));
      if (least(imported) < 4 * least(parsed)) break;
    }
    const secondsMax = 4 * least(parsed);
    expect(least(imported)).toBeLessThan(secondsMax);
    expect(Math.max(...imported.map(({ megabytes }) => megabytes))).toBeLessThan(500);
  },
  120_000,
);

async function run(words: readonly string[]) {
  const { status, memory, cpuSeconds } = await runMeasured(words);
  expect(status).toBe(0);
  return { cpuSeconds, megabytes: memory / 1e6 };
}
