/** What a request is for, from what the HTTP server says its URL is, and where servers are. */

/** Path and query as they were sent, whatever the host is said to be. */
export function targetOf(url: string): string {
  // Without a Host, or with one that is none, Bun hands over the target alone.
  if (url.startsWith('/')) return url;
  const start = url.indexOf('/', 'https://'.length);
  return start < 0 ? '/' : url.slice(start);
}

/** The path of it, without the query. */
export function pathOf(url: string): string {
  const target = targetOf(url);
  const end = target.indexOf('?');
  return end < 0 ? target : target.slice(0, end);
}

/** Whether a request only reads. */
export function isRead({ method }: { readonly method: string }): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The address of a server that listens; an IPv6 address stands in brackets. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * The address of this site by the Host that a browser sent, for a site that was given none; null
 * for what is no host. What another site leads here by a name of its own comes without our
 * cookies, which are tied to the name.
 */
export function hostAddress(host: string | null): string | null {
  if (host === null) return null;
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host)
    ? (URL.parse(`http://${host}`)?.origin ?? null)
    : null;
}
