/** Whether something that changes things was sent from our own pages. */

/** The address of this site as browsers name it. */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
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
