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
const rounds = [1, 2, 3];

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
    const parsed = [];
    for (const _ of rounds) parsed.push(await run(parsing));
    const least = (runs: readonly { readonly cpuSeconds: number }[]) =>
      Math.min(...runs.map(({ cpuSeconds }) => cpuSeconds));
    const secondsMax = 4 * least(parsed);
    const imported = [];
    for (const round of rounds) {
      imported.push(await run(importing(round)));
      // What is low enough already would only become lower.
      if (least(imported) < secondsMax) break;
    }
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
