/** How simulated sources answer with a file: whole, or with 304 to whoever has it already. */

/** A file as a source has it. */
export interface StoredFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** When it was written. */
  readonly at: number;
}

/** The answer to a GET; 404 without a file. */
export function answerFile(request: Request, file: StoredFile | null): Response {
  if (request.method !== 'GET') return new Response('GET only', { status: 405 });
  if (file === null) return new Response('Not found', { status: 404 });
  const etag = `"${Bun.hash(file.bytes).toString(16)}"`;
  const headers = {
    'Content-Type': file.type,
    ETag: etag,
    'Last-Modified': new Date(file.at).toUTCString(),
  };
  return isSame(request, etag, file.at)
    ? new Response(null, { status: 304, headers })
    : new Response(file.bytes, { headers });
}

/** By its tag if the caller has one; dates have whole seconds. */
function isSame({ headers }: Request, etag: string, at: number): boolean {
  const tag = headers.get('If-None-Match');
  if (tag !== null) return tag === etag;
  const since = Date.parse(headers.get('If-Modified-Since') ?? '');
  return Math.floor(at / 1000) * 1000 <= since;
}
