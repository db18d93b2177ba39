/**
 * `npm test`: runs suites in parallel with `bun test`: on SQLite, and beside them those of the
 * store and publishing on a temporary PostgreSQL, and checks that both ran the same tests. `npm run
 * test:rest` (`--rest`) runs suites that need installed packages, several servers or real files.
 * Names limit a run to suites with one of them in their path, on SQLite; `--sqlite` and
 * `--postgres` choose engines; `--quick` limits it to suites that need only Bun and SQLite.
 * `--record` updates `scripts/timings`, which balance the load.
 */
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { type Engine, engines, groupOf, type SuiteGroup } from '../test/support/engine-suites.ts';
import { sharedFolder } from '../test/support/made-once.ts';
import { findMemoryFolder, isExecutable } from '../test/support/memory-folder.ts';
import { startGuard } from '../test/support/postgres-place.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { findNeed } from '../test/support/suite-needs.ts';
import { differences, type Report, readReport, totalsOf } from './junit.ts';
import { runnerSettings } from './runner-settings.ts';
import { type RunningTest, Standstill, standstillMs } from './standstill.ts';

const root = resolve(import.meta.dir, '..');
/** Per test, on a busy machine. */
const timeoutMs = 300_000;

/**
 * Workers besides one per core, since suites that start processes and browsers often wait. More of
 * them take a quarter more CPU time.
 */
const moreWorkers = { SQLite: 2, PostgreSQL: 0, 'PostgreSQL 17': 0 } as const;

interface Options {
  readonly engines: readonly Engine[];
  /** Whether only the first engine is used on which one of the suites runs. */
  readonly isOnOneEngine: boolean;
  readonly groups: readonly SuiteGroup[];
  readonly isQuick: boolean;
  readonly isRecorded: boolean;
  /** Files, folders or parts of names; empty for all. */
  readonly names: readonly string[];
  /** Passed to `bun test`, such as `-t NAME`. */
  readonly flags: readonly string[];
}

interface Run {
  readonly engine: Engine;
  readonly status: number;
  readonly report: Report;
  /** What has not been shown yet. */
  readonly output: string;
}

/** Names are the words before the first flag. */
function readOptions(words: readonly string[]): Options {
  const own = ['--sqlite', '--postgres', '--quick', '--rest', '--record'];
  const has = (word: string) => words.includes(word);
  const rest = words.filter((word) => !own.includes(word));
  const firstFlag = rest.findIndex((word) => word.startsWith('-'));
  const end = firstFlag < 0 ? rest.length : firstFlag;
  const isBoth = has('--sqlite') === has('--postgres');
  const isSqlite = isBoth || has('--sqlite') || has('--quick');
  const isPostgres = (isBoth || has('--postgres')) && !has('--quick');
  return {
    engines: engines.filter((engine) => (engine === 'SQLite' ? isSqlite : isPostgres)),
    isOnOneEngine: end > 0 && !has('--sqlite') && !has('--postgres'),
    groups: end > 0 ? ['main', 'rest'] : [has('--rest') ? 'rest' : 'main'],
    isQuick: has('--quick'),
    isRecorded: has('--record'),
    names: rest.slice(0, end),
    flags: rest.slice(end),
  };
}

function findSuites(names: readonly string[]): string[] {
  const suites = [
    ...new Bun.Glob('{src,clients,simulator,test}/**/*.test.ts').scanSync(root),
  ].sort();
  const parts = names.map((name) => {
    const isFolder = statSync(name, { throwIfNoEntry: false })?.isDirectory();
    return relative(root, resolve(name)) + (isFolder ? '/' : '');
  });
  return suites.filter((suite) => parts.length === 0 || parts.some((part) => suite.includes(part)));
}

/** The suites that need only Bun and SQLite; prints the others. */
function onlyQuick(suites: readonly string[]): string[] {
  const needs = Map.groupBy(suites, findNeed);
  for (const [need, skipped] of needs) {
    if (need !== null) console.error(`Skipped, need ${need}: ${skipped.join(', ')}.`);
  }
  console.error('Slow properties get a fifth of the random runs of `npm test`.');
  return needs.get(null) ?? [];
}

