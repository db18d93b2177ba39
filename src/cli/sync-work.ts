/** Joins what asking sources needs: the store, imports, publishing, and who watches. */
import { join } from 'node:path';
import { dayMs } from '../domain/kernel/time.ts';
import type { Store } from '../domain/store.ts';
import type { ImportSettings } from '../ingest/format.ts';
import { formats, isFormatName } from '../ingest/formats.ts';
import { nothingImported } from '../ingest/report.ts';
import { AnswerFolders, type ImportGroup } from '../sync/answers.ts';
import { syncLease } from '../sync/lease.ts';
import type { SyncEvents, SyncWork } from '../sync/loop.ts';
import { makePlanner } from '../sync/planner.ts';
import { type ImportCounts, ImportRefusal } from '../sync/round.ts';
import type { Context } from './command.ts';
import { runLogged } from './import-log.ts';
import { checkFiles, finishMonths, runImport } from './import-run.ts';
import { printable, reasonOf } from './import-whole.ts';
import { noInput } from './input.ts';
import { type ProgressLine, progressLine, publishWithProgress } from './progress.ts';
import { rejectFile } from './reject-file.ts';
import { makeConnectors } from './sync-connectors.ts';
import type { Sources } from './sync-sources.ts';

/** When more rows came and none of them was taken, something is wrong with all of them. */
const rejectsAllowed = 10;

/** What a loop over these sources works with. */
export function makeSyncWork(
  { context, store }: { readonly context: Context; readonly store: Store },
  { connectors, client, settings, redact }: Sources,
  events: SyncEvents,
): SyncWork {
  const { clock, dataFolder } = context.config;
  const answers = new AnswerFolders(join(dataFolder, 'answers'));
  // Only some of them may have been named on the command line.
  const turnedOn = makeConnectors(settings, clock).map(({ name }) => name);
  const progress = askingProgress(context);
  return {
    store: store.sync,
    connectors,
    client,
    planner: makePlanner(store.sync),
    answers,
    clock,
    random: Math.random,
    lease: syncLease(store.market, clock, crypto.randomUUID()),
    redact,
    importFiles: (files) => {
      progress.end();
      return importAnswers(files, context, store);
    },
    publish: async () => {
      await publishWithProgress(store, context, 'Valuing');
    },
    prune: () =>
      answers.prune({
        before: clock() - settings.keepDays * dayMs,
        bytesMax: settings.keepMb * 1_000_000,
        sources: turnedOn,
      }),
    onCall: (source, _, count) => progress.update(source, count),
    onSkipped: (source, { subject }, message) => {
      progress.end();
      events.onSkipped(source, subject, message);
    },
    events: {
      ...events,
      onRound: (result) => {
        progress.end();
        events.onRound(result);
      },
    },
  };
}

/** How many calls a source was asked in this round. */
function askingProgress(context: Context) {
  let line: { readonly source: string; readonly progress: ProgressLine } | null = null;
  return {
    update: (source: string, count: number) => {
      if (line?.source !== source) {
        line = { source, progress: progressLine(context, `Calling ${source}, calls:`) };
      }
      line.progress.update(count, null);
    },
    end: () => {
      line?.progress.end();
      line = null;
    },
  };
}

const importSettings: Omit<ImportSettings, 'mapping'> = {
  account: null,
  brickfolio: null,
  missingPrice: 'msrp',
  missingDate: 'unknown',
  isForced: false,
};

/** An answer without a single row. */
const nothingNew: ImportCounts = { rows: 0, rejects: 0, missing: 0, changed: 0, problem: null };

/** Imports answers as `import` does; what is wrong with them is a refusal in words. */
async function importAnswers(
  { format: name, mapping, paths, folder }: ImportGroup & { readonly folder: string },
  context: Context,
  store: Store,
): Promise<ImportCounts> {
  if (!isFormatName(name)) throw new ImportRefusal(`Unknown format '${name}'.`);
  await finishMonths(store, context);
  const settings = { ...importSettings, mapping: mapping ?? null };
  const files = { name, format: formats[name], settings, paths, filesAs: [folder] };
  const work = { ...files, context, input: noInput, rejects: rejectFile(null), rejectsAllowed };
  try {
    // Most items were not sold since they were asked about last: the log is not for that.
    if ((await checkFiles(work, store)) === 0) return nothingNew;
    const { report } = await runLogged(work, store, (rejects, importId) =>
      runImport(work, store, { rejects, importId }),
    );
    const { read, rejected, added, updated, missing = 0 } = report;
    const problem = read <= rejectsAllowed ? null : nothingImported(report);
    const changed = added + updated;
    return { rows: read - rejected, rejects: rejected, missing, changed, problem };
  } catch (error) {
    const kept = join(context.config.dataFolder, folder, name);
    throw new ImportRefusal(
      `${printable(reasonOf(error))} Saved in ${kept}; import it with 'brickmark import ${name}'.`,
    );
  }
}
