/** Chooses the suites to run for a mutant: those that import its file, most promising first. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isEngineSuite, isPostgresSuite } from '../../test/support/engine-suites.ts';
import { folderOf, type Mutant } from './mutants.ts';

/** A suite with its duration, and whether it is named after the mutated file. */
export interface Suite {
  readonly path: string;
  readonly seconds: number;
  readonly isNamesake: boolean;
}

/** The first suites that fit into the time; those named after the file always. */
export function within(suites: readonly Suite[], seconds: number): readonly Suite[] {
  let left = seconds;
  return suites.filter((suite) => {
    const isTaken = suite.isNamesake || suite.seconds <= left;
    if (isTaken) left -= suite.seconds;
    return isTaken;
  });
}

/** Whether a mutant is tried on PostgreSQL instead of SQLite, which has no row locks. */
export function needsPostgres({ file, operator }: Pick<Mutant, 'file' | 'operator'>): boolean {
  return file.startsWith('src/store/postgres/') || operator === 'sql lock';
}

export class Suites {
  /** For each suite, the import distance of every file. */
  private readonly distances: ReadonlyMap<string, ReadonlyMap<string, number>>;
  private readonly recorded: ReadonlyMap<string, number>;

  constructor(root: string) {
    this.recorded = readSeconds(join(root, 'scripts', 'timings', 'sqlite.json'));
    const paths = [
      ...new Bun.Glob('{src,clients,simulator,test}/**/*.test.ts').scanSync(root),
    ].sort();
    // Suites of real files need files that are not part of the project.
    const own = paths.filter((path) => !path.startsWith('test/real/'));
    const imports = new Imports(root);
    this.distances = new Map(own.map((path) => [path, imports.distancesFrom(path)]));
  }

  /**
   * Suites named after the file, its folder or its words come first, and for a lock those named
   * after locks; then those with a short distance and duration, preferably in a folder of the same
   * name.
   */
  of(mutant: Pick<Mutant, 'file' | 'operator'>): Suite[] {
    const ranked = [...this.distances].flatMap(([path, distances]) => {
      const distance = distances.get(mutant.file);
      if (distance === undefined || !canTry(path, mutant)) return [];
      // Includes start-up time; suites without a recorded time take about a second.
      const seconds = 0.3 + (this.recorded.get(path) ?? 1);
      const isForLocks = mutant.operator === 'sql lock' && /\block\b/.test(path);
      const kinship = isForLocks ? -1 : kinshipOf(path, mutant.file);
      const cost = distance ** 2 * seconds * remotenessOf(path, mutant.file);
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
 * `move/source.ts`) or some of its words (`undo.store.test.ts` for `undo-rows.store.ts`), 2 if they
 * share a word (`still-helpers.test.ts` for `helper-process.ts`) or the suite is directly in the
 * folder of `src` (`contract/openapi.test.ts` for `contract/plus/fees.ts`), 3 for all others, and
 * for suites with several nodes, which take long, unless the file is about PostgreSQL.
 */
function kinshipOf(path: string, file: string): number {
  if (path.startsWith('test/nodes/') && !file.startsWith('src/store/postgres/')) return 3;
  const [name, fileName] = [nameOf(path), nameOf(file)];
  if (singular(name) === singular(fileName)) return 0;
  const hasItsWords = `-${fileName}-`.includes(`-${name}-`) && path.startsWith(folderOf(file));
  if (hasItsWords || singular(name) === singular(basename(dirname(file)))) return 1;
  const isOfAll = dirname(path) === folderOf(file);
  const words = fileName.split('-').map(singular);
  return isOfAll || name.split('-').some((word) => words.includes(singular(word))) ? 2 : 3;
}

/**
 * 1 for a suite about all folders, or in a folder of the same name (test/process for
 * cli/processes), 2 if other folders have the same name, 4 if none has.
 */
function remotenessOf(path: string, file: string): number {
  const foldersOf = (name: string) => dirname(name).split('/').slice(1).map(singular);
  const [theirs, own] = [foldersOf(path), foldersOf(file)];
  if (theirs.length === 0 || theirs.at(-1) === own.at(-1)) return 1;
  return theirs.some((folder) => own.includes(folder)) ? 2 : 4;
}

/** Without endings, so that `undo.store.test.ts` is named like `undo.store.ts`. */
function nameOf(path: string): string {
  return basename(path).replace(/(?:\.(?:store|work))?(?:\.test)?\.tsx?$/, '');
}

function singular(name: string): string {
  return name.replace(/(?<=ss)es$|(?<!s)s$/, '');
}

/** Durations as recorded by `npm test -- --record`. */
function readSeconds(path: string): Map<string, number> {
  const { files }: { files: Record<string, number> } = JSON.parse(readFileSync(path, 'utf8'));
  return new Map(Object.entries(files).map(([suite, ms]) => [suite, ms / 1000]));
}

/** What each file imports at run time. */
class Imports {
  private readonly known = new Map<string, readonly string[]>();
  private readonly pages: readonly Page[];

  constructor(private readonly root: string) {
    this.pages = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync(root)].flatMap((file) =>
      pagesOf(file, readFileSync(join(root, file), 'utf8')),
    );
  }

  distancesFrom(start: string): Map<string, number> {
    const distances = new Map([[start, 0]]);
    // The loop also visits entries added meanwhile.
    for (const [file, distance] of distances) {
      const imports = this.known.get(file) ?? this.read(file);
      this.known.set(file, imports);
      for (const next of imports) {
        if (!distances.has(next)) distances.set(next, distance + 1);
      }
    }
    return distances;
  }

  private read(file: string): string[] {
    const path = join(this.root, file);
    if (!existsSync(path)) return [];
    const text = readFileSync(path, 'utf8');
    const loader = file.endsWith('.tsx') ? 'tsx' : 'ts';
    const imports = new Bun.Transpiler({ loader })
      .scanImports(text)
      .filter((each) => /^\..*\.tsx?$/.test(each.path))
      .map((each) => relative(this.root, resolve(dirname(path), each.path)));
    if (!file.startsWith('test/')) return imports;
    // A suite that starts Brickmark as a process also runs what main.ts imports.
    const startsIt = /'bin(', '|\/)brickmark'/.test(text);
    // A suite that requests a page runs it; all pages are imported by every suite with a site.
    const requested = this.pages.flatMap((page) => (page.address.test(text) ? page.file : []));
    return [...imports, ...requested, ...(startsIt ? ['src/main.ts'] : [])];
  }
}

/** A row of a table of pages, as `'/set/{number}': { get: showSet },`. */
interface Page {
  readonly file: string;
  /** A string with the address of the page. */
  readonly address: RegExp;
}

function pagesOf(file: string, text: string): Page[] {
  return [...text.matchAll(/^ +'(\/[^']*)': /gm)].map(([, path = '']) => {
    const pattern = path.replace(/\{\w+\}/g, '[^/?#\'"`]+');
    return { file, address: new RegExp(`['"\`]${pattern}['"\`?#]`) };
  });
}
