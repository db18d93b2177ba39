/** Helpers of connectors: URLs, JSON responses, and files with conditional requests. */
import { asObject } from '../kernel/json.ts';
import {
  type SourceClient,
  SourceError,
  type SourceRequest,
  type SourceResponse,
  type Validators,
} from './client.work.ts';

export function urlOf(base: URL, path: string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(path, base);
  url.search = new URLSearchParams(parameters).toString();
  return url;
}

/** Incomplete JSON or an HTML page is a temporary error. */
export function parseJson({ bytes }: SourceResponse, service: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new SourceError(`${service} sent a response that is not JSON.`, 'later');
  }
}

export interface FetchedFile {
  readonly bytes: Uint8Array;
  readonly validators: Validators;
}

/** Null if the file has not changed. */
export async function fetchFile(
  client: SourceClient,
  request: SourceRequest,
): Promise<FetchedFile | null> {
  const { status, bytes, validators } = await client.send(request);
  if (status === 304) return null;
  const { host } = request.url;
  // The file may be missing for a moment while it is replaced.
  if (status === 404) {
    throw new SourceError(`${host} has no such file (404). Check 'url'.`, 'later');
  }
  if (bytes.length === 0) throw new SourceError(`${host} sent an empty file.`, 'later');
  return { bytes, validators };
}

/** Reads validators from a cursor. */
export function validatorsIn(value: unknown): Validators {
  const { etag, lastModified } = asObject(value) ?? {};
  return { etag: textIn(etag), lastModified: textIn(lastModified) };
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
