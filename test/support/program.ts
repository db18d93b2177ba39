/**
 * The program that tests start: all of its source in one file, made once for all suites of a
 * process. It starts in less than half the time that a thousand files take. What the launcher adds
 * is tested where the launcher is.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGuard } from './postgres-place.ts';

/** What people type. */
export const launcher = join(import.meta.dir, '..', '..', 'bin', 'brickmark');

let built: Promise<string> | null = null;

/** The words that start the program as the launcher does, before those that are typed. */
export async function programCommand(): Promise<string[]> {
  built ??= build();
  return [process.execPath, '--no-env-file', '--config=/dev/null', await built];
}

async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-program-'));
  startGuard([folder]);
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, '..', '..', 'src', 'main.ts')],
    outdir: folder,
    target: 'bun',
    jsx: { runtime: 'automatic', importSource: 'preact', development: false },
  });
  const [file] = outputs;
  if (file === undefined) throw new Error('Nothing was built.');
  return file.path;
}
