/** One import, from its files to the store: read whole before it is written, if it must be. */
import type { MarketRow } from '../domain/market/market-ingest.ts';
import type { StoredCensus } from '../domain/market/market-lookups.ts';
import type { Store } from '../domain/store.ts';
import type { Format, ImportSettings, ReadOptions } from '../ingest/format.ts';
import { importRows } from '../ingest/import.ts';
import { SourceFileError, sourceBytes } from '../ingest/readers/source-file.ts';
import type { ImportReport } from '../ingest/report.ts';
import { CommandError, type Context } from './command.ts';
import type { Input } from './input.ts';
import { progressLine } from './progress.ts';
import type { RejectFile } from './reject-file.ts';

/** Items per transaction when months are finished before an import. */
const dueItems = 200;

/** What is imported. */
export interface ImportWork {
  readonly format: Format;
  readonly settings: ImportSettings;
  readonly paths: readonly string[];
  readonly context: Context;
  readonly input: Input;
}

/**
 * Reads files to their end before anything is written, where the format wants it: a broken one
 * throws here, and leaves nothing behind.
 */
export async function checkFilesFirst(work: ImportWork, store: Store): Promise<void> {
  if (work.format.isReadFirst) await checkFiles(work, store);
}

/**
 * Reads files to their end, whatever the format, and counts what they have; a broken one throws.
 * Writes nothing.
 */
export function checkFiles(work: ImportWork, store: Store): Promise<number> {
  return withProgress(work, store, 'Reading', async (options) => {
    let count = 0;
    for await (const group of work.format.read(work.paths, options)) count += group.length;
    return count;
  });
}

/** The import on a copy of the store, which is thrown away. */
export async function rehearse(
  work: ImportWork,
  store: Store,
  rejects: RejectFile,
): Promise<ImportReport> {
  const copy = await store.rehearsal();
  try {
    return await runImport(work, copy, { rejects, importId: null });
  } finally {
    await copy.close();
  }
}

/** The import itself; what it replaces is kept under its id. */
export async function runImport(
  work: ImportWork,
  store: Store,
  options: { readonly rejects: RejectFile; readonly importId: number | null },
): Promise<ImportReport> {
  const { clock } = work.context.config;
  const { rejects, importId } = options;
  const market = {
    ...store.market,
    applyRows: (rows: readonly MarketRow[], at: number) =>
      store.market.applyRows(rows, at, importId),
    markGone: (census: StoredCensus) => store.market.markGone(census, importId),
  };
  return withProgress(work, store, 'Importing', (reading) =>
    importRows(work.format.read(work.paths, reading), {
      ...store,
      market,
      clock,
      onReject: rejects.add,
    }),
  );
}

async function withProgress<T>(
  { settings, paths, context, input }: ImportWork,
  store: Store,
  title: string,
  work: (options: ReadOptions) => Promise<T>,
): Promise<T> {
  const progress = progressLine(context, title);
  try {
    const total = sourceBytes(paths);
    let done = 0;
    const onBytes = (count: number) => {
      done += count;
      progress.update(done, total);
    };
    return await work({
      stdin: input.open(),
      clock: context.config.clock,
      store,
      settings,
      onBytes,
    });
  } catch (error) {
    throw asCommandError(error);
  } finally {
    progress.end();
  }
}

/** Once history is sealed, months whose cut has passed are computed before new rows come in. */
export async function finishMonths(store: Store, context: Context): Promise<void> {
  const { sealedAt } = await store.market.findHistoryState();
  if (sealedAt === null) return;
  const publisher = context.makePublisher(store);
  while ((await publisher.publishDue(dueItems)) > 0);
}

/** What is wrong with a file in words for a person; anything else stays as it is. */
export function asCommandError(error: unknown): unknown {
  if (error instanceof SourceFileError) return new CommandError(error.message);
  const { code, message } = error as { code?: string; message?: string };
  if (/^E(NOENT|ACCES|PERM|IO|ISDIR|NOTDIR|LOOP|NAMETOOLONG|MFILE|NFILE)$/.test(code ?? '')) {
    return new CommandError(`Cannot read the file: ${message}.`);
  }
  return error;
}
