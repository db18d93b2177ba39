/** Which suites run a source file: those that import it, directly or through others. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isEngineSuite, isPostgresSuite } from '../../test/support/engine-suites.ts';

/** The engines that a suite can run on. */
export type Engine = 'SQLite' | 'PostgreSQL';

/** The suites of a tree, and what each of them imports. */
export class Suites {
  /** For each suite, how many imports away every file is that it runs. */
  private readonly distances = new Map<string, ReadonlyMap<string, number>>();

  /** Suites that start Brickmark, and cannot tell which lines it runs. */
  private readonly processes = new Set<string>();
  /** How long each suite takes on each engine, as `npm test -- --record` wrote it. */
  private readonly seconds: Readonly<Record<Engine, Readonly<Record<string, number>>>>;

  constructor(private readonly root: string) {
    this.seconds = {
      SQLite: readTimings(root, 'sqlite'),
      PostgreSQL: readTimings(root, 'postgresql'),
    };
    const graph = new Map<string, readonly string[]>();
    for (const suite of new Bun.Glob('{src,test}/**/*.test.{ts,tsx}').scanSync(root)) {
      this.distances.set(suite, distancesFrom(root, suite, graph));
    }
    this.addProcesses(distancesFrom(root, 'src/main.ts', graph));
  }

  /** Suites that start Brickmark as a person would run all of it. */
  private addProcesses(ofMain: ReadonlyMap<string, number>): void {
    for (const [suite, distances] of this.distances) {
      if (![...distances.keys()].some((file) => startsBrickmark(this.root, file))) continue;
      this.processes.add(suite);
      const all = new Map(distances);
      for (const [file, distance] of ofMain) {
        if (!all.has(file)) all.set(file, distance + processDistance);
      }
      this.distances.set(suite, all);
    }
  }

  /** Whether a suite starts processes, which run lines that it does not know of. */
  startsProcesses(suite: string): boolean {
    return this.processes.has(suite);
  }

  /** Whether a suite is named for a file, or imports it itself. */
  isNear(suite: string, file: string): boolean {
    return ownRank(suite, file) < ownRanks || this.distances.get(suite)?.get(file) === 1;
  }

  /** Suites that need no engine, or bring their own, are recorded on SQLite. */
  private secondsOf(suite: string, engine: Engine): number {
    return this.seconds[engine][suite] ?? this.seconds.SQLite[suite] ?? usualSeconds;
  }

  /** Whether a suite has the first word of the file's name in its text. */
  private speaksOf(suite: string, file: string): boolean {
    const [word = ''] = basename(file).split(/[-.]/);
    return new RegExp(`\\b${word}`).test(readFileSync(join(this.root, suite), 'utf8'));
  }

  /**
   * The suites that run a file on an engine, nearest and shortest first: the file's own, those of
   * its folder and of its words, then by the number of imports between them, by how long they
   * take, and by how much of the path they share. In the time that a long one takes, many short
   * ones can be asked. Of a lock, those are asked first that are named for locks.
   */
  of(file: string, engine: Engine, operator = ''): string[] {
    const near = [...this.distances].flatMap(([suite, distances]) => {
      const distance = distances.get(file);
      return distance === undefined || !runsOn(suite, engine) ? [] : [{ suite, distance }];
    });
    const importing = near.filter(({ distance }) => distance < processDistance);
    const isAsked = ({ suite }: (typeof near)[number]) =>
      importing.length < importingEnough ? this.speaksOf(suite, file) : ownRank(suite, file) === 0;
    const asked = near.filter((each) => importing.includes(each) || isAsked(each));
    const rank = ({ suite, distance }: (typeof near)[number]) => [
      operator === lockOperator && /\block\b/.test(suite) ? 0 : 1,
      ownRank(suite, file),
      startsServers(suite) ? 1 : 0,
      (distance * (startSeconds + this.secondsOf(suite, engine))) /
        (1 + sharedFolders(suite, file)),
    ];
    return asked
      .map((each) => ({ suite: each.suite, rank: rank(each) }))
      .sort((a, b) => compareRanks(a.rank, b.rank) || (a.suite < b.suite ? -1 : 1))
      .map(({ suite }) => suite);
  }
}

