/** Logs imports for operators, from when they begin and however they end. */
import { basename } from 'node:path';
import type { ImportEntry, LoggedReject } from '../domain/market/journal.ts';
import type { Store } from '../domain/store.ts';
import { type ImportReport, nothingImported } from '../ingest/report.ts';
import { CommandError } from './command.ts';
import { asCommandError, type ImportWork } from './import-run.ts';
import type { RejectFile } from './reject-file.ts';

/** Rejects, and warnings, that are logged; the reject file has all rejects. */
const rejectsLogged = 20;

/** Files that are named; more are counted by the report. */
const filesNamed = 20;

const emptyReport: ImportReport = {
  read: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  rejects: [],
  warned: 0,
  warnings: [],
};

/** An import that is logged, and where its rejects go besides. */
export interface LoggedWork extends ImportWork {
  /** The name of the format. */
  readonly name: string;
  readonly rejects: RejectFile;
  /** What the log says instead of the names of the files; left out: those are said. */
  readonly filesAs?: readonly string[];
  /** So few rows may all be rejected without anything being wrong; left out: none may. */
  readonly rejectsAllowed?: number;
}

/** What is written down as long as an import has not ended: it may be killed. */
const unfinished = 'Still running, or interrupted.';

/** What became of an import, and the id under which it is logged; null: it is not. */
export interface LoggedReport {
  readonly report: ImportReport;
  readonly importId: number | null;
}

/**
 * Runs an import and logs its result. What it replaces is kept under its id, so that it is logged
 * before it begins. A role that only serves may not write there: the collections that it brings in
 * are nobody else's business anyway.
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
    }
    throw error;
  }
}

/** What is wrong with an import as a whole. Reasons may tell of accounts: they are left out. */
function problemOf(
  report: ImportReport,
  { rejectsAllowed = 0 }: Pick<LoggedWork, 'rejectsAllowed'>,
): string | null {
  if (nothingImported(report) === null) return null;
  if (report.read > 0 && report.read <= rejectsAllowed) return null;
  return report.read === 0 ? 'No rows found.' : 'Every row was rejected.';
}

/** Logs the first rejects, without rows of accounts: those are for their owners. */
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

/** Whether all of the file belongs to an account. */
function isPrivate({ format }: ImportWork): boolean {
  return format.settings?.account === 'required';
}

function entryOf(
  { name, paths, filesAs }: LoggedWork,
  report: ImportReport,
): Omit<ImportEntry, 'startedAt' | 'endedAt' | 'error' | 'rejects'> {
  const { added, updated, unchanged, rejected, gone = null, warned } = report;
  const warnings = report.warnings
    .slice(0, rejectsLogged)
    .map(({ where, reason }) => ({ where: basename(where), reason }));
  const files = (filesAs ?? paths.map(nameOfFile)).slice(0, filesNamed);
  return { format: name, files, added, updated, unchanged, rejected, gone, warned, warnings };
}

function nameOfFile(path: string): string {
  return path === '-' ? 'standard input' : basename(path);
}
