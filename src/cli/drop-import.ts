/** One file out of a drop folder: recognised, imported and filed with its result. */

import { dayMs } from '../domain/kernel/time.ts';
import type { Store } from '../domain/store.ts';
import { detectFormat } from '../ingest/detect.ts';
import type { Format, ImportSettings } from '../ingest/format.ts';
import { formats } from '../ingest/formats.ts';
import { type ImportReport, nothingImported } from '../ingest/report.ts';
import { CommandError, type Context } from './command.ts';
import { type DropFolder, type DroppedFile, type FiledUnder, findStray } from './drop-folder.ts';
import { importWhole, printable, reasonOf } from './import-whole.ts';
import { noInput } from './input.ts';
import { type RejectFile, rejectFile } from './reject-file.ts';

/** The result for a file. */
export interface DropResult {
  /** As it was dropped. */
  readonly name: string;
  /** Where it is now, below the drop folder. */
  readonly filed: string;
  /** Null when it looked like none of them. */
  readonly format: string | null;
  /** Why nothing was imported; null when it was. */
  readonly error: string | null;
  readonly report: ImportReport | null;
}

/** Where files go. */
interface ImportTarget {
  readonly context: Context;
  readonly store: Store;
}

/**
 * Imports a file; null when somebody took it away. One that cannot be imported is filed with the
 * reason, whatever that is; when the store fails, the file stays where the next start takes it up
 * again.
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
  // What waits has not failed yet.
  const error = under === 'waiting' ? null : done.error;
  const { format, report } = done;
  // What waited is filed as of the instant at which it is done.
  const filed = folder.file(claimed, { at: under === 'done' ? now : at, under, error });
  return { name, filed, format, error, report };
}

/** How long a file is tried again while an item or a rate is missing. */
const waitingMsMax = 30 * dayMs;

function filedUnder(
  { error, report }: Pick<DropResult, 'error' | 'report'>,
  waitedMs: number,
): FiledUnder {
  if (report?.missing !== undefined && waitedMs <= waitingMsMax) return 'waiting';
  return error === null ? 'done' : 'failed';
}

/** What was claimed, or why it cannot be; null when it is gone. */
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

/** Imports what was claimed. Throws only when the store fails. */
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
  // Its rows could be anybody's.
  if (!isPrivate && account !== null) {
    throw new CommandError(
      `A '${detected.format}' file belongs to no account. Put it into the drop folder itself.`,
    );
  }
  const settings: ImportSettings = {
    account,
    brickfolio: null,
    missingPrice: 'msrp',
    missingDate: 'unknown',
    mapping: detected.mapping,
    isForced: false,
  };
  return { name: detected.format, format, settings };
}
