/** `watch DIR`: imports files that are put into a folder. */
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { detectFormat } from '../../ingest/runner/detect.work.ts';
import { importSteps } from '../../ingest/runner/import-formats.ts';
import { nounText } from '../../kernel/format.ts';
import { dayMs, hourMs } from '../../kernel/time.ts';
import { CommandError, type Context, command, withStore } from '../command.ts';
import { refuseDemo } from '../demo.ts';
import { publishWithProgress } from '../progress.ts';
import { DropFolder, type DroppedFile } from './drop-folder.ts';
import { type DropResult, importDropped } from './drop-import.ts';
import { countsText } from './import.ts';
import { finishMonths, printable } from './import-run.ts';

const pollMs = 1_000;

const pruneMs = hourMs;

export const watchCommand = command({
  name: 'watch',
  operands: { path: { label: 'DIR' } },
  summary: 'Import files dropped into a folder, then move them to done/ with their rejects',
  flags: {
    once: { help: 'Import the files there now, then exit' },
    'keep-days': {
      help: 'Days to keep files in done/; 0 keeps them all',
      value: 'DAYS',
      integer: { min: 0, max: 3_650 },
      default: 30,
    },
  },
  run: async ({ path, once, keepDays }, context) => {
    if (!existsSync(path) || !statSync(path).isDirectory()) {
      throw new CommandError(`No folder '${path}'. Create it first.`);
    }
    refuseDemo(context.config);
    context.lowerPriority();
    const folder = new DropFolder(path);
    const prune = pruner(folder, keepDays, context);
    const hold = folder.hold();
    try {
      folder.restoreUnfinished();
      prune();
      if (once) await importOnce(folder, context);
      else await keepWatching(folder, { path, prune, context });
    } finally {
      hold.release();
    }
  },
});

async function importOnce(folder: DropFolder, context: Context): Promise<void> {
  const results = await importAll(folder, folder.list(), context);
  const failed = results.filter((result) => result.error !== null).length;
  if (results.length === 0) context.say('Nothing to import.');
  if (failed > 0) {
    throw new CommandError(
      `${failed} of ${nounText(results.length, 'file')} could not be imported. ` +
        'See failed/ for the errors.',
    );
  }
}

/** Deletes old files from `done/`, at most once an hour. */
function pruner(folder: DropFolder, keepDays: number, context: Context): () => void {
  let next = Number.NEGATIVE_INFINITY;
  return () => {
    const now = context.config.clock();
    if (keepDays === 0 || now < next) return;
    next = now + pruneMs;
    const { removed, problem } = folder.pruneDone(now - keepDays * dayMs);
    if (removed > 0) {
      const age = nounText(keepDays, 'day');
      context.say(`Removed ${nounText(removed, 'file')} from done/ after ${age}.`);
    }
    if (problem !== null) {
      context.say(`Cannot remove old files from done/ (${problem}). Check its permissions.`);
    }
  };
}

async function keepWatching(
  folder: DropFolder,
  { path, prune, context }: { path: string; prune: () => void; context: Context },
): Promise<void> {
  context.say(`Watching ${path}. Press Ctrl-C to stop.`);
  let isEnding = false;
  const ending = context.untilShutdown().then(() => {
    isEnding = true;
  });
  while (!isEnding) {
    await importAll(folder, folder.listSettled(), context, () => isEnding);
    prune();
    await Promise.race([ending, Bun.sleep(pollMs)]);
  }
}

/** Publishes once, after all files. */
async function importAll(
  folder: DropFolder,
  dropped: readonly DroppedFile[],
  context: Context,
  isEnding: () => boolean = () => false,
): Promise<DropResult[]> {
  const results: DropResult[] = [];
  if (dropped.length === 0) return results;
  await withStore(context, async (store) => {
    const publishes = await store.mayPublish();
    if (publishes) await finishMonths(store, context);
    for (const file of await inOrder(dropped)) {
      if (isEnding()) break;
      const result = await importDropped(folder, file, { context, store });
      if (result === null) continue;
      results.push(result);
      context.result(result, describe(result));
    }
    // Retry earlier files that wait for an item or rate; new ones have already seen it.
    const waiting = results.some(hasChanges) ? folder.listWaiting().filter(isEarlier(results)) : [];
    for (const file of waiting) {
      if (isEnding()) break;
      const result = await importDropped(folder, file, { context, store });
      if (result && hasChanges(result)) context.result(result, describe(result));
    }
    if (publishes) await publishWithProgress(store, context, 'Valuing');
  });
  return results;
}

function hasChanges({ report }: DropResult): boolean {
  return report !== null && report.added + report.updated > 0;
}

function isEarlier(results: readonly DropResult[]): (file: DroppedFile) => boolean {
  const filed = new Set(results.map((result) => basename(result.filed)));
  return ({ path }) => !filed.has(basename(path));
}

/**
 * Sales need exchange rates, items and lots, so the order is rates, catalogs, other market data,
 * collections, sales of accounts.
 */
async function inOrder(dropped: readonly DroppedFile[]): Promise<DroppedFile[]> {
  const ranked = dropped.map(async (file) => {
    const isPrivate = file.account !== null;
    const detected = await detectFormat(file.path, { isPrivate }).catch(() => null);
    return { file, rank: importSteps.indexOf(detected?.step ?? 'market') };
  });
  const sorted = (await Promise.all(ranked)).sort((a, b) => a.rank - b.rank);
  return sorted.map(({ file }) => file);
}

function describe({ name: dropped, filed, format, error, report }: DropResult): string {
  const name = printable(dropped);
  if (error !== null || report === null) return `${name}: ${error}`;
  const counts = `${name}: ${format}, ${countsText(report)}`;
  if (!filed.startsWith('waiting/')) return counts;
  const waiting = nounText(report.missing ?? 0, 'row');
  return `${counts} Waiting for an item or an exchange rate: ${waiting}.`;
}
