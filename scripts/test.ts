/**
 * `npm test`: every suite on SQLite, and beside it those of the store and the API once more on a
 * PostgreSQL of its own, whose report follows; then whether as many tests ran there. Files limit it
 * to those; `--sqlite` and `--postgres` to one engine.
 */
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { isEngineSuite, isOnceOnly, isPostgresSuite } from '../test/support/engine-suites.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { countTests, differences, type FileCount, totalOf } from './junit.ts';

const root = resolve(import.meta.dir, '..');
const timeoutMs = 180_000;

type Engine = 'SQLite' | 'PostgreSQL';

interface Run {
  readonly engine: Engine;
  readonly status: number;
  /** What it wrote, if that was kept. */
  readonly told: string;
  readonly counts: Counts;
}

type Counts = ReadonlyMap<string, FileCount>;

interface Options {
  readonly engines: readonly Engine[];
  /** Files, folders or parts of names; none: everything. */
  readonly names: readonly string[];
  /** What is passed on to `bun test`, such as `-t NAME`. */
  readonly flags: readonly string[];
}

/** What is asked for. Names are words before the first flag. */
function readOptions(words: readonly string[]): Options {
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

interface RunOptions {
  readonly flags: readonly string[];
  readonly databaseUrl?: string;
  /** Another run has the terminal: the output is kept until that one is done. */
  readonly isBeside: boolean;
}

/** Runs suites in a process of their own. */
async function runSuites(suites: readonly string[], options: RunOptions): Promise<Run> {
  const { flags, databaseUrl, isBeside } = options;
  const engine = databaseUrl === undefined ? 'SQLite' : 'PostgreSQL';
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-report-'));
  const [report, output] = [join(folder, 'report.xml'), join(folder, 'output')];
  const words = [
    'test',
    '--timeout',
    String(timeoutMs),
    '--reporter=junit',
    `--reporter-outfile=${report}`,
    ...flags,
    ...suites.map((suite) => `./${suite}`),
  ];
  // Both streams of a run go to one file, in the order in which they were written.
  const kept = isBeside ? openSync(output, 'a') : 'inherit';
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: root,
    env: { ...process.env, BRICKMARK_TEST_DATABASE_URL: databaseUrl },
    stdio: ['ignore', kept, kept],
  });
  running.add(child);
  const status = await child.exited;
  running.delete(child);
  const told = isBeside ? readFileSync(output, 'utf8') : '';
  try {
    return { engine, status, told, counts: countTests(readFileSync(report, 'utf8')) };
  } catch {
    return { engine, status: status || 1, told, counts: new Map() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOnPostgres(suites: readonly string[], options: RunOptions): Promise<Run> {
  const server = await PostgresServer.launch();
  try {
    return await runSuites(suites, { ...options, databaseUrl: server.url() });
  } finally {
    await server.remove();
  }
}

/** The counts of the suites that run on both engines. */
function onBoth({ counts }: Run): Counts {
  return new Map([...counts].filter(([file]) => isEngineSuite(file)));
}

/** Says how the engines compare; false when one ran what the other did not. */
function compare(sqlite: Run, postgres: Run): boolean {
  const [here, there] = [onBoth(sqlite), onBoth(postgres)];
  const told = `${totalOf(here)} tests on SQLite, ${totalOf(there)} on PostgreSQL`;
  const own = totalOf(postgres.counts) - totalOf(there);
  console.error(`\nStore and API suites: ${told} (and ${own} of its own).`);
  for (const [engine, counts] of [
    ['SQLite', here],
    ['PostgreSQL', there],
  ] as const) {
    for (const [file, { skipped }] of counts) {
      for (const name of skipped) console.error(`  skipped on ${engine}: ${file}: ${name}`);
    }
  }
  const different = differences(here, there);
  for (const line of different) console.error(`  differs: ${line}`);
  return different.length === 0;
}

/** Suites that run once, and mostly wait for processes of their own: beside all others. */
function isApart(suite: string): boolean {
  return isOnceOnly(suite) && /^test\/(nodes|cli)\//.test(suite);
}

async function main({ engines, names, flags }: Options): Promise<number> {
  const suites = findSuites(names);
  const onSqlite = suites.filter((suite) => !isPostgresSuite(suite) && !isApart(suite));
  const onPostgres = suites.filter((suite) => isEngineSuite(suite) || isPostgresSuite(suite));
  if (suites.length === 0) {
    console.error(
      `No suite is called ${names.join(' or ')}; suites are *.test.ts in src and test.`,
    );
    return 1;
  }
  const works: Promise<Run>[] = [];
  if (engines.includes('SQLite') && onSqlite.length > 0) {
    works.push(runSuites(onSqlite, { flags, isBeside: false }));
  }
  if (engines.includes('PostgreSQL') && onPostgres.length > 0) {
    works.push(runOnPostgres(onPostgres, { flags, isBeside: works.length > 0 }));
  }
  const apart = suites.filter((suite) => isApart(suite));
  if (engines.includes('SQLite') && apart.length > 0) {
    works.push(runSuites(apart, { flags, isBeside: works.length > 0 }));
  }
  const runs = await Promise.all(works);
  for (const { engine, told } of runs) if (told) console.error(`\nOn ${engine}:\n${told}`);
  const sqlite = runs.find(({ engine }) => engine === 'SQLite');
  const postgres = runs.find(({ engine }) => engine === 'PostgreSQL');
  const isSame = sqlite && postgres ? compare(sqlite, postgres) : true;
  const failed = runs.filter(({ status }) => status !== 0);
  for (const { engine } of failed) console.error(`Failed on ${engine}; see above.`);
  return failed[0]?.status ?? (isSame ? 0 : 1);
}

const running = new Set<Bun.Subprocess>();

// The suites end first; then the server ends and its folder is gone before we are.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
  });
}

process.exit(await main(readOptions(process.argv.slice(2))));
