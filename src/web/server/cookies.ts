/** Cookies: the session, the form token of visitors, drafts of forms, and known browsers. */

/** With https, the prefix `__Host-` prevents other hosts of the domain from setting them. */
export interface CookieNames {
  readonly session: string;
  readonly form: string;
  readonly draft: string;
  /** Identifies a browser that signed in before. */
  readonly device: string;
  /** A sign-in that waits for a code. */
  readonly step: string;
  /** A visit to the identity provider. */
  readonly visit: string;
  /** The page with a secret address to open after signing in. */
  readonly next: string;
  readonly isSecure: boolean;
}

export function cookieNames(isSecure: boolean): CookieNames {
  const prefix = isSecure ? '__Host-' : '';
  return {
    session: `${prefix}brickmark`,
    form: `${prefix}brickmark_form`,
    draft: `${prefix}brickmark_draft`,
    device: `${prefix}brickmark_device`,
    step: `${prefix}brickmark_step`,
    visit: `${prefix}brickmark_visit`,
    next: `${prefix}brickmark_next`,
    isSecure,
  };
}

const tokenLengthMax = 100;

/** The value of a cookie; null if it was not sent or cannot be one of ours. */
export function readCookie(
  header: string | null,
  name: string,
  lengthMax = tokenLengthMax,
): string | null {
  for (const pair of header?.split(';') ?? []) {
    const [key = '', value = ''] = pair.trim().split('=', 2);
    if (key === name && value.length <= lengthMax && /^[\w-]{20,}$/.test(value)) return value;
  }
  return null;
}

/** The header that sets a cookie; a value of null deletes it. */
export function setCookie(
  name: string,
  value: string | null,
  { isSecure, seconds }: { readonly isSecure: boolean; readonly seconds: number | null },
): string {
  const parts = [`${name}=${value ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (isSecure) parts.push('Secure');
  if (value === null) parts.push('Max-Age=0');
  else if (seconds !== null) parts.push(`Max-Age=${seconds}`);
  return parts.join('; ');
}
