/** Where a request for a page came from, as the API's process tells the one that makes pages. */

/** What pages cannot see for themselves: the connection is not the browser's. */
export interface PagePlace {
  /** Where the server listens, without a slash at the end. */
  readonly url: string;
  /** The name that the browser asked for. */
  readonly host: string | null;
  /** The network that the request comes from. */
  readonly network: string;
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
export function headersWithPlace(sent: Headers, place: PagePlace): Headers {
  const headers = new Headers(sent);
  for (const name of hopHeaders) headers.delete(name);
  headers.set(header, encodeURIComponent(JSON.stringify(place)));
  return headers;
}

/** The place again. Only our own server reaches the socket, so it is believed. */
export function placeOf(headers: Headers): PagePlace {
  return JSON.parse(decodeURIComponent(headers.get(header) ?? ''));
}
