/** What a request is for, from what the HTTP server says its URL is. */

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
