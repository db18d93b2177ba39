/** Writes imports down for the operator's pages, however they end. */
import { basename } from 'node:path';
import type { ImportEntry, LoggedReject } from '../domain/market/journal.ts';
import type { Store } from '../domain/store.ts';
import type { ImportReport } from '../ingest/report.ts';
import { CommandError } from './command.ts';
import { asCommandError, type ImportWork } from './import-run.ts';
import type { RejectFile } from './reject-file.ts';

/** Rejects that are kept; the reject file has all of them. */
const rejectsKept = 20;

/** Files that are named; more are counted by the report. */
const filesNamed = 20;

const nothing: ImportReport = {
  read: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  rejects: [],
};

/** An import that is written down, and where its rejects go besides. */
type LoggedWork = ImportWork & { readonly name: string; readonly rejects: RejectFile };

/**
 * Runs an import and writes down what became of it. A role that only serves may not write there:
 * the collections that it brings in are nobody else's business anyway.
 */
export async function logged(
  work: LoggedWork,
  store: Store,
  run: (rejects: RejectFile) => Promise<ImportReport>,
): Promise<ImportReport> {
  const { clock } = work.context.config;
  const startedAt = clock();
  const kept: LoggedReject[] = [];
  const log = async (entry: Pick<ImportEntry, 'error' | 'rejects'>, report: ImportReport) => {
    if (!(await store.mayPublish())) return;
    const about = entryOf(work, report);
    await store.market.logImport({ startedAt, endedAt: clock(), ...about, ...entry });
  };
  try {
    const report = await run(alsoKeeping(kept, work));
    await log({ error: null, rejects: kept }, report);
    return report;
  } catch (error) {
    const known = asCommandError(error);
    if (known instanceof CommandError) {
      const words = isOwned(work) ? 'The file could not be imported.' : known.message;
      await log({ error: words, rejects: [] }, nothing);
    }
    throw error;
  }
}

/** Keeps the first rejects, without rows of accounts: those are for their owners. */
function alsoKeeping(kept: LoggedReject[], work: LoggedWork): RejectFile {
  const { rejects } = work;
  return {
    add: (reject) => {
      rejects.add(reject);
      if (isOwned(work) || reject.isPrivate || kept.length >= rejectsKept) return;
      kept.push({ where: basename(reject.where), reason: reject.reason });
    },
    close: () => rejects.close(),
  };
}

/** Whether all of the file belongs to an account. */
function isOwned({ format }: ImportWork): boolean {
  return format.requires.includes('account');
}

function entryOf(
  { name, paths }: LoggedWork,
  report: ImportReport,
): Omit<ImportEntry, 'startedAt' | 'endedAt' | 'error' | 'rejects'> {
  const { added, updated, unchanged, rejected, gone = null } = report;
  const files = paths.slice(0, filesNamed).map((path) => {
    return path === '-' ? 'standard input' : basename(path);
  });
  return { format: name, files, added, updated, unchanged, rejected, gone };
}