/** The seconds that suites take, as `npm test -- --record` wrote them. */
function readTimings(root: string, engine: 'sqlite' | 'postgresql'): Record<string, number> {
  const path = join(root, 'scripts', 'timings', `${engine}.json`);
  const { files }: { files: Record<string, number> } = JSON.parse(readFileSync(path, 'utf8'));
  return Object.fromEntries(Object.entries(files).map(([suite, ms]) => [suite, ms / 1000]));
}

/** The operator that takes locks away. */
const lockOperator = 'sql lock';

/** The engines that a mutant of a file is tried on in turn; SQLite has no locks of rows. */
export function enginesOf(file: string, operator = ''): readonly Engine[] {
  if (file.startsWith('src/store/postgres/') || operator === lockOperator) return ['PostgreSQL'];
  if (file.startsWith('src/store/sqlite/')) return ['SQLite'];
  return file.startsWith('src/store/') ? ['SQLite', 'PostgreSQL'] : ['SQLite'];
}

function runsOn(suite: string, engine: Engine): boolean {
  if (engine === 'SQLite') return !isPostgresSuite(suite);
  const isOfPostgres = startsServers(suite) || suite.startsWith('src/store/postgres/');
  return isPostgresSuite(suite) || isEngineSuite(suite) || isOfPostgres;
}

/** Suites that start a PostgreSQL and several nodes on it. */
function startsServers(suite: string): boolean {
  return suite.startsWith('test/nodes/');
}

/** Ranks of suites that are named for a file; all others are behind these. */
const ownRanks = 2;

/**
 * How much a suite is the file's own: 0 when it has its name, 1 when it has that of its folder
 * (`ingest.test.ts` and `test/cli/move.test.ts` of `ingest/items.ts` and `move/move.ts`), or
 * some of its words (`undo.test.ts` of `undo-rows.ts`).
 */
function ownRank(suite: string, file: string): number {
  const name = suite.replace(/\.test\.tsx?$/, '');
  const fileName = basename(file).replace(/\.tsx?$/, '');
  if (basename(name) === fileName) return 0;
  const isFamily =
    `-${fileName}-`.includes(`-${basename(name)}-`) && sharedFolders(suite, file) > 1;
  return isFamily || basename(name) === basename(dirname(file)) ? 1 : ownRanks;
}

function sharedFolders(suite: string, file: string): number {
  const [a, b] = [dirname(suite).split('/'), dirname(file).split('/')];
  const different = a.findIndex((name, index) => name !== b[index]);
  return different < 0 ? a.length : different;
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  return a.map((value, index) => value - (b[index] ?? 0)).find((gap) => gap !== 0) ?? 0;
}

/**
 * With so many suites that import a file, those that start processes are not asked; with fewer, of
 * those only the ones that speak of what the file is named for.
 */
const importingEnough = 6;

/** What it takes to start a suite, besides what is recorded of it. */
const startSeconds = 0.3;

/** How long a suite takes that is too new to be recorded. */
const usualSeconds = 0.5;

/** How much further away a file is that runs in a process of its own. */
const processDistance = 100;

/** Whether a file of the tests names the launcher. */
function startsBrickmark(root: string, file: string): boolean {
  if (!file.startsWith('test/')) return false;
  const text = readFileSync(join(root, file), 'utf8');
  return /'bin', 'brickmark'|'bin\/brickmark'/.test(text);
}

function distancesFrom(
  root: string,
  suite: string,
  graph: Map<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const distances = new Map([[suite, 0]]);
  // A map goes on with what is added to it while it is gone through.
  for (const [file, distance] of distances) {
    for (const next of importsOf(root, file, graph)) {
      if (!distances.has(next)) distances.set(next, distance + 1);
    }
  }
  return distances;
}

const transpilers = {
  ts: new Bun.Transpiler({ loader: 'ts' }),
  tsx: new Bun.Transpiler({ loader: 'tsx' }),
};

/** The files of the tree that a file imports when it runs; types are not there by then. */
function importsOf(
  root: string,
  file: string,
  graph: Map<string, readonly string[]>,
): readonly string[] {
  const known = graph.get(file);
  if (known) return known;
  const path = join(root, file);
  const loader = file.endsWith('.tsx') ? 'tsx' : 'ts';
  const imports = !existsSync(path)
    ? []
    : transpilers[loader]
        .scanImports(readFileSync(path, 'utf8'))
        .filter((each) => /^\..*\.tsx?$/.test(each.path))
        .map((each) => relative(root, resolve(dirname(path), each.path)));
  graph.set(file, imports);
  return imports;
}
