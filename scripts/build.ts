/**
 * Builds the executable: Brickmark and the Bun it runs on in one file, which needs neither Node nor
 * npm where it runs. `npm run build` makes `dist/brickmark`; another place can be given.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(import.meta.dir, '..');

/** An executable that was built. */
export interface Built {
  readonly path: string;
  readonly bytes: number;
  readonly ms: number;
}

/** Builds the executable; one that is being run there is replaced, and goes on as it is. */
export async function buildExecutable(path: string): Promise<Built> {
  const start = performance.now();
  mkdirSync(dirname(path), { recursive: true });
  const partial = mkdtempSync(join(dirname(path), '.build-'));
  try {
    const file = join(partial, 'brickmark');
    await Bun.build({
      entrypoints: [join(root, 'src', 'main.ts')],
      target: 'bun',
      format: 'esm',
      // As tsconfig.json says, which is not where images are built.
      jsx: { runtime: 'automatic', importSource: 'preact', development: false },
      // Names stay as they are, so that the log can tell where something failed.
      minify: { whitespace: true, syntax: true, identifiers: false },
      // Compiled beforehand, a command starts in half the time.
      bytecode: true,
      // It is put into the executable too; the file beside it is for tools that we do not have.
      sourcemap: 'external',
      // Settings come from the environment alone, never from a file that happens to be there.
      compile: { outfile: file, autoloadDotenv: false, autoloadBunfig: false },
    });
    renameSync(file, path);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return { path, bytes: statSync(path).size, ms: performance.now() - start };
}

if (import.meta.main) {
  const { path, bytes, ms } = await buildExecutable(
    resolve(process.argv[2] ?? join(root, 'dist', 'brickmark')),
  );
  const shown = relative(process.cwd(), path);
  console.log(`${shown}: ${(bytes / 1e6).toFixed(1)} MB in ${(ms / 1000).toFixed(1)} s`);
}
