/** Where a request for a page came from, as the API's process tells the one that makes pages. */
import type { PageContext } from '../../http/answer-page.ts';

/** What pages cannot see for themselves: the connection is not the browser's. */
export interface Forwarded extends Omit<PageContext, 'onFault'> {
  /** The name that the browser asked for. */
  readonly host: string | null;
}

const header = 'X-Brickmark-Place';

/** Headers that are about one connection, and not about the request. */
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

/** The headers of a request on its way to the process that makes pages. */
export function forwardedHeaders(sent: Headers, facts: Forwarded): Headers {
  const headers = new Headers(sent);
  for (const name of hopHeaders) headers.delete(name);
  headers.set(header, encodeURIComponent(JSON.stringify(facts)));
  return headers;
}

/** The facts again. Only our own server reaches the socket, so it is believed. */
export function readForwarded(headers: Headers): Forwarded {
  return JSON.parse(decodeURIComponent(headers.get(header) ?? ''));
}
