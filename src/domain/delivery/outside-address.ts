/**
 * Which IP addresses may be contacted on a user's behalf (SSRF protection): all except
 * special-purpose ones, such as loopback and private networks.
 */
import { isIP } from 'node:net';

/** An address and the length of its prefix. */
interface Network {
  readonly family: 4 | 6;
  readonly address: bigint;
  readonly bits: number;
}

const lengths = { 4: 32, 6: 128 } as const;

/** Special-purpose ranges of IPv4 in IANA's registry, and multicast. */
const specialV4 = [
  '0.0.0.0/8', // this host on this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, includes cloud metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
].map(knownNetwork);

/**
 * The only range of global unicast addresses. Loopback, mapped and compatible IPv4, NAT64,
 * discard-only, unique local, link-local, site-local and multicast addresses are not in it.
 */
const unicastV6 = knownNetwork('2000::/3');

/** Special-purpose ranges within it. */
const specialV6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map(knownNetwork);

/** Networks that the operator allows in addition, such as `10.0.0.0/8`. */
export type AllowedNetworks = readonly Network[];

/** Parses a network such as `10.0.0.0/8` or a single address; null if it is neither. */
export function readNetwork(text: string): Network | null {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || more.length > 0 || address.includes('%')) return null;
  const length = lengths[family];
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= length)) return null;
  const number = family === 4 ? v4Number(address) : v6Number(address);
  return { family, address: number, bits: bits === undefined ? length : Number(bits) };
}

/** Whether an address is public. */
export function isOutside(address: string): boolean {
  const host = readHost(address);
  if (host === null) return false;
  const isSpecial = (network: Network) => isWithin(host, network);
  if (host.family === 4) return !specialV4.some(isSpecial);
  return isWithin(host, unicastV6) && !specialV6.some(isSpecial);
}

export function isAllowed(address: string, allowed: AllowedNetworks): boolean {
  const host = readHost(address);
  return host !== null && allowed.some((network) => isWithin(host, network));
}

function readHost(address: string): Network | null {
  return address.includes('/') ? null : readNetwork(address);
}

function isWithin(host: Network, network: Network): boolean {
  if (host.family !== network.family) return false;
  const shift = BigInt(lengths[host.family] - network.bits);
  return host.address >> shift === network.address >> shift;
}

function knownNetwork(text: string): Network {
  const network = readNetwork(text);
  if (network === null) throw new Error(`'${text}' is not a network.`);
  return network;
}

function v4Number(address: string): bigint {
  return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function v6Number(address: string): bigint {
  const [head = '', tail] = withoutDots(address).split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail?.split(':').filter((group) => group !== '') ?? [];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  const groups = tail === undefined ? left : [...left, ...zeros, ...right];
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

/** Converts an IPv4 suffix, as in `::ffff:192.0.2.1`, to hexadecimal groups. */
function withoutDots(address: string): string {
  return address.replace(/[\d.]+\.[\d.]+$/, (dotted) => {
    const number = v4Number(dotted);
    return `${(number >> 16n).toString(16)}:${(number & 0xffffn).toString(16)}`;
  });
}
