/** The link in every message that ends its alert, also by one click (RFC 8058). */

/** Alerts that one link ends: with more of them it would be too long for a line of an e-mail. */
export const endedMax = 20;

/** Where the link leads. Tokens are random, one for each alert; the store keeps their hashes. */
export function endAlertPath(...tokens: readonly string[]): string {
  return `/alerts/end/${tokens.join('.')}`;
}

/** The tokens of a link. */
export function endTokens(joined: string): readonly string[] {
  return joined.split('.', endedMax);
}

/** The text of a message without the tokens of its links: whoever reads it could end alerts. */
export function hideEndLinks(text: string): string {
  return text.replaceAll(/(\/alerts\/end\/)[\w.-]+/g, '$1…');
}

/** The field that mail programs send there, and our own page as well. */
export const oneClick = { name: 'List-Unsubscribe', value: 'One-Click' } as const;
