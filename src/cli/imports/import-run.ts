/** Runs an import: checks its files, rehearses it, and writes it to the store. */

import { SourceFileError, sourceBytes } from '../../ingest/readers/source-file.work.ts';
import type { Format, ImportSettings, ReadOptions } from '../../ingest/runner/format.work.ts';
import { importRows } from '../../ingest/runner/import.work.ts';
import { countOutcomes } from '../../ingest/runner/journal.ts';
import type { ImportReport } from '../../ingest/runner/report.ts';
import { waitingCount } from '../../ingest/runner/waiting-text.ts';
import { StoreBusyError, StoreLostError } from '../../kernel/store-errors.ts';
import type { MarketRow, StoredCensus } from '../../market/source-rows/market-ingest.ts';
import type { AccountChange } from '../../portfolio/lots/private-rows.ts';
import { ClockError } from '../../store/sql/clock.ts';
import { SchemaError } from '../../store/sql/schema-version.ts';
import type { Store } from '../../store/store.ts';
import { CommandError, type Context } from '../command.ts';
import { accountsWithPredictions } from '../fee-files.ts';
import { withProgress } from '../progress.ts';
import { storeErrorMessage } from '../store-error.ts';
import type { RejectFile, StandardInput } from './import-files.ts';

/** Items per transaction when months are finalized before an import. */
const dueItems = 200;

export const importDefaults: ImportSettings = {
  account: null,
  brickfolio: null,
  missingPrice: 'msrp',
  missingDate: 'unknown',
  mapping: null,
  isForced: false,
};

export interface ImportWork {
  readonly format: Format;
  readonly settings: ImportSettings;
  readonly paths: readonly string[];
  readonly context: Context;
  readonly input: StandardInput;
}

/** For formats that need it, reads all files before writing; throws if one is broken. */
export async function checkFilesFirst(work: ImportWork, store: Store): Promise<void> {
  if (work.format.isReadFirst) await checkFiles(work, store);
}

/** Reads all files without writing, and returns the number of rows; throws if one is broken. */
export function checkFiles(work: ImportWork, store: Store): Promise<number> {
  return withReading(work, store, 'Reading', async (options) => {
    let count = 0;
    for await (const group of work.format.read(work.paths, options)) count += group.length;
    return count;
  });
}

/** Replaced rows are stored under the import ID, for undo. */
export async function runImport(
  work: ImportWork,
  store: Store,
  options: { readonly rejects: RejectFile; readonly importId: number | null },
): Promise<ImportReport> {
  const { clock, dataFolder } = work.context.config;
  const { rejects, importId } = options;
  const market = {
    ...store.market,
    applyRows: (rows: readonly MarketRow[], at: number) =>
      store.market.applyRows(rows, at, importId),
    markGone: (census: StoredCensus) => store.market.markGone(census, importId),
  };
  const accounts = accountsWithPredictions(store, dataFolder);
  const counted = {
    ...accounts,
    change: async (accountId: number, change: AccountChange, at: number) => {
      const result = await accounts.change(accountId, change, at);
      const counts = countOutcomes(result.outcomes);
      // Another database, so a process that is killed right now is counted short.
      if (importId !== null) await store.market.countWritten(importId, at, counts);
      return result;
    },
  };
  const before = waitingCount(await store.market.listWaiting());
  const report = await withReading(work, store, 'Importing', (reading) =>
    importRows(work.format.read(work.paths, reading), {
      ...store,
      market,
      accounts: counted,
      clock,
      onReject: rejects.add,
    }),
  );
  const after = waitingCount(await store.market.listWaiting());
  return after < before ? { ...report, arrived: before - after } : report;
}

async function withReading<T>(
  { settings, paths, context, input }: ImportWork,
  store: Store,
  title: string,
  work: (options: ReadOptions) => Promise<T>,
): Promise<T> {
  return withProgress(context, title, (update) => {
    const total = sourceBytes(paths);
    let done = 0;
    const onBytes = (count: number) => {
      done += count;
      update(done, total);
    };
    const { clock } = context.config;
    return work({ stdin: input.open(), clock, store, settings, onBytes });
  }).catch((error) => {
    throw asCommandError(error);
  });
}

/** Finalizes due months of a sealed history, so that new rows do not change them. */
export async function finishMonths(store: Store, context: Context): Promise<void> {
  const { sealedAt } = await store.market.findHistoryState();
  if (sealedAt === null) return;
  const publisher = context.makePublisher(store);
  while ((await publisher.publishDue(dueItems)) > 0);
}

/** Turns errors about a file into a `CommandError`; returns other errors unchanged. */
export function asCommandError(error: unknown): unknown {
  if (error instanceof SourceFileError) return new CommandError(error.message);
  const { code, message } = error as { code?: string; message?: string };
  if (/^E(NOENT|ACCES|PERM|IO|ISDIR|NOTDIR|LOOP|NAMETOOLONG|MFILE|NFILE)$/.test(code ?? '')) {
    return new CommandError(`Cannot read the file: ${message}.`);
  }
  return error;
}

/** Why a file could not be imported; rethrows errors of the store. */
export function reasonOf(error: unknown): string {
  const known = asCommandError(error);
  if (known instanceof CommandError) return known.message;
  if (isStoreError(error)) throw error;
  const { message } = error as { message?: string };
  return `Unexpected error; the import may be partly written: ${message}.`;
}

/** False for constraints and invalid values, which are errors in the data. */
function isStoreError(error: unknown): boolean {
  const kinds = [StoreBusyError, StoreLostError, SchemaError, ClockError];
  if (kinds.some((kind) => error instanceof kind)) return true;
  const { code = '', errno } = error as { code?: string; errno?: unknown };
  if (/^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(code)) return false;
  // SQLSTATE class 22 is invalid data, 23 a constraint.
  if (code.startsWith('ERR_POSTGRES') && /^2[23]/.test(`${errno}`)) return false;
  return /^(SQLITE_|ERR_POSTGRES)/.test(code) || storeErrorMessage(error) !== null;
}

/** Escapes control characters and line breaks in text from files. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
