/** Validation and comparison of email addresses. */
import { escapeHiddenCharacters, hasHiddenCharacters } from '../../kernel/text.ts';

const lengthMax = 254;

/** Normalizes an address for comparison. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Why an address is not accepted for an account; null if it is. Non-ASCII letters are rejected
 * because of homoglyphs: `ａnn@example.com` would pass for `ann@example.com`. Mail servers need not
 * support such addresses either.
 */
export function emailProblem(email: string): string | null {
  if (email.length > lengthMax) return `The email is longer than ${lengthMax} characters.`;
  if (hasHiddenCharacters(email)) return 'The email contains invisible characters. Type it again.';
  if (!isPlain(email)) {
    return (
      'Use only the letters a to z in the email, such as ann@example.com. Write an ' +
      'international domain in its xn-- form.'
    );
  }
  return /^[^\s@"'<>]+@[^\s@"'<>]+\.[^\s@"'<>.]+$/.test(email)
    ? null
    : `'${email}' is not an email address. Enter one like ann@example.com.`;
}

/** Whether it is printable ASCII. */
export function isPlain(email: string): boolean {
  return /^[\x20-\x7e]*$/.test(email);
}

/** For messages after `there is`; mentions non-ASCII letters, which may be homoglyphs. */
export function noAccount(email: string): string {
  const shown = `no account '${escapeHiddenCharacters(email)}'`;
  return isPlain(email) ? shown : `${shown}, which contains letters other than a to z`;
}
