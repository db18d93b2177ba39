/**
 * `npm run dev`: the demo under `bun --watch`, which restarts it when a file of the server changes.
 * The code of pages is only in a helper process, so a change of a page replaces just helpers, which
 * answer until then. The store stays in `.dev`, so the key does not change.
 */
import { watch } from 'node:fs';
import { join, resolve } from 'node:path';
import { thisProcess } from '../src/cli/processes/this-process.ts';
import { run } from '../src/main.ts';

const root = resolve(import.meta.dir, '..');

/** An editor changes a file several times when it saves it. */
const settledMs = 50;

/** Replaces helper processes, as for the command `reload`. */
function replaceHelpers(): void {
  process.emit('SIGHUP');
}

let timer: Timer | undefined;

function noteChange(_: string, name: string | null): void {
  if (name?.includes('.test.')) return;
  clearTimeout(timer);
  timer = setTimeout(replaceHelpers, settledMs);
}

// Helper processes run this file, too.
if (process.env.BRICKMARK_HELPER === undefined) {
  for (const folder of ['src', 'docs']) watch(join(root, folder), { recursive: true }, noteChange);
}

// Exits explicitly, as Bun would keep watching after Ctrl-C.
process.exit(await run(process.argv.slice(2), thisProcess));
