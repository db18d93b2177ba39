/** The link in every message that ends its alert, also by one click (RFC 8058). */

/** Where the link leads. The token is random; the store keeps its hash alone. */
export function endAlertPath(token: string): string {
  return `/alerts/end/${token}`;
}

/** The field that mail programs send there, and our own page as well. */
export const oneClick = { name: 'List-Unsubscribe', value: 'One-Click' } as const;
