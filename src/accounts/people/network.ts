/** Networks: around the network of a visitor, and lists of networks. */
import { BlockList, isIP } from 'node:net';
import { BoundedMap } from '../../kernel/bounded-map.ts';

const wideFactor = 3;

export interface NetworkLimit {
  readonly network: string;
  readonly max: number;
}

/**
 * The limit of a network and, three times as high, that of the IPv6 /48 that it is in, which may be
 * of one customer or of many.
 */
export function networkLimits(network: string, max: number): readonly NetworkLimit[] {
  const groups = /^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/.exec(network)?.[1];
  const own = { network, max };
  return groups === undefined ? [own] : [own, { network: `${groups}::/48`, max: wideFactor * max }];
}

/** Writes an IPv4-mapped IPv6 address as IPv4. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Whether an address is in one of these networks or addresses; invalid ones are ignored. */
export function addressList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits] = network.split('/');
  const family = isIP(address);
  if (family === 0) return;
  const max = family === 6 ? 128 : 32;
  list.addSubnet(address, bits === undefined ? max : Number(bits), family === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a network has an address. */
export type Network = (address: string) => boolean;

/** Parses a network such as `10.0.0.0/8` or a single address; null if it is neither. */
export function readNetwork(text: string): Network | null {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0 || address.includes('%')) return null;
  const [type, length] = family === 6 ? (['ipv6', 128] as const) : (['ipv4', 32] as const);
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= length)) return null;
  const list = new BlockList();
  list.addSubnet(address, Number(bits ?? length), type);
  // Otherwise, networks of IPv4 would have IPv6 addresses that embed theirs, and the reverse.
  return (host) => isIP(host) === family && !host.includes('%') && list.check(host, type);
}

export const keyNetworksMax = 20;

/** Null: a valid network or address. */
export function networkProblem(text: string): string | null {
  // Clients with such an address are known by the IPv4 address in it.
  if (plainAddress(text) === text && readNetwork(text) !== null) return null;
  return `'${text}' is not a network. Write one like 203.0.113.0/24, 203.0.113.7 or 2001:db8::/48.`;
}

/** Networks separated by spaces, commas or lines, as stored: with spaces; null for none. */
export function readNetworks(
  text: string,
): { readonly networks: string | null } | { readonly problem: string } {
  const parts = [
    ...new Set(
      text
        .toLowerCase()
        .split(/[\s,;]+/)
        .filter(Boolean),
    ),
  ];
  if (parts.length > keyNetworksMax) {
    return { problem: `A key can have at most ${keyNetworksMax} networks, not ${parts.length}.` };
  }
  const problem = parts.map(networkProblem).find((each) => each !== null);
  if (problem) return { problem };
  return { networks: parts.length === 0 ? null : parts.join(' ') };
}

/** Parsed lists in memory, in characters: some thousand. */
const knownRoomMax = 2 ** 20;
const known = new BoundedMap<(address: string) => boolean>(knownRoomMax, () => 0);

/** Whether an address is in one of the stored networks of a key. */
export function isWithin(networks: string, address: string): boolean {
  let list = known.get(networks);
  if (!list) {
    list = addressList(networks.split(' '));
    known.set(networks, list);
  }
  return list(plainAddress(address));
}
