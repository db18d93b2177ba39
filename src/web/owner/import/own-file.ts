/** Files that owners send, as imports read them. */
import type { OwnImport } from '../../../ingest/own-import.ts';
import { SourceFileError } from '../../../ingest/readers/source-file.ts';
import type { WebDeps } from '../../deps.ts';
import type { OwnRequest } from '../../page.ts';
import { type Uploaded, withFile } from './uploaded.ts';

/** How long a file may take to be read. */
const readingMsMax = 60_000;

/** What is done with a file. */
type FileWork = Pick<OwnImport, 'settings' | 'answers' | 'isRehearsal'> & {
  readonly file: Uploaded;
};

/**
 * Lets something read a file that an owner sent; or says why it cannot be read. What is read names
 * its place with a folder of ours, which `bare` takes away.
 */
export function withOwnFile<T extends object>(
  { accounts, market, clock }: WebDeps,
  { who, signal: whileAsked }: OwnRequest,
  { file, ...how }: FileWork,
  use: (work: OwnImport, bare: (text: string) => string) => Promise<T>,
): Promise<T | { readonly fault: string }> {
  const store = { accounts, market };
  const signal = AbortSignal.any([whileAsked, AbortSignal.timeout(readingMsMax)]);
  return withFile(file, async (path, folder) => {
    const bare = (text: string) => text.replaceAll(folder, '');
    try {
      return await use({ path, email: who.email, store, clock, signal, ...how }, bare);
    } catch (error) {
      if (error instanceof SourceFileError) return { fault: bare(error.message) };
      throw error;
    }
  });
}
