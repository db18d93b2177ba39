/**
 * Importing a full dump of Rebrickable into an empty store, compared with only reading and parsing
 * the files: `npm run bench:dump -- FOLDER`. Each is a separate process, and rounds are
 * interleaved, so that load on the machine affects all equally.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles, openSource } from '../src/ingest/readers/source-file.work.ts';
import { findTable } from '../src/ingest/readers/table.work.ts';
import { benchFolder } from './store.ts';
import { median } from './wrk.ts';

const rounds = 5;
const brickmark = join(import.meta.dir, '..', 'bin', 'brickmark');
const data = join(benchFolder, 'dump');
/** The imported tables; the others of the dump are ignored. */
const tables = /(^|\/)(themes|sets|minifigs|inventories|inventory_minifigs|inventory_sets)\.csv/;

const [folder, mode] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Name the folder of the dump: npm run bench:dump -- FOLDER');
  process.exit(2);
}
if (mode === 'parse') await parse(folder);
else await compare(folder);

/** Reads all rows and discards them. */
async function parse(path: string): Promise<void> {
  const options = { stdin: process.stdin, onBytes: () => {} };
  for (const file of listFiles(path).filter((name) => tables.test(name))) {
    for await (const part of openSource(file, options)) {
      const table = await findTable(part);
      for await (const _ of table?.rows() ?? []);
    }
  }
}

async function compare(path: string): Promise<void> {
  const importing = [brickmark, 'import', 'rebrickable', path, '--json', '--data', data];
  const commands = {
    'read and parsed': [process.execPath, import.meta.path, path, 'parse'],
    'imported, not valued': [...importing, '--no-value'],
    'imported, valued and published': importing,
  };
  const runsByName = new Map<string, RunCost[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [name, command] of Object.entries(commands)) {
      rmSync(data, { recursive: true, force: true });
      runsByName.set(name, [...(runsByName.get(name) ?? []), await run(command)]);
    }
  }
  rmSync(data, { recursive: true, force: true });
  const base = medianOf(runsByName.get('read and parsed') ?? []);
  for (const [name, runs] of runsByName) {
    const { seconds, cpuSeconds } = medianOf(runs);
    const megabytes = Math.max(...runs.map((run) => run.megabytes));
    console.log(
      `${name.padEnd(31)} ${seconds.toFixed(2)} s, ratio ${(seconds / base.seconds).toFixed(2)}; ` +
        `CPU ${cpuSeconds.toFixed(2)} s, ratio ${(cpuSeconds / base.cpuSeconds).toFixed(2)}; ` +
        `${megabytes.toFixed(0)} MB at most`,
    );
  }
}

interface RunCost {
  readonly seconds: number;
  /** More reliable on a busy machine. */
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

function medianOf(runs: readonly RunCost[]): Pick<RunCost, 'seconds' | 'cpuSeconds'> {
  return {
    seconds: median(runs.map((run) => run.seconds)),
    cpuSeconds: median(runs.map((run) => run.cpuSeconds)),
  };
}

/** The duration, CPU time and peak memory of a command. */
async function run(command: readonly string[]): Promise<RunCost> {
  const start = performance.now();
  const child = Bun.spawn([...command], { stdout: 'ignore', stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error(`'${command.join(' ')}' failed.`);
  const seconds = (performance.now() - start) / 1000;
  const used = child.resourceUsage();
  const cpuSeconds = Number(used?.cpuTime.total ?? 0) / 1e6;
  return { seconds, cpuSeconds, megabytes: (used?.maxRSS ?? 0) / 1e6 };
}
