/** The import log of operators: an entry is written when an import starts and when it ends. */
import { basename } from 'node:path';
import type { ImportEntry, LoggedReject } from '../../ingest/runner/journal.ts';
import { type ImportReport, nothingImported } from '../../ingest/runner/report.ts';
import { countText, nounText } from '../../kernel/format.ts';
import type { Store } from '../../store/store.ts';
import { CommandError } from '../command.ts';
import type { RejectFile } from './import-files.ts';
import { asCommandError, type ImportWork } from './import-run.ts';

/** More rejects or warnings are not logged; the reject file has all rejects. */
const rejectsLogged = 20;

const filesNamed = 20;

const emptyReport: ImportReport = {
  read: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  rejects: [],
  warned: 0,
  warnedPrivately: 0,
  warnings: [],
};

export interface LoggedWork extends ImportWork {
  /** Of the format. */
  readonly name: string;
  readonly rejects: RejectFile;
  /** Logged instead of the names of the files. */
  readonly filesAs?: readonly string[];
  /** Up to this many rows, rejecting all of them is not an error; default 0. */
  readonly rejectsAllowed?: number;
}

/** The error of an entry until the import ends; it stays if the process is killed. */
const unfinished = 'Still running, or interrupted; these rows are written.';

interface LoggedReport {
  readonly report: ImportReport;
  readonly importId: number | null;
}

/**
 * Runs an import and logs its result. The entry is created first: replaced rows are stored under
 * its ID, for undo. The serving role cannot write the log, so its imports of collections are not
 * logged.
 */
export async function runLogged(
  work: LoggedWork,
  store: Store,
  run: (rejects: RejectFile, importId: number | null) => Promise<ImportReport>,
): Promise<LoggedReport> {
  const { clock } = work.context.config;
  const startedAt = clock();
  const loggedRejects: LoggedReject[] = [];
  const entry = (ended: Pick<ImportEntry, 'error' | 'rejects'>, report: ImportReport) => {
    return { startedAt, endedAt: clock(), ...entryOf(work, report), ...ended };
  };
  const isLogged = await store.mayPublish();
  const importId = isLogged
    ? await store.market.logImport(entry({ error: unfinished, rejects: [] }, emptyReport))
    : null;
  const end = async (ended: ImportEntry) => {
    if (importId !== null) await store.market.updateImport(importId, ended);
  };
  try {
    const report = await run(withLog(loggedRejects, work), importId);
    await end(entry({ error: problemOf(report, work), rejects: loggedRejects }, report));
    return { report, importId };
  } catch (error) {
    const known = asCommandError(error);
    if (known instanceof CommandError) {
      const message = isPrivate(work) ? 'The file could not be imported.' : known.message;
      await end(entry({ error: message, rejects: [] }, emptyReport));
    } else if (importId !== null) await sayWritten(work, store, importId);
    throw error;
  }
}

/** Of an import that the store ended, such as a full disk; its entry counts with each batch. */
async function sayWritten({ context }: LoggedWork, { market }: Store, importId: number) {
  const found = await market.findImport(importId).catch(() => null);
  if (!found) return;
  const { added, updated } = found;
  context.say(
    `Written until then: ${nounText(added, 'row')} added, ${countText(updated)} updated. To add ` +
      'the rest, import again: what is written stays as it is.',
  );
}

/** Without reasons of rows, which may contain private data. */
function problemOf(
  report: ImportReport,
  { rejectsAllowed = 0 }: Pick<LoggedWork, 'rejectsAllowed'>,
): string | null {
  if (nothingImported(report) === null) return null;
  if (report.read > 0 && report.read <= rejectsAllowed) return null;
  return report.read === 0 ? 'No rows found.' : 'Every row was rejected.';
}

/** Also logs the first rejects, except private ones. */
function withLog(loggedRejects: LoggedReject[], work: LoggedWork): RejectFile {
  const { rejects } = work;
  return {
    add: (reject) => {
      rejects.add(reject);
      if (isPrivate(work) || reject.isPrivate || loggedRejects.length >= rejectsLogged) return;
      loggedRejects.push({ where: basename(reject.where), reason: reject.reason });
    },
    close: () => rejects.close(),
  };
}

function isPrivate({ format }: ImportWork): boolean {
  return format.settings?.account === 'required';
}

function entryOf(
  { name, paths, filesAs }: LoggedWork,
  report: ImportReport,
): Omit<ImportEntry, 'startedAt' | 'endedAt' | 'error' | 'rejects'> {
  const { added, updated, unchanged, rejected, gone = null, waiting } = report;
  const warnings = report.warnings
    .filter((warning) => !warning.isPrivate)
    .slice(0, rejectsLogged)
    .map(({ where, reason }) => ({ where: basename(where), reason }));
  const files = (filesAs ?? paths.map(nameOfFile)).slice(0, filesNamed);
  const counts = { added, updated, unchanged, rejected, gone, ...(waiting && { waiting }) };
  const warned = report.warned - report.warnedPrivately;
  return { format: name, files, ...counts, warned, warnings };
}

function nameOfFile(path: string): string {
  return path === '-' ? 'standard input' : basename(path);
}
