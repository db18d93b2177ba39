/** Addresses of channels: what can be one, and how much of it is shown once it is kept. */

import { isIP } from 'node:net';
import { countText } from '../kernel/format.ts';
import type { ChannelKind } from './channel.ts';
import { type AllowedNetworks, isAllowed, isOutside } from './outside-address.ts';

/** Kinds of channels that have an address of their own. */
export type AddressedKind = Exclude<ChannelKind, 'email'>;

/** An address may be so long. */
export const addressLengthMax = 2_000;

/** What the address of each kind looks like. */
export const addressExamples: Readonly<Record<AddressedKind, string>> = {
  webhook: 'https://example.com/brickmark',
  ntfy: 'https://ntfy.sh/your-topic',
  discord: 'https://discord.com/api/webhooks/…',
};

const paths: Readonly<Record<AddressedKind, RegExp>> = {
  webhook: /^\//,
  ntfy: /\/[\w-]{1,64}$/,
  discord: /^\/api(?:\/v\d+)?\/webhooks\/\d+\/[\w-]+$/,
};

/**
 * What is wrong with an address as it is typed; null for one that may be tried. Where a name leads
 * is found out when something is sent there, every time anew.
 */
export function addressProblem(
  kind: AddressedKind,
  text: string,
  allowed: AllowedNetworks,
): string | null {
  const like = `Enter an address such as ${addressExamples[kind]}.`;
  if (text.length > addressLengthMax)
    return `Use at most ${countText(addressLengthMax)} characters.`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.hostname === '') return like;
  return placeProblem(url, allowed) ?? (paths[kind].test(url.pathname) ? null : like);
}

/** Without encryption nothing is sent but to networks that the operator allows. */
function placeProblem(url: URL, allowed: AllowedNetworks): string | null {
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

/** How much of the path is shown. */
const shownLength = 4;

/** An address without what makes it a secret: the host, and the beginning of the path. */
export function maskedAddress(address: string): string {
  const { host, pathname, search } = new URL(address);
  const rest = `${pathname}${search}`.slice(1);
  if (rest === '') return host;
  // Of what is short, nothing is shown: it would be most of it.
  const shown = rest.length >= 2 * shownLength ? rest.slice(0, shownLength) : '';
  return `${host}/${shown}…`;
}
