/** Imports one file of a drop folder and moves it by the result. */

import { detectFormat } from '../../ingest/runner/detect.work.ts';
import type { Format, ImportSettings } from '../../ingest/runner/format.work.ts';
import { formats } from '../../ingest/runner/formats.work.ts';
import { type ImportReport, nothingImported } from '../../ingest/runner/report.ts';
import { dayMs } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import { CommandError, type Context } from '../command.ts';
import { type DropFolder, type DroppedFile, type FiledUnder, findStray } from './drop-folder.ts';
import { noInput, type RejectFile, rejectFile } from './import-files.ts';
import { type LoggedWork, runLogged } from './import-log.ts';
import { checkFiles, importDefaults, printable, reasonOf, runImport } from './import-run.ts';

export interface DropResult {
  readonly name: string;
  /** Its new path, relative to the drop folder. */
  readonly filed: string;
  /** Null if it was not detected. */
  readonly format: string | null;
  readonly error: string | null;
  readonly report: ImportReport | null;
}

interface ImportTarget {
  readonly context: Context;
  readonly store: Store;
}

/**
 * Imports a file; null if it no longer exists. A file that cannot be imported is moved to `failed/`
 * with the reason. If the store fails, the file stays in `working/` for the next start.
 */
export async function importDropped(
  folder: DropFolder,
  dropped: DroppedFile,
  target: ImportTarget,
): Promise<DropResult | null> {
  const { name } = dropped;
  const now = target.context.config.clock();
  const at = dropped.since ?? now;
  const claimed = claim(folder, dropped);
  if (claimed === null) return null;
  if ('error' in claimed) {
    return { name, filed: name, format: null, error: claimed.error, report: null };
  }
  const rejects = rejectFile(folder.rejectsPath);
  const done = await importClaimed(claimed, target, rejects).finally(rejects.close);
  const under = filedUnder(done, now - at);
  // A waiting file has not failed yet.
  const error = under === 'waiting' ? null : done.error;
  const { format, report } = done;
  // A waiting file keeps the time of its first import until it is done.
  const filed = folder.file(claimed, { at: under === 'done' ? now : at, under, error });
  return { name, filed, format, error, report };
}

/** How long a file is retried while an item or exchange rate is missing. */
const waitingMsMax = 30 * dayMs;

function filedUnder(
  { error, report }: Pick<DropResult, 'error' | 'report'>,
  waitedMs: number,
): FiledUnder {
  if (report?.missing !== undefined && waitedMs <= waitingMsMax) return 'waiting';
  return error === null ? 'done' : 'failed';
}

/** The claimed file, or the error; null if the file no longer exists. */
function claim(
  folder: DropFolder,
  dropped: DroppedFile,
): DroppedFile | { readonly error: string } | null {
  try {
    return folder.claim(dropped);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENOENT') return null;
    if (code === 'ENOSPC') throw error;
    folder.ignoreUntilChanged(dropped);
    return { error: `Cannot move it to working/ (${code}). Check the permissions.` };
  }
}

/** Throws only if the store fails. */
async function importClaimed(
  claimed: DroppedFile,
  target: ImportTarget,
  rejects: RejectFile,
): Promise<Pick<DropResult, 'format' | 'error' | 'report'>> {
  let format: string | null = null;
  try {
    const found = await detect(claimed);
    format = found.name;
    const { context, store } = target;
    const work = { ...found, paths: [claimed.path], context, input: noInput, rejects };
    const report = await importWhole(work, store);
    return { format, error: nothingImported(report), report };
  } catch (error) {
    return { format, error: printable(reasonOf(error)), report: null };
  }
}

/** Reads the file to its end first, as it may be truncated. */
async function importWhole(work: LoggedWork, store: Store): Promise<ImportReport> {
  const { report } = await runLogged(work, store, async (rejects, importId) => {
    await checkFiles(work, store);
    return runImport(work, store, { rejects, importId });
  });
  return report;
}

interface DetectedFile {
  readonly name: string;
  readonly format: Format;
  readonly settings: ImportSettings;
}

async function detect({ path, account }: DroppedFile): Promise<DetectedFile> {
  const stray = findStray(path);
  if (stray !== null) {
    throw new CommandError(`'${stray}' is neither a file nor a folder. Put the file itself there.`);
  }
  const detected = await detectFormat(path, { isPrivate: account !== null });
  if (!detected) {
    throw new CommandError(
      "Unknown format. Import it by hand with 'brickmark import FORMAT PATH'.",
    );
  }
  const format = formats[detected.format];
  const isPrivate = format.settings?.account === 'required';
  if (isPrivate && account === null) {
    throw new CommandError(
      `A '${detected.format}' file belongs to an account. Put it into a folder named after the ` +
        "account's email.",
    );
  }
  // Market data in the folder of an account would change values for all accounts.
  if (!isPrivate && account !== null) {
    throw new CommandError(
      `A '${detected.format}' file belongs to no account. Put it into the drop folder itself.`,
    );
  }
  const settings = { ...importDefaults, account, mapping: detected.mapping };
  return { name: detected.format, format, settings };
}
