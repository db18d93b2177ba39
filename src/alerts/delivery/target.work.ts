/**
 * Decides which addresses messages may be sent to, to protect this machine and its network (SSRF).
 * A name is resolved once, all its addresses are checked, and the sender connects to one of these,
 * so a later DNS change has no effect.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addressLengthMax } from '../channels/channel-address.ts';
import { type AllowedNetworks, isAllowed, isOutside } from '../channels/outside-address.ts';

/** Resolves a name to addresses; throws if there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

export interface Guard {
  readonly resolve: Resolve;
  readonly allowed: AllowedNetworks;
}

/** A checked address. */
export interface Target {
  readonly url: URL;
  /** IP addresses to connect to, all of them checked. */
  readonly addresses: readonly string[];
}

/**
 * Why an address is not allowed, as a sentence for its owner. It does not contain the address,
 * which is stored encrypted, because results of attempts are not.
 */
export class TargetError extends Error {}

/** The system's resolver, including the hosts file. */
export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/**
 * One message for every name that does not lead outside, whether it exists or not: otherwise,
 * anybody could ask which names and machines there are in the private network.
 */
const notOutside =
  'This host was not found, or is on a private network, which the operator has to allow.';

/** Throws a `TargetError`. */
export async function findTarget(text: string, guard: Guard): Promise<Target> {
  const url = readAddress(text);
  const addresses = await addressesOf(url, guard);
  const isInAllowed = (address: string) => isAllowed(address, guard.allowed);
  if (!addresses.every((address) => isOutside(address) || isInAllowed(address))) {
    throw new TargetError(notOutside);
  }
  if (url.protocol !== 'https:' && !addresses.every(isInAllowed)) {
    throw new TargetError('The address must begin with https://.');
  }
  return { url, addresses };
}

/** Checks that need no lookup. */
function readAddress(text: string): URL {
  const url = text.length > addressLengthMax ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new TargetError('Enter an address such as https://example.com/hook.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new TargetError('The address cannot have a user name or a password in it.');
  }
  return url;
}

async function addressesOf({ hostname }: URL, { resolve }: Guard): Promise<readonly string[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return [host];
  const found = await resolve(host).catch(() => []);
  if (found.length > 0) return found;
  throw new TargetError(notOutside);
}
