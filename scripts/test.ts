/**
 * `npm test`: every suite on SQLite, then those of the store and the API once more on a PostgreSQL
 * of its own, and whether as many tests ran there. Files limit it to those; `--sqlite` and
 * `--postgres` to one engine.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { isEngineSuite } from '../test/support/engine-suites.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { countTests, differences, type FileCount, totalOf } from './junit.ts';

const root = resolve(import.meta.dir, '..');
const timeoutMs = 180_000;

type Engine = 'SQLite' | 'PostgreSQL';

interface Run {
  readonly engine: Engine;
  readonly status: number;
  readonly counts: ReadonlyMap<string, FileCount>;
}

interface Wish {
  readonly engines: readonly Engine[];
  /** Files, folders or parts of names; none: everything. */
  readonly names: readonly string[];
  /** What is passed on to `bun test`, such as `-t NAME`. */
  readonly flags: readonly string[];
}

/** What is asked for. Names are words before the first flag. */
function readWish(words: readonly string[]): Wish {
  const only = { '--sqlite': 'SQLite', '--postgres': 'PostgreSQL' } as const;
  const engines = Object.entries(only).flatMap(([word, name]) =>
    words.includes(word) ? name : [],
  );
  const rest = words.filter((word) => !(word in only));
  const firstFlag = rest.findIndex((word) => word.startsWith('-'));
  const end = firstFlag < 0 ? rest.length : firstFlag;
  return {
    engines: engines.length === 0 ? Object.values(only) : engines,
    names: rest.slice(0, end),
    flags: rest.slice(end),
  };
}

/** The suites whose path has one of the names in it. */
function findSuites(names: readonly string[]): string[] {
  const suites = [...new Bun.Glob('{src,test}/**/*.test.ts').scanSync(root)].sort();
  const parts = names.map((name) => relative(root, resolve(name)));
  return suites.filter((suite) => parts.length === 0 || parts.some((part) => suite.includes(part)));
}

/** Runs suites in a process of their own, whose output is ours. */
async function runSuites(
  suites: readonly string[],
  { flags, databaseUrl }: { readonly flags: readonly string[]; readonly databaseUrl?: string },
): Promise<Run> {
  const engine = databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-report-'));
  const report = join(folder, 'report.xml');
  const words = [
    ...['test', '--timeout', String(timeoutMs), '--reporter=junit', `--reporter-outfile=${report}`],
    ...[...flags, ...suites.map((suite) => `./${suite}`)],
  ];
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: root,
    env: { ...process.env, BRICKMARK_TEST_DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  running = child;
  const status = await child.exited;
  try {
    return { engine, status, counts: countTests(readFileSync(report, 'utf8')) };
  } catch {
    return { engine, status: status || 1, counts: new Map() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOnPostgres(suites: readonly string[], flags: readonly string[]): Promise<Run> {
  console.error('\nThe suites of the store and the API on PostgreSQL:');
  const server = await PostgresServer.launch();
  try {
    return await runSuites(suites, { flags, databaseUrl: server.url() });
  } finally {
    await server.remove();
  }
}

/** Says how the engines compare; false when one ran what the other did not. */
function compare(sqlite: Run, postgres: Run): boolean {
  const here = new Map([...sqlite.counts].filter(([file]) => isEngineSuite(file)));
  const told = `${totalOf(here)} tests on SQLite, ${totalOf(postgres.counts)} on PostgreSQL`;
  console.error(`\nStore and API suites: ${told}.`);
  for (const [engine, counts] of [
    ['SQLite', here],
    ['PostgreSQL', postgres.counts],
  ] as const) {
    for (const [file, { skipped }] of counts) {
      for (const name of skipped) console.error(`  skipped on ${engine}: ${file}: ${name}`);
    }
  }
  const different = differences(here, postgres.counts);
  for (const line of different) console.error(`  differs: ${line}`);
  return different.length === 0;
}

async function main({ engines, names, flags }: Wish): Promise<number> {
  const suites = findSuites(names);
  const both = suites.filter(isEngineSuite);
  if (suites.length === 0) {
    console.error(
      `No suite is called ${names.join(' or ')}; suites are *.test.ts in src and test.`,
    );
    return 1;
  }
  const runs: Run[] = [];
  if (engines.includes('SQLite')) runs.push(await runSuites(suites, { flags }));
  if (engines.includes('PostgreSQL') && both.length > 0 && !isEnding) {
    runs.push(await runOnPostgres(both, flags));
  }
  const [sqlite, postgres] = runs;
  const isSame = sqlite && postgres ? compare(sqlite, postgres) : true;
  const failed = runs.filter(({ status }) => status !== 0);
  for (const { engine } of failed) console.error(`Failed on ${engine}; see above.`);
  return failed[0]?.status ?? (isSame ? 0 : 1);
}

let running: Bun.Subprocess | null = null;
let isEnding = false;

// The suites end first; then the server ends and its folder is gone before we are.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isEnding = true;
    running?.kill(signal);
  });
}

process.exit(await main(readWish(process.argv.slice(2))));
