/** Which suites are asked about a source file: those that import it, the most promising first. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isEngineSuite, isPostgresSuite } from '../../test/support/engine-suites.ts';
import { folderOf, type Mutant } from './mutants.ts';

/** A suite, about how long it takes, and whether it is named for what is asked about. */
export interface Suite {
  readonly path: string;
  readonly seconds: number;
  readonly isNamesake: boolean;
}

/** Suites that fit into the time, earlier ones preferred; those named for the file always. */
export function within(suites: readonly Suite[], seconds: number): readonly Suite[] {
  let left = seconds;
  return suites.filter((suite) => {
    const isTaken = suite.isNamesake || suite.seconds <= left;
    if (isTaken) left -= suite.seconds;
    return isTaken;
  });
}

/** Whether a mutant is tried on PostgreSQL, and not on SQLite, which has no locks of rows. */
export function needsPostgres({ file, operator }: Pick<Mutant, 'file' | 'operator'>): boolean {
  return file.startsWith('src/store/postgres/') || operator === 'sql lock';
}

/** The suites of a tree, and what each of them imports. */
export class Suites {
  /** For each suite, how many imports away every file is. */
  private readonly distances: ReadonlyMap<string, ReadonlyMap<string, number>>;
  private readonly recorded: ReadonlyMap<string, number>;

  constructor(root: string) {
    this.recorded = readSeconds(join(root, 'scripts', 'timings', 'sqlite.json'));
    const paths = [...new Bun.Glob('{src,test}/**/*.test.ts').scanSync(root)].sort();
    // Suites of real files need what is not part of the project.
    const own = paths.filter((path) => !path.startsWith('test/real/'));
    const graph = new Map<string, readonly string[]>();
    this.distances = new Map(own.map((path) => [path, distancesFrom(path, root, graph)]));
  }

  /**
   * First the suites that are named for the file, its folder or some of its words, and for a lock
   * those named for locks; then near and short ones, of the same part of the tree above all.
   */
  of(mutant: Pick<Mutant, 'file' | 'operator'>): Suite[] {
    const ranked = [...this.distances].flatMap(([path, distances]) => {
      const distance = distances.get(mutant.file);
      if (distance === undefined || !canTry(path, mutant)) return [];
      // Starting a suite takes some time, too; one that is not recorded takes about a second.
      const seconds = 0.3 + (this.recorded.get(path) ?? 1);
      const isForLocks = mutant.operator === 'sql lock' && /\block\b/.test(path);
      const kinship = isForLocks ? -1 : kinshipOf(path, mutant.file);
      const isNear = path.split('/')[1] === mutant.file.split('/')[1];
      const cost = distance * seconds * (isNear ? 1 : 4);
      return [{ path, seconds, isNamesake: kinship < 2, kinship, cost }];
    });
    return ranked.sort((a, b) => a.kinship - b.kinship || a.cost - b.cost);
  }
}

/** Whether a suite runs on the engine that a mutant needs. */
function canTry(path: string, mutant: Pick<Mutant, 'file' | 'operator'>): boolean {
  if (!needsPostgres(mutant)) return !isPostgresSuite(path);
  const isOfPostgres = /^(test\/nodes|src\/store\/postgres)\//.test(path);
  return isPostgresSuite(path) || isEngineSuite(path) || isOfPostgres;
}

/**
 * 0 for a suite with the file's name, 1 with the name of its folder (`test/cli/move.test.ts` for
 * `move/source.ts`) or some of its words (`undo.test.ts` for `undo-rows.ts`), 2 for all others.
 */
function kinshipOf(path: string, file: string): number {
  const [name, fileName] = [basename(path, '.test.ts'), basename(file, '.ts')];
  if (name === fileName) return 0;
  const hasItsWords = `-${fileName}-`.includes(`-${name}-`) && path.startsWith(folderOf(file));
  return hasItsWords || name === basename(dirname(file)) ? 1 : 2;
}

/** Seconds by suite, as `npm test -- --record` wrote them. */
function readSeconds(path: string): Map<string, number> {
  const { files }: { files: Record<string, number> } = JSON.parse(readFileSync(path, 'utf8'));
  return new Map(Object.entries(files).map(([suite, ms]) => [suite, ms / 1000]));
}

function distancesFrom(start: string, root: string, graph: Map<string, readonly string[]>) {
  const distances = new Map([[start, 0]]);
  // The loop also visits what is added meanwhile.
  for (const [file, distance] of distances) {
    const imports = graph.get(file) ?? readImports(file, root);
    graph.set(file, imports);
    for (const next of imports) {
      if (!distances.has(next)) distances.set(next, distance + 1);
    }
  }
  return distances;
}

function readImports(file: string, root: string): string[] {
  const path = join(root, file);
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const loader = file.endsWith('.tsx') ? 'tsx' : 'ts';
  const imports = new Bun.Transpiler({ loader })
    .scanImports(text)
    .filter((each) => /^\..*\.tsx?$/.test(each.path))
    .map((each) => relative(root, resolve(dirname(path), each.path)));
  // A suite that starts Brickmark as a process runs what that imports.
  const startsIt = file.startsWith('test/') && /'bin(', '|\/)brickmark'/.test(text);
  return startsIt ? [...imports, 'src/main.ts'] : imports;
}
