/** Networks around the network of a visitor. */

/** The /48 of an IPv6 network, which one customer often has as a whole; null for IPv4. */
export function wideNetworkOf(network: string): string | null {
  const groups = /^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/.exec(network)?.[1];
  return groups === undefined ? null : `${groups}::/48`;
}
