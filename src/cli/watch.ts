/** `watch`: a drop folder. What is put there is imported; what became of it is filed beside it. */
import { existsSync, statSync } from 'node:fs';
import { detectFormat } from '../ingest/detect.ts';
import { type Command, CommandError, type Context, takeWords } from './command.ts';
import { DropFolder, type Dropped } from './drop-folder.ts';
import { importDropped, type Outcome, printable } from './drop-import.ts';
import { finishMonths } from './import-run.ts';
import { publishWithProgress } from './progress.ts';
import { withStore } from './with-store.ts';

/** How often the folder is looked at. */
const lookMs = 1_000;

/** The watch command. */
export const watchCommand: Command = {
  name: 'watch',
  operands: 'DIR',
  summary: 'imports what is put into a folder, and files the source with its rejects under done/',
  flags: { once: { help: 'imports what lies there now, and ends' } },
  run: async (args, context) => {
    const [path = ''] = takeWords(args, ['DIR']);
    if (!existsSync(path) || !statSync(path).isDirectory()) {
      throw new CommandError(`There is no folder '${path}'; make it first.`);
    }
    context.lowerPriority();
    const folder = new DropFolder(path);
    const hold = folder.hold();
    try {
      folder.takeUpAgain();
      if (args.flags.once) await importOnce(folder, context);
      else await keepWatching(folder, path, context);
    } finally {
      hold.release();
    }
  },
};

async function importOnce(folder: DropFolder, context: Context): Promise<void> {
  const outcomes = await importAll(folder, folder.list(), context);
  const failed = outcomes.filter((outcome) => outcome.error !== null).length;
  if (outcomes.length === 0) context.say('There is nothing to import.');
  if (failed > 0) {
    throw new CommandError(
      `${failed} of ${outcomes.length} could not be imported; failed/ says why.`,
    );
  }
}

async function keepWatching(folder: DropFolder, path: string, context: Context): Promise<void> {
  context.say(`Watching ${path}. Press Ctrl-C to end.`);
  let isEnding = false;
  const ending = context.untilAskedToEnd().then(() => {
    isEnding = true;
  });
  while (!isEnding) {
    await importAll(folder, folder.listSettled(), context, () => isEnding);
    await Promise.race([ending, Bun.sleep(lookMs)]);
  }
}

/** Imports one after the other, and publishes once they are all in. */
async function importAll(
  folder: DropFolder,
  dropped: readonly Dropped[],
  context: Context,
  isEnding: () => boolean = () => false,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  if (dropped.length === 0) return outcomes;
  await withStore(context, async (store) => {
    const publishes = await store.mayPublish();
    if (publishes) await finishMonths(store, context);
    for (const some of await inOrder(dropped)) {
      if (isEnding()) break;
      const outcome = await importDropped(folder, some, { context, store });
      if (outcome === null) continue;
      outcomes.push(outcome);
      context.result(outcome, describe(outcome));
    }
    if (publishes) await publishWithProgress(store, context, 'Valuing');
  });
  return outcomes;
}

/** Sales take units from lots, so what an account owns comes before what it sold. */
async function inOrder(dropped: readonly Dropped[]): Promise<Dropped[]> {
  const ranked = dropped.map(async (some) => {
    if (some.account === null) return { some, rank: 0 };
    const detected = await detectFormat(some.path, { isPrivate: true }).catch(() => null);
    return { some, rank: detected?.format === 'sales' ? 2 : 1 };
  });
  const sorted = (await Promise.all(ranked)).sort((a, b) => a.rank - b.rank);
  return sorted.map(({ some }) => some);
}

function describe({ name: dropped, format, error, report }: Outcome): string {
  const name = printable(dropped);
  if (error !== null || report === null) return `${name}: ${error}`;
  const { read, added, updated, unchanged, rejected } = report;
  return (
    `${name}: ${format}, ${read} ${read === 1 ? 'row' : 'rows'}: ${added} added, ` +
    `${updated} updated, ${unchanged} unchanged, ${rejected} rejected.`
  );
}