/** The suites of each engine. PostgreSQL 17 runs only without names. */
function planRuns(found: readonly string[], options: Options): Map<Engine, string[]> {
  const suites = options.isQuick ? onlyQuick(found) : found;
  const isChosen = (suite: string, engine: Engine) => {
    const group = groupOf(suite, engine);
    if (engine === 'PostgreSQL 17' && options.names.length > 0) return false;
    return group !== null && options.groups.includes(group);
  };
  const runs = options.engines.map(
    (engine) => [engine, suites.filter((suite) => isChosen(suite, engine))] as const,
  );
  const [first, ...others] = runs.filter(([, chosen]) => chosen.length > 0);
  if (first === undefined) return new Map();
  if (!options.isOnOneEngine) return new Map([first, ...others]);
  for (const [engine, { length }] of others) {
    console.error(`Not run: ${length} of these suites on ${engine}; add --sqlite --postgres.`);
  }
  return new Map([first]);
}

/** Runs suites on an engine. On PostgreSQL they share a server, with a database per store. */
async function runOn(engine: Engine, suites: readonly string[], how: HowToRun): Promise<Run> {
  if (engine === 'SQLite') return runSuites(engine, suites, how);
  const release = engine === 'PostgreSQL 17' ? 17 : undefined;
  const settings = { autovacuum: 'off', wal_level: 'minimal', max_wal_senders: '0' };
  const server = await PostgresServer.launch({ isTrusting: true, release, settings });
  try {
    return await runSuites(engine, suites, { ...how, databaseUrl: server.url() });
  } finally {
    await server.remove();
  }
}

interface HowToRun {
  readonly options: Options;
  /** Whether its output is shown as it comes; there is one terminal. */
  readonly isShown: boolean;
  readonly databaseUrl?: string;
}

