/** Targets of requests, and URLs of servers. */

/** Path and query as sent, whatever the Host is. */
export function targetOf(url: string): string {
  // Without a valid Host, Bun passes only the target.
  if (url.startsWith('/')) return url;
  const start = url.indexOf('/', 'https://'.length);
  return start < 0 ? '/' : url.slice(start);
}

/** Without the query. */
export function pathOf(url: string): string {
  const target = targetOf(url);
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

export function isRead({ method }: { readonly method: string }): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The URL of a server; an IPv6 address is in brackets. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * The URL of this site by the Host header, if none is configured; null if it is not a valid host.
 * Another site's name for this address comes without our cookies, which belong to our name.
 */
export function hostAddress(host: string | null): string | null {
  if (host === null) return null;
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host)
    ? (URL.parse(`http://${host}`)?.origin ?? null)
    : null;
}
