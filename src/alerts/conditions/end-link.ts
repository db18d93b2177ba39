/** The unsubscribe link in every message, which also supports one-click requests (RFC 8058). */

/** The maximum number of alerts that one link ends; more would exceed the line length of email. */
export const endedMax = 20;

/** Tokens are random, one per alert; the store has only their hashes. */
export function endAlertPath(...tokens: readonly string[]): string {
  return `/alerts/end/${tokens.join('.')}`;
}

/** The inverse of joining tokens in `endAlertPath`. */
export function endTokens(joined: string): readonly string[] {
  return joined.split('.', endedMax);
}

/** Removes tokens from a message text, because anyone who reads them could end the alerts. */
export function hideEndLinks(text: string): string {
  return text.replaceAll(/(\/alerts\/end\/)[\w.-]+/g, '$1…');
}

/** The form field that mail clients and our own page send. */
export const oneClick = { name: 'List-Unsubscribe', value: 'One-Click' } as const;
