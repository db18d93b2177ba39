/**
 * The program that tests start. `npm test` builds the executable once for all suites, which starts
 * fastest; a suite that runs alone bundles the source, which builds fastest. The launcher has its
 * own tests.
 */
import { join } from 'node:path';
import { buildExecutable } from '../../scripts/build.ts';
import { isShared, makeOnce } from './made-once.ts';

export const launcher = join(import.meta.dir, '..', '..', 'bin', 'brickmark');

/** The command that starts the program, without its arguments. */
export async function programCommand(): Promise<string[]> {
  if (isShared) return [await executable()];
  return [process.execPath, '--no-env-file', '--config=/dev/null', await bundle()];
}

/** The executable, built as for a release. */
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
