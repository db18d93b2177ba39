/** Whether something that changes things was sent from our own pages. */

/** The address of this site as browsers name it. */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

/**
 * The address of this site as a browser asked for it, for a site that was told none. What another
 * site leads here by a name of its own comes without our cookies, which are tied to the name.
 */
export function askedUrl(host: string | null): string | null {
  if (host === null) return null;
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host)
    ? (URL.parse(`http://${host}`)?.origin ?? null)
    : null;
}

/**
 * True when the browser says that the request comes from our own pages. One that says nothing at
 * all is not believed.
 */
export function isOwnOrigin(headers: Headers, origin: string): boolean {
  const sent = headers.get('Origin');
  if (sent !== null && sent !== 'null') return sent === origin;
  return headers.get('Sec-Fetch-Site') === 'same-origin';
}

/** The token that forms carry: it follows from the cookie, which other sites cannot read. */
export function formTokenOf(cookie: string): string {
  return new Bun.CryptoHasher('sha256', cookie).update('form').digest('hex');
}

/** Compares without telling by the time it takes where the two differ. */
export function isSameToken(a: string, b: string): boolean {
  if (a.length !== b.length || a.length === 0) return false;
  return crypto.timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
