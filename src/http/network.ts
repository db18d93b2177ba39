/** The network that a request comes from, behind trusted proxies. */
import { BlockList, isIP } from 'node:net';

/** Groups of an IPv6 address that name a network, because a client usually has many addresses. */
const v6GroupLength = 4;

/** From the remote address and `X-Forwarded-For`. */
export type FindNetwork = (remote: string | null, forwardedFor: string | null) => string;

/** A peer whose `X-Forwarded-For` was ignored, for the operator. */
export interface UntrustedPeer {
  readonly peer: string;
  readonly message: string;
}

/**
 * Trusts `X-Forwarded-For` as far as it was written by these networks. The first other peer that
 * sends the header is reported: it may be a proxy missing from the settings, behind which all
 * visitors count as one.
 */
export function networkFinder(
  trusted: readonly string[],
  onUntrusted: (facts: UntrustedPeer) => void,
): FindNetwork {
  const isTrusted = trustedAddresses(trusted);
  let isReported = false;
  return (remote, forwardedFor) => {
    let address = plain(remote ?? '');
    if (forwardedFor !== null && !isReported && !isTrusted(address)) {
      isReported = true;
      onUntrusted({ peer: address, message: untrustedMessage(address) });
    }
    // From the nearest hop outwards, as long as each was reported by a trusted peer.
    const hops = forwardedFor?.split(',').map((hop) => plain(hop.trim())) ?? [];
    while (isTrusted(address) && isIP(hops.at(-1) ?? '') !== 0) address = hops.pop() ?? address;
    return networkOf(address);
  };
}

function untrustedMessage(peer: string): string {
  return (
    `X-Forwarded-For from ${peer} is ignored: BRICKMARK_TRUSTED_PROXIES does not list it. ` +
    'If it is your proxy, add it there; until then, all visitors behind it count as one.'
  );
}

export function trustedAddresses(trusted: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of trusted) addNetwork(list, network);
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

/** Writes an IPv4-mapped IPv6 address as IPv4. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

/** The remote side of a connection. */
export interface Connection {
  readonly address: string;
  readonly port: number;
}

/** Independent of how the address is written. */
export function connectionName({ address, port }: Connection): string {
  return `${networkOf(address)} ${port}`;
}

export function networkOf(text: string): string {
  const address = plain(text);
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  return `${groups.slice(0, v6GroupLength).join(':')}::/64`;
}
