/** The origin of a page request, passed from the `serve` process to the page process. */
import type { PageContext } from '../../http/answer-page.ts';

/** Facts that the page process cannot see, because its connection is not the browser's. */
export interface Forwarded extends Omit<PageContext, 'onFault'> {
  /** The Host header of the browser. */
  readonly host: string | null;
}

const header = 'X-Brickmark-Place';

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

/** Trusted without a check, because only the `serve` process can reach the socket. */
export function readForwarded(headers: Headers): Forwarded {
  return JSON.parse(decodeURIComponent(headers.get(header) ?? ''));
}
