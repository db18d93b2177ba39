/** Runs imports on uploaded files. */
import type { OwnImport } from '../../../ingest/runner/own-import.work.ts';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { type Uploaded, withFile } from './uploaded.ts';

type FileWork = Pick<
  OwnImport,
  'settings' | 'answers' | 'corrections' | 'prices' | 'names' | 'isRehearsal'
> & {
  readonly file: Uploaded;
};

/**
 * Calls `use` with an import of the file; or returns why the file cannot be read. Locations in the
 * file begin with our temporary folder, which `bare` removes.
 */
export function withOwnFile<T extends object>(
  deps: WebDeps,
  request: OwnRequest,
  { file, ...how }: FileWork,
  use: (work: OwnImport, bare: (text: string) => string) => Promise<T>,
): Promise<T | { readonly fault: string }> {
  const { accounts, market, clock } = deps;
  const store = { accounts, market };
  return withFile(deps, file, request, ({ path, signal, bare }) =>
    use({ path, owner: request.who, store, clock, signal, ...how }, bare),
  );
}
