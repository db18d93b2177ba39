/** Protects forms against cross-site request forgery. */

export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

/** Whether a request comes from our own pages, according to the browser. */
export function isOwnOrigin(headers: Headers, origin: string): boolean {
  const sent = headers.get('Origin');
  if (sent !== null && sent !== 'null') return sent === origin;
  return headers.get('Sec-Fetch-Site') === 'same-origin';
}

/**
 * Whether the browser does not say where a form comes from: pages that send no referrer have the
 * origin `null`, and over http there is no Sec-Fetch-Site.
 */
export function isOriginHidden(headers: Headers): boolean {
  return headers.get('Origin') === 'null' && !headers.has('Sec-Fetch-Site');
}

/** The token of forms, derived from a cookie that other sites cannot read. */
export function formTokenOf(cookie: string): string {
  return new Bun.CryptoHasher('sha256', cookie).update('form').digest('hex');
}

/** Compares in constant time. */
export function isSameToken(a: string, b: string): boolean {
  if (a.length !== b.length || a.length === 0) return false;
  return crypto.timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
