/** Wires the sync loop to the store, imports, publishing and progress. */
import { join } from 'node:path';
import { formats } from '../../ingest/runner/formats.work.ts';
import { isFormatName } from '../../ingest/runner/import-formats.ts';
import { nothingImported } from '../../ingest/runner/report.ts';
import { dayMs } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import { AnswerFolders, type ImportGroup } from '../../sync/answers.work.ts';
import { syncLease } from '../../sync/lease.ts';
import type { SyncEvents, SyncWork } from '../../sync/loop.work.ts';
import { makePlanner } from '../../sync/planner.work.ts';
import { type ImportCounts, ImportRefusal } from '../../sync/round.work.ts';
import type { Context } from '../command.ts';
import { noInput, rejectFile } from '../imports/import-files.ts';
import { runLogged } from '../imports/import-log.ts';
import {
  checkFiles,
  finishMonths,
  importDefaults,
  printable,
  reasonOf,
  runImport,
} from '../imports/import-run.ts';
import { progressOfSteps, publishWithProgress } from '../progress.ts';
import type { Sources } from './sync-sources.ts';

/** If a response has more rows than this and all are rejected, its format is wrong. */
const rejectsAllowed = 10;

/** Waits until other work that takes much memory is done. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export interface SyncWorkDeps {
  readonly context: Context;
  readonly store: Store;
  /** For a process that also does other work; default: at once. */
  readonly inTurn?: InTurn;
}

export function makeSyncWork(
  { context, store, inTurn = (work) => work() }: SyncWorkDeps,
  { connectors, keyless, client, settings, redact }: Sources,
  events: SyncEvents,
): SyncWork {
  const { clock, dataFolder } = context.config;
  const answers = new AnswerFolders(join(dataFolder, 'answers'));
  // `connectors` may have only the sources named on the command line.
  const turnedOn = [...settings.sources, ...settings.keyless].map(({ name }) => name);
  const progress = progressOfSteps(context);
  return {
    store: store.sync,
    connectors,
    keyless,
    turnedOn,
    client,
    planner: makePlanner(store.sync),
    answers,
    clock,
    random: Math.random,
    lease: syncLease(store.market, clock, crypto.randomUUID()),
    redact,
    importFiles: (files) => {
      progress.end();
      return inTurn(() => importAnswers(files, context, store));
    },
    publish: async () => {
      await inTurn(() => publishWithProgress(store, context, 'Valuing'));
    },
    prune: () =>
      answers.prune({
        before: clock() - settings.keepDays * dayMs,
        bytesMax: settings.keepMb * 1_000_000,
        sources: turnedOn,
      }),
    onCall: (source, _, count) => progress.update(`Calling ${source}, calls:`, count, null),
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

const noRows: ImportCounts = { rows: 0, rejects: 0, missing: 0, changed: 0, problem: null };

/** Imports responses like `import`; throws an `ImportRefusal` for errors in the data. */
async function importAnswers(
  { format: name, mapping, paths, folder }: ImportGroup & { readonly folder: string },
  context: Context,
  store: Store,
): Promise<ImportCounts> {
  if (!isFormatName(name)) throw new ImportRefusal(`Unknown format '${name}'.`);
  await finishMonths(store, context);
  const settings = { ...importDefaults, mapping: mapping ?? null };
  const files = { name, format: formats[name], settings, paths, filesAs: [folder] };
  const work = { ...files, context, input: noInput, rejects: rejectFile(null), rejectsAllowed };
  try {
    // Most responses have no new sales; those are not logged.
    if ((await checkFiles(work, store)) === 0) return noRows;
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
