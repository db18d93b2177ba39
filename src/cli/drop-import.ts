/** One file out of a drop folder: recognised, imported and filed with what became of it. */

import { rmSync, statSync, writeFileSync } from 'node:fs';
import type { Store } from '../domain/store.ts';
import { detectFormat } from '../ingest/detect.ts';
import type { Format, ImportSettings } from '../ingest/format.ts';
import { formats } from '../ingest/formats.ts';
import type { ImportReport } from '../ingest/report.ts';
import { CommandError, type Context } from './command.ts';
import { type DropFolder, type Dropped, errorEnd, rejectsEnd } from './drop-folder.ts';
import { asCommandError, type ImportWork, readThrough, run } from './import-run.ts';
import { noInput } from './kept-input.ts';
import { rejectFile } from './reject-file.ts';

/** What became of a file. */
export interface Outcome {
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

/**
 * Imports a file. One that cannot be read is filed with the reason; when the store fails, the file
 * stays where the next start takes it up again.
 */
export async function importDropped(
  folder: DropFolder,
  dropped: Dropped,
  place: { readonly context: Context; readonly store: Store },
): Promise<Outcome> {
  const claimed = folder.claim(dropped);
  const at = place.context.config.clock();
  const { name } = dropped;
  let format: string | null = null;
  try {
    const found = await detect(claimed);
    format = found.name;
    const report = await importClaimed(claimed, found, place);
    return { name, filed: folder.file(claimed, 'done', at), format, error: null, report };
  } catch (error) {
    const known = asCommandError(error);
    if (!(known instanceof CommandError)) throw error;
    writeFileSync(claimed.path + errorEnd, `${known.message}\n`);
    const filed = folder.file(claimed, 'failed', at);
    return { name, filed, format, error: known.message, report: null };
  }
}

interface Found {
  readonly name: string;
  readonly format: Format;
  readonly settings: ImportSettings;
}

async function detect({ path, account }: Dropped): Promise<Found> {
  const detected = await detectFormat(path, { isPrivate: account !== null });
  const format = detected && formats[detected.format];
  if (!detected || !format) {
    throw new CommandError(
      "It looks like none of the formats; import it by hand with 'brickmark import FORMAT'.",
    );
  }
  const isPrivate = format.needs.includes('account');
  if (isPrivate && account === null) {
    throw new CommandError(
      `It is a file for '${detected.format}', which belongs to an account: put it into a folder ` +
        'that is named like the e-mail of the account.',
    );
  }
  const settings: ImportSettings = {
    account: isPrivate ? account : null,
    brickfolio: null,
    missingPrice: 'msrp',
    mapping: detected.mapping,
  };
  return { name: detected.format, format, settings };
}

async function importClaimed(
  { path }: Dropped,
  { format, settings }: Found,
  { context, store }: { readonly context: Context; readonly store: Store },
): Promise<ImportReport> {
  const work: ImportWork = { format, settings, paths: [path], context, input: noInput };
  const rejects = rejectFile(path + rejectsEnd);
  try {
    await readThrough(work, store);
    return await run(work, store, rejects);
  } finally {
    rejects.close();
    if (statSync(path + rejectsEnd).size === 0) rmSync(path + rejectsEnd);
  }
}