async function runSuites(
  engine: Engine,
  suites: readonly string[],
  { options, isShown, databaseUrl }: HowToRun,
): Promise<Run> {
  if (isInterrupted) return { engine, status: 1, report: new Map(), output: '' };
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-report-'));
  const reportPath = join(folder, 'report.xml');
  const outputPath = join(folder, 'output.txt');
  writeFileSync(outputPath, '');
  const output = isShown ? 'inherit' : openSync(outputPath, 'a');
  const standstill = new Standstill((stuck) => {
    nameStuck(engine, stuck);
    child.kill('SIGKILL');
  });
  const child = Bun.spawn(
    [process.execPath, ...testWords(engine, reportPath, options), ...suites],
    {
      cwd: root,
      env: {
        ...process.env,
        ...runnerSettings,
        TMPDIR: temporary,
        BRICKMARK_TEST_SHARED: sharedFolder(),
        BRICKMARK_TEST_RUNNING: standstill.folder,
        BRICKMARK_TEST_DATABASE_URL: databaseUrl,
        BRICKMARK_TEST_QUICK: options.isQuick ? '1' : undefined,
      },
      stdio: ['ignore', output, output],
    },
  );
  running.add(child);
  const status = await child.exited;
  running.delete(child);
  standstill.close();
  if (output !== 'inherit') closeSync(output);
  const left = readFileSync(outputPath, 'utf8');
  try {
    return { engine, status, report: readReport(readFileSync(reportPath, 'utf8')), output: left };
  } catch {
    return { engine, status: status || 1, report: new Map(), output: left };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The folder for temporary files of suites, removed when this process ends. It is in memory if
 * possible: SQLite waits for the disk at every commit.
 */
function makeTemporary(): string {
  const memory = findMemoryFolder();
  const parent = memory !== null && isExecutable() ? memory : tmpdir();
  const folder = mkdtempSync(join(parent, 'brickmark-'));
  // PostgreSQL's user has folders in it.
  chmodSync(folder, 0o711);
  startGuard([folder]);
  return folder;
}

function testWords(engine: Engine, reportPath: string, options: Options): string[] {
  const timings = join(
    root,
    'scripts',
    'timings',
    `${engine.toLowerCase().replace(' ', '-')}.json`,
  );
  return [
    'test',
    `--parallel=${availableParallelism() + moreWorkers[engine]}`,
    // Faster, and safe because suites do not change global state.
    '--no-isolate',
    '--dots',
    '--preload=./test/support/as-shipped.ts',
    '--preload=./test/support/current-test.ts',
    `--timeout=${timeoutMs}`,
    `--timings=${timings}`,
    ...(options.isRecorded ? ['--update-timings'] : []),
    '--reporter=junit',
    `--reporter-outfile=${reportPath}`,
    ...options.flags,
  ];
}

/** Kills blocked processes. The run fails, as Bun reports their suites as crashed. */
function nameStuck(engine: Engine, stuck: readonly RunningTest[]): void {
  const minutes = standstillMs / 60_000;
  console.error(`\nNo test has started or ended on ${engine} for ${minutes} minutes. Running:`);
  for (const { pid, name } of stuck) {
    console.error(`  ${name || 'between tests'} (process ${pid})`);
    process.kill(pid, 'SIGKILL');
  }
}

/** Compares the number of tests per suite on both engines; false if they differ. */
function compare(suites: ReadonlySet<string>, [sqlite, postgres]: readonly [Report, Report]) {
  const only = (report: Report) => new Map([...report].filter(([suite]) => suites.has(suite)));
  const counts = [sqlite, postgres].map((report) => totalsOf(only(report)).passed);
  console.error(`\nOn both engines: ${counts.join(' tests on SQLite, ')} on PostgreSQL.`);
  const different = differences(only(sqlite), only(postgres));
  for (const line of different) console.error(`  differs: ${line}`);
  return different.length === 0;
}

/** Repeats failed and skipped tests at the end of the output. */
function listUnusual(runs: readonly Run[]): void {
  for (const { engine, report } of runs) {
    for (const [suite, { failed, skipped }] of report) {
      for (const name of skipped) console.error(`Skipped on ${engine}: ${suite}: ${name}`);
      for (const name of failed) console.error(`Failed on ${engine}: ${suite}: ${name}`);
    }
  }
  for (const { engine, status, report } of runs) {
    if (status === 0 || totalsOf(report).failed > 0) continue;
    console.error(`Failed on ${engine} outside of a test: see above.`);
  }
}

async function main(options: Options): Promise<number> {
  const found = findSuites(options.names);
  const plan = planRuns(found, options);
  if (plan.size === 0) {
    console.error(`No suite is called ${options.names.join(' or ')}. Suites are *.test.ts files.`);
    return 1;
  }
  const startedAt = performance.now();
  for (const [engine, { length }] of plan) console.error(`${length} suites on ${engine}`);
  // Beside each other, because suites often wait.
  const runs = await Promise.all(
    [...plan].map(([engine, suites], index) =>
      runOn(engine, suites, { options, isShown: index === 0 }),
    ),
  );
  for (const { engine, output } of runs) if (output) console.error(`\n${engine}:\n${output}`);
  if (isInterrupted) {
    console.error('\nInterrupted.');
    return 1;
  }
  const suitesOn = (engine: Engine) => new Set(plan.get(engine));
  const reportOn = (engine: Engine) =>
    runs.find((run) => run.engine === engine)?.report ?? new Map();
  const onBoth = suitesOn('SQLite').intersection(suitesOn('PostgreSQL'));
  const isSame = onBoth.size === 0 || compare(onBoth, [reportOn('SQLite'), reportOn('PostgreSQL')]);
  listUnusual(runs);
  const totals = totalsOf(new Map(runs.flatMap(({ engine, report }) => onEngine(engine, report))));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.error(`\n${seconds} seconds`);
  console.error(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
  return runs.find(({ status }) => status !== 0)?.status ?? (isSame ? 0 : 1);
}

/** Makes names unique per engine, so that a suite counts once for each. */
function onEngine(engine: Engine, report: Report) {
  return [...report].map(([suite, result]) => [`${engine} ${suite}`, result] as const);
}

const temporary = makeTemporary();
const running = new Set<Bun.Subprocess>();
let isInterrupted = false;

// The suites end first; then the server is stopped and its folder removed.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isInterrupted = true;
    for (const child of running) child.kill(signal);
  });
}

process.exit(await main(readOptions(process.argv.slice(2))));
