/**
 * `npm test`: every suite on SQLite, and those of the store and the API once more on a PostgreSQL
 * of its own; then whether as many tests ran there. Files limit it to those; `--sqlite` and
 * `--postgres` to one engine; `--quick` to what needs nothing besides Bun and SQLite. Suites of
 * real files, which are no part of the project, run when they are named, or with `--real`, as in
 * CI. `--record` writes down how long each suite took, which is what the lanes are balanced by.
 */
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { isEngineSuite, isPostgresSuite } from '../test/support/engine-suites.ts';
import { sharedFolder } from '../test/support/made-once.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { findNeed } from '../test/support/suite-needs.ts';
import { differences, joinReports, listFailed, type Report, readReport, totalOf } from './junit.ts';
import { makeBatches, runInLanes, timeSuites } from './lanes.ts';
import { runnerSettings } from './runner-settings.ts';

const root = resolve(import.meta.dir, '..');
const timeoutMs = 180_000;

/** More lanes than cores: suites that start processes wait much of their time. */
const laneCount = availableParallelism() + 3;

/** Long enough that starting a process does not matter, short enough for lanes to end together. */
const batchSeconds = 60;

const recordPath = join(root, 'scripts', 'suite-seconds.json');

const engineNames = ['SQLite', 'PostgreSQL'] as const;
type Engine = (typeof engineNames)[number];

/** How long suites took when they were last recorded, by engine and path. */
type Recorded = Record<Engine, Record<string, number>>;

interface Options {
  readonly engines: readonly Engine[];
  readonly isQuick: boolean;
  /** Whether real files of other services are tried, too. */
  readonly isReal: boolean;
  readonly isRecorded: boolean;
  /** Files, folders or parts of names; none: everything. */
  readonly names: readonly string[];
  /** What is passed on to `bun test`, such as `-t NAME`. */
  readonly flags: readonly string[];
}

/** Suites that run in one process, on one engine. */
interface Job {
  readonly engine: Engine;
  readonly suites: readonly string[];
  readonly seconds: number;
}

interface Run extends Pick<Job, 'engine' | 'suites'> {
  readonly status: number;
  readonly report: Report;
}

