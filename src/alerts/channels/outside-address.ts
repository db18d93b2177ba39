/**
 * Which IP addresses may be contacted on a user's behalf (SSRF protection): all except
 * special-purpose ones, such as loopback and private networks.
 */
import { isIP } from 'node:net';
import { type Network, readNetwork } from '../../accounts/people/network.ts';

/** Special-purpose ranges in IANA's registry, and multicast; of IPv6, those in `unicastV6`. */
const special = [
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
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map(knownNetwork);

/**
 * The only range of global unicast addresses. Loopback, mapped and compatible IPv4, NAT64,
 * discard-only, unique local, link-local, site-local and multicast addresses are not in it.
 */
const unicastV6 = knownNetwork('2000::/3');

/** Networks that the operator allows in addition, such as `10.0.0.0/8`. */
export type AllowedNetworks = readonly Network[];

export function isOutside(address: string): boolean {
  const family = isIP(address);
  if (family !== 4 && !unicastV6(address)) return false;
  return !special.some((network) => network(address));
}

export function isAllowed(address: string, allowed: AllowedNetworks): boolean {
  return allowed.some((network) => network(address));
}

function knownNetwork(text: string): Network {
  const network = readNetwork(text);
  if (network === null) throw new Error(`'${text}' is not a network.`);
  return network;
}
