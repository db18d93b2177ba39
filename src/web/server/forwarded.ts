/** Where a page request came from: passed from the `serve` process to the page process. */
import type { PageContext } from '../../http/answer-page.ts';

/** What the page process cannot see, as its connection is not the browser's. */
export interface Forwarded extends Omit<PageContext, 'onFault'> {
  /** The Host header of the browser. */
  readonly host: string | null;
}

const header = 'X-Brickmark-Place';

/** Headers of a single connection, not of the request. */
const hopHeaders = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'host',
  'content-length',
];

/** The headers of a request to the page process. */
export function forwardedHeaders(sent: Headers, facts: Forwarded): Headers {
  const headers = new Headers(sent);
  for (const name of hopHeaders) headers.delete(name);
  headers.set(header, encodeURIComponent(JSON.stringify(facts)));
  return headers;
}

/** Reads them. Only our own server can reach the socket, so they are trusted. */
export function readForwarded(headers: Headers): Forwarded {
  return JSON.parse(decodeURIComponent(headers.get(header) ?? ''));
}
