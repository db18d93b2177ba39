/**
 * The program that tests start. `npm test` has the executable made once for all suites, which
 * starts fastest; a process by itself has all of the source put into one file, which is made
 * fastest. What the launcher adds is tested where the launcher is.
 */
import { join } from 'node:path';
import { buildExecutable } from '../../scripts/build.ts';
import { isShared, makeOnce } from './made-once.ts';

/** What people type. */
export const launcher = join(import.meta.dir, '..', '..', 'bin', 'brickmark');

/** The words that start the program as the launcher does, before those that are typed. */
export async function programCommand(): Promise<string[]> {
  if (isShared) return [await executable()];
  return [process.execPath, '--no-env-file', '--config=/dev/null', await bundle()];
}

/** The executable, as it is released. */
export async function executable(): Promise<string> {
  const place = (folder: string) => join(folder, 'brickmark');
  const folder = await makeOnce('executable', async (made) => {
    await buildExecutable(place(made));
  });
  return place(folder);
}

async function bundle(): Promise<string> {
  const folder = await makeOnce('bundle', async (made) => {
    await Bun.build({
      entrypoints: [join(import.meta.dir, '..', '..', 'src', 'main.ts')],
      outdir: made,
      target: 'bun',
      jsx: { runtime: 'automatic', importSource: 'preact', development: false },
    });
  });
  return join(folder, 'main.js');
}
