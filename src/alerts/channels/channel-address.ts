/** Addresses of channels: validation, and masking of stored ones. */
import { isIP } from 'node:net';
import { countText } from '../../kernel/format.ts';
import { type AddressedKind, deliveryTable } from './delivery-channel-kinds.ts';
import { type AllowedNetworks, isAllowed, isOutside } from './outside-address.ts';

export const addressLengthMax = 2_000;

/**
 * The error in a typed address; null if it is acceptable. The host is resolved and checked
 * for every message that is sent.
 */
export function addressProblem(
  kind: AddressedKind,
  text: string,
  allowed: AllowedNetworks,
): string | null {
  const { example, path } = deliveryTable[kind].address;
  const like = `Enter an address such as ${example}.`;
  if (text.length > addressLengthMax)
    return `Use at most ${countText(addressLengthMax)} characters.`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.hostname === '') return like;
  return hostProblem(url, allowed) ?? (path.test(url.pathname) ? null : like);
}

/** Plain HTTP is only accepted for networks that the operator allows. */
function hostProblem(url: URL, allowed: AllowedNetworks): string | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isNumber = isIP(host) !== 0;
  const mayBeAllowed = isNumber ? isAllowed(host, allowed) : allowed.length > 0;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBeAllowed)) {
    return 'The address must begin with https://.';
  }
  if (isNumber && !mayBeAllowed && !isOutside(host)) {
    return 'This address is on this server or a private network, which the operator has to allow.';
  }
  if (url.username !== '' || url.password !== '') {
    return 'The address cannot have a user name or a password in it.';
  }
  return url.hash === '' ? null : 'The address cannot have a # in it.';
}

/** The length of the visible part of the path. */
const shownLength = 4;

/** Hides the secret part of an address: only the host and the start of the path remain. */
export function maskedAddress(address: string): string {
  const { host, pathname, search } = new URL(address);
  const rest = `${pathname}${search}`.slice(1);
  if (rest === '') return host;
  // Nothing of a short path is shown, as it would be most of it.
  const shown = rest.length >= 2 * shownLength ? rest.slice(0, shownLength) : '';
  return `${host}/${shown}…`;
}
