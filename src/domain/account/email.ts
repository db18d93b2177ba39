/** E-mail addresses: which can be used, and when two of them are one. */
import { escapeHiddenCharacters, hasHiddenCharacters } from '../kernel/text.ts';

const lengthMax = 254;

/** The form in which an e-mail address is compared. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Why an e-mail address cannot have an account, or null when it can. Outside ASCII many letters
 * look like others, or are another way to write them: an account of `ａnn@example.com` would pass
 * for that of `ann@example.com`. Mail servers need not take such addresses either.
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

/** Whether it has only letters that cannot be taken for others. */
export function isPlain(email: string): boolean {
  return /^[\x20-\x7e]*$/.test(email);
}

/** What there is none of, after `there is`: it says so when the address only looks right. */
export function noAccount(email: string): string {
  const shown = `no account '${escapeHiddenCharacters(email)}'`;
  return isPlain(email) ? shown : `${shown}, which contains letters other than a to z`;
}
