/** Files that a source has as a whole, fetched only when they have changed. */
import { asObject, type JsonValue } from '../domain/kernel/json.ts';
import { type SourceClient, SourceError, type SourceRequest, type Validators } from './client.ts';

/** A file that was fetched. */
export interface FetchedFile {
  readonly bytes: Uint8Array;
  readonly validators: Validators;
}

/** The file; null when it is still the one that `unlessSame` names. */
export async function fetchFile(
  client: SourceClient,
  request: SourceRequest,
): Promise<FetchedFile | null> {
  const { status, bytes, validators } = await client.send(request);
  if (status === 304) return null;
  const { host } = request.url;
  // It may be missing only for a moment, while a new one is put in its place.
  if (status === 404) {
    throw new SourceError(`${host} has no such file (404). Check 'url'.`, 'later');
  }
  if (bytes.length === 0) throw new SourceError(`${host} sent an empty file.`, 'later');
  return { bytes, validators };
}

/** Validators as they are kept in a bookmark. */
export function validatorsIn(value: unknown): Validators {
  const { etag, lastModified } = asObject(value) ?? {};
  return { etag: textIn(etag), lastModified: textIn(lastModified) };
}

/** The same to be kept. */
export function keptValidators({ etag, lastModified }: Validators): JsonValue {
  return { etag, lastModified };
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
