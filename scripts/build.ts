/**
 * Builds the executable: Brickmark and Bun in one file, which needs neither Node nor npm. `npm run
 * build` creates `dist/brickmark`; another path can be given.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { commitOfCheckout } from '../src/cli/build-commit.ts';

const root = join(import.meta.dir, '..');

export interface Built {
  readonly path: string;
  readonly bytes: number;
  readonly ms: number;
}

/** Another kind of machine to build for, and Bun for it. */
interface Target {
  readonly target: Bun.Build.CompileTarget;
  readonly executablePath: string;
}

/**
 * Builds the executable, for this kind of machine if none is given, by renaming, so that a running
 * one can be replaced.
 */
export async function buildExecutable(path: string, target?: Target): Promise<Built> {
  const start = performance.now();
  mkdirSync(dirname(path), { recursive: true });
  const partial = mkdtempSync(join(dirname(path), '.build-'));
  try {
    const file = join(partial, 'brickmark');
    await Bun.build({
      entrypoints: [join(root, 'src', 'main.ts')],
      target: 'bun',
      format: 'esm',
      // As in tsconfig.json, which is missing where images are built.
      jsx: { runtime: 'automatic', importSource: 'preact', development: false },
      // Identifiers are kept for stack traces in the log.
      minify: { whitespace: true, syntax: true, identifiers: false },
      // Bytecode halves the start-up time.
      bytecode: true,
      define: { EXECUTABLE_COMMIT: JSON.stringify(buildCommit() ?? '') },
      // The source map is also embedded in the executable; the external file is not used.
      sourcemap: 'external',
      // Settings come only from the environment, never from a file in the current folder.
      compile: { outfile: file, autoloadDotenv: false, autoloadBunfig: false, ...target },
    });
    renameSync(file, path);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return { path, bytes: statSync(path).size, ms: performance.now() - start };
}

/**
 * The commit to build from: COMMIT where images and releases are built, which have no `.git`. With
 * uncommitted changes, it ends in `-dirty`.
 */
export function buildCommit(): string | null {
  const given = process.env.COMMIT;
  if (given) return given.replace(/^([\da-f]{12})[\da-f]*/, '$1');
  const commit = commitOfCheckout(root);
  return commit !== null && isDirty() ? `${commit}-dirty` : commit;
}

function isDirty(): boolean {
  try {
    const words = ['git', 'status', '--porcelain', '--untracked-files=no'];
    return Bun.spawnSync(words, { cwd: root }).stdout.length > 0;
  } catch {
    // Git is not installed.
    return false;
  }
}

if (import.meta.main) {
  const { path, bytes, ms } = await buildExecutable(
    resolve(process.argv[2] ?? join(root, 'dist', 'brickmark')),
  );
  const shown = relative(process.cwd(), path);
  console.log(`${shown}: ${(bytes / 1e6).toFixed(1)} MB in ${(ms / 1000).toFixed(1)} s`);
}
