/** Serves files with conditional requests. */

export interface StoredFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Last modified. */
  readonly at: number;
}

/** 404 without a file. */
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

/** By ETag if given, or else by date in whole seconds. */
function isSame({ headers }: Request, etag: string, at: number): boolean {
  const tag = headers.get('If-None-Match');
  if (tag !== null) return tag === etag;
  const since = Date.parse(headers.get('If-Modified-Since') ?? '');
  return Math.floor(at / 1000) * 1000 <= since;
}