/** Reads what was typed. Names are words before the first flag. */
function readOptions(words: readonly string[]): Options {
  const own = ['--sqlite', '--postgres', '--quick', '--real', '--record'];
  const has = (word: string) => words.includes(word);
  const rest = words.filter((word) => !own.includes(word));
  const firstFlag = rest.findIndex((word) => word.startsWith('-'));
  const end = firstFlag < 0 ? rest.length : firstFlag;
  const isBoth = has('--sqlite') === has('--postgres');
  const isQuick = has('--quick');
  const isOn = { SQLite: isBoth || has('--sqlite'), PostgreSQL: isBoth || has('--postgres') };
  return {
    engines: isQuick ? ['SQLite'] : engineNames.filter((engine) => isOn[engine]),
    isQuick,
    isReal: has('--real') || end > 0,
    isRecorded: has('--record'),
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

/** Of suites, those that are quick; says which are left out, and why. */
function onlyQuick(suites: readonly string[]): string[] {
  const needs = Map.groupBy(suites, findNeed);
  for (const [need, leftOut] of needs) {
    if (need === null) continue;
    console.error(`Left out, since they need ${need}: ${leftOut.join(', ')}.`);
  }
  console.error('Random runs of slow properties: a fifth of those of `npm test`.');
  return needs.get(null) ?? [];
}

/** Of suites, those that need nothing that is not in the project; says which are left out. */
function withoutRealFiles(suites: readonly string[]): string[] {
  const isReal = (suite: string) => findNeed(suite) === 'files of other services';
  const count = suites.filter(isReal).length;
  console.error(`${count} suites of real files are left out; 'npm run test:real' runs them.`);
  return suites.filter((suite) => !isReal(suite));
}

/** Of the suites that were found, those that were asked for. */
function chooseSuites(found: readonly string[], { isQuick, isReal }: Options): readonly string[] {
  if (isQuick) return onlyQuick(found);
  return isReal ? found : withoutRealFiles(found);
}

function isOn(engine: Engine, suite: string): boolean {
  if (isPostgresSuite(suite)) return engine === 'PostgreSQL';
  return engine === 'SQLite' || isEngineSuite(suite);
}

/** Divides suites into jobs, the longest first. */
function planJobs(suites: readonly string[], { engines, flags }: Options): Job[] {
  const recorded = readRecorded();
  const jobs = engines.flatMap((engine) => {
    const own = suites.filter((suite) => isOn(engine, suite));
    const timed = timeSuites(own, recorded[engine], findNeed);
    // Flags are about a run as a whole: `-t` fails where nothing has the name.
    const isWhole = flags.length > 0;
    const batches = makeBatches(timed, isWhole ? Number.POSITIVE_INFINITY : batchSeconds);
    return batches.map((batch) => ({ engine, ...batch }));
  });
  return jobs.sort((a, b) => b.seconds - a.seconds);
}

/** Runs the suites of a job in a process of their own; what it wrote is shown when it is done. */
async function runJob({ engine, suites }: Job, options: RunOptions): Promise<Run> {
  const databaseUrl = await options.databaseUrl(engine);
  if (isInterrupted) return { engine, suites, status: 1, report: new Map() };
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-report-'));
  const [reportPath, outputPath] = [join(folder, 'report.xml'), join(folder, 'output')];
  const words = [
    'test',
    '--preload=./test/support/as-shipped.ts',
    '--timeout',
    String(timeoutMs),
    '--reporter=junit',
    `--reporter-outfile=${reportPath}`,
    ...options.flags,
    ...suites.map((suite) => `./${suite}`),
  ];
  // Both streams go to one file, in the order in which they were written.
  const stream = options.isAlone ? 'inherit' : openSync(outputPath, 'a');
  const startedAt = performance.now();
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: root,
    env: {
      ...process.env,
      ...options.env,
      ...runnerSettings,
      BRICKMARK_TEST_DATABASE_URL: databaseUrl,
    },
    stdio: ['ignore', stream, stream],
  });
  running.add(child);
  const status = await child.exited;
  running.delete(child);
  if (!options.isAlone) {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const output = readFileSync(outputPath, 'utf8');
    const count = suites.length === 1 ? '1 suite' : `${suites.length} suites`;
    console.error(`\n${count} on ${engine}, ${seconds} s:\n${output}`);
  }
  try {
    return { engine, suites, status, report: readReport(readFileSync(reportPath, 'utf8')) };
  } catch {
    return { engine, suites, status: status || 1, report: new Map() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface RunOptions {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where the engine is; undefined for SQLite. */
  readonly databaseUrl: (engine: Engine) => Promise<string | undefined>;
  /** Nothing else runs: what it writes is shown at once. */
  readonly isAlone: boolean;
}

/** Runs jobs in lanes; those on PostgreSQL share one server. */
async function runJobs(jobs: readonly Job[], { flags, isQuick }: Options): Promise<Run[]> {
  const isNeeded = jobs.some(({ engine }) => engine === 'PostgreSQL');
  const server = isNeeded ? PostgresServer.launch({ isTrusting: true }) : null;
  const databaseUrl = async (engine: Engine) =>
    engine === 'PostgreSQL' ? (await server)?.url() : undefined;
  const env: Record<string, string> = {
    BRICKMARK_TEST_SHARED: sharedFolder(),
    ...(isQuick && { BRICKMARK_TEST_QUICK: '1' }),
  };
  const options = { flags, env, databaseUrl, isAlone: jobs.length === 1 };
  try {
    return await runInLanes(jobs, laneCount, (job) => runJob(job, options));
  } finally {
    await (await server)?.remove();
  }
}

function reportOn(engine: Engine, runs: readonly Run[]): Report {
  return joinReports(runs.filter((run) => run.engine === engine).map(({ report }) => report));
}

/** Says how the engines compare; false when one ran what the other did not. */
function compare(sqlite: Report, postgres: Report): boolean {
  const onBoth = (report: Report) => new Map([...report].filter(([path]) => isEngineSuite(path)));
  const reports = { SQLite: onBoth(sqlite), PostgreSQL: onBoth(postgres) };
  const counts = engineNames.map((engine) => `${totalOf(reports[engine])} tests on ${engine}`);
  const own = totalOf(postgres) - totalOf(reports.PostgreSQL);
  console.error(`\nStore and API suites: ${counts.join(', ')} (and ${own} of its own).`);
  for (const engine of engineNames) {
    for (const [path, { skipped }] of reports[engine]) {
      for (const name of skipped) console.error(`  skipped on ${engine}: ${path}: ${name}`);
    }
  }
  const different = differences(reports.SQLite, reports.PostgreSQL);
  for (const line of different) console.error(`  differs: ${line}`);
  return different.length === 0;
}

/** Names what failed, so that nobody has to look for it in what was written before. */
function listFailures(runs: readonly Run[]): void {
  for (const { engine, suites, status, report } of runs) {
    if (status === 0) continue;
    for (const failure of listFailed(suites, report)) {
      console.error(`Failed on ${engine}${failure}`);
    }
  }
}

function readRecorded(): Recorded {
  return JSON.parse(readFileSync(recordPath, 'utf8'));
}

/** Writes down how long suites took. Those that did not run keep what they had. */
function record(runs: readonly Run[]): void {
  const recorded = readRecorded();
  const all = findSuites([]);
  for (const engine of engineNames) {
    for (const [path, { seconds }] of reportOn(engine, runs)) {
      recorded[engine][path] = Math.ceil(seconds * 10) / 10;
    }
    const entries = Object.entries(recorded[engine]).filter(
      ([path]) => all.includes(path) && isOn(engine, path),
    );
    recorded[engine] = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  writeFileSync(recordPath, `${JSON.stringify(recorded, null, 2)}\n`);
}

async function main(options: Options): Promise<number> {
  const found = findSuites(options.names);
  if (found.length === 0) {
    console.error(
      `No suite is called ${options.names.join(' or ')}; suites are *.test.ts in src and test.`,
    );
    return 1;
  }
  const startedAt = performance.now();
  const jobs = planJobs(chooseSuites(found, options), options);
  const runs = await runJobs(jobs, options);
  if (isInterrupted) {
    console.error('\nInterrupted.');
    return 1;
  }
  const [sqlite, postgres] = [reportOn('SQLite', runs), reportOn('PostgreSQL', runs)];
  const engines = new Set(runs.map(({ engine }) => engine));
  const isSame = engines.size < 2 || compare(sqlite, postgres);
  listFailures(runs);
  if (options.isRecorded) record(runs);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.error(`\nRan ${totalOf(sqlite) + totalOf(postgres)} tests in ${seconds} s.`);
  return runs.find(({ status }) => status !== 0)?.status ?? (isSame ? 0 : 1);
}

const running = new Set<Bun.Subprocess>();
let isInterrupted = false;

// The suites end first; then the server ends and its folder is gone before we are.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isInterrupted = true;
    for (const child of running) child.kill(signal);
  });
}

process.exit(await main(readOptions(process.argv.slice(2))));
