/**
 * The cookie of a device that keeps data or unsent entries: the account that is signed in, or the
 * one that signed out. Scripts read and write it, too.
 */

const name = 'brickmark_keeps';
const seconds = 400 * 24 * 60 * 60;

/** Whether pages need the script of the device. */
export function readKeeps(cookies: string | null): boolean {
  return new RegExp(`(?:^|;\\s*)${name}=`).test(cookies ?? '');
}

/** Without a network, only the data of this account is shown. */
export function signedInCookie(accountId: number): string {
  return `${name}=${accountId}; Path=/; SameSite=Lax; Max-Age=${seconds}`;
}

/** The script on the next page deletes everything of this account. */
export function signedOutCookie(accountId: number): string {
  return `${name}=out-${accountId}; Path=/; SameSite=Lax; Max-Age=${seconds}`;
}
