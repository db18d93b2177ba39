/**
 * Imports that nobody watches: files are read to their end before anything is written, the result
 * is logged, and what is wrong with a file is told apart from what is wrong with the store.
 */
import { type Store, StoreBusyError, StoreLostError } from '../domain/store.ts';
import type { ImportReport } from '../ingest/report.ts';
import { ClockError } from '../store/sql/clock.ts';
import { SchemaError } from '../store/sql/schema-version.ts';
import { CommandError } from './command.ts';
import { type LoggedWork, runLogged } from './import-log.ts';
import { asCommandError, checkFiles, runImport } from './import-run.ts';
import { storeErrorMessage } from './store-error.ts';

/** Reads files to their end, whatever the format, for they may be cut; then imports them. */
export async function importWhole(work: LoggedWork, store: Store): Promise<ImportReport> {
  const { report } = await runLogged(work, store, async (rejects, importId) => {
    await checkFiles(work, store);
    return runImport(work, store, { rejects, importId });
  });
  return report;
}

/** Why a file could not be imported; throws when that is not for the file. */
export function reasonOf(error: unknown): string {
  const known = asCommandError(error);
  if (known instanceof CommandError) return known.message;
  if (isStoreError(error)) throw error;
  const { message } = error as { message?: string };
  return `Unexpected error; the import may be partly written: ${message}.`;
}

/** Whether the store is to blame, and not a value that it does not take. */
function isStoreError(error: unknown): boolean {
  const kinds = [StoreBusyError, StoreLostError, SchemaError, ClockError];
  if (kinds.some((kind) => error instanceof kind)) return true;
  const { code = '', errno } = error as { code?: string; errno?: unknown };
  if (/^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)/.test(code)) return false;
  // Data that a column does not take, and constraints.
  if (code.startsWith('ERR_POSTGRES') && /^2[23]/.test(`${errno}`)) return false;
  return /^(SQLITE_|ERR_POSTGRES)/.test(code) || storeErrorMessage(error) !== null;
}

/** Text from outside, with what would steer a terminal or begin a line escaped. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
