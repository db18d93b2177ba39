/**
 * Where a message may be sent: the guard against addresses that lead to this machine or to the
 * network around it. A name is looked up once, all its addresses are checked, and whoever sends
 * connects to one of these: what the name means a moment later makes no difference.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { addressLengthMax } from '../domain/delivery/channel-address.ts';
import { type AllowedNetworks, isAllowed, isOutside } from '../domain/delivery/outside-address.ts';

/** Finds the addresses of a name; throws when there are none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** What decides where a message may be sent. */
export interface Guard {
  readonly resolve: Resolve;
  readonly allowed: AllowedNetworks;
}

/** A place that was checked. */
export interface Target {
  readonly url: URL;
  /** Where to connect: all of them were checked, and nothing else is. */
  readonly addresses: readonly string[];
}

/**
 * Why nothing may be sent to an address; a sentence for its owner. It does not name the address,
 * which is kept encrypted: what is said of a try is not.
 */
export class TargetError extends Error {}

/** As the system does it: with its hosts file, and all addresses. */
export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true })).map(({ address }) => address);

/** Reads and checks an address; throws a `TargetError`. */
export async function findTarget(text: string, guard: Guard): Promise<Target> {
  const url = readAddress(text);
  const addresses = await addressesOf(url, guard);
  const isInAllowed = (address: string) => isAllowed(address, guard.allowed);
  if (!addresses.every((address) => isOutside(address) || isInAllowed(address))) {
    throw new TargetError(
      'This address is on this server or a private network, which the operator has to allow.',
    );
  }
  if (url.protocol !== 'https:' && !addresses.every(isInAllowed)) {
    throw new TargetError('The address must begin with https://.');
  }
  return { url, addresses };
}

/** Whatever can be said of an address without asking anybody. */
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
  throw new TargetError('The host was not found.');
}
