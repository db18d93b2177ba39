/** The address and network that a request comes from, behind trusted proxies. */
import { isIP } from 'node:net';
import { addressList, plainAddress } from '../accounts/people/network.ts';

/** Groups of an IPv6 address that name a network, because a client usually has many addresses. */
const v6GroupLength = 4;

/** From the remote address and `X-Forwarded-For`. */
export type FindAddress = (remote: string | null, forwardedFor: string | null) => string;

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
export function addressFinder(
  trusted: readonly string[],
  onUntrusted: (facts: UntrustedPeer) => void,
): FindAddress {
  const isTrusted = addressList(trusted);
  let isReported = false;
  return (remote, forwardedFor) => {
    let address = plainAddress(remote ?? '');
    if (forwardedFor !== null && !isReported && !isTrusted(address)) {
      isReported = true;
      onUntrusted({ peer: address, message: untrustedMessage(address) });
    }
    // From the nearest hop outwards, as long as each was reported by a trusted peer.
    const hops = forwardedFor?.split(',').map((hop) => plainAddress(hop.trim())) ?? [];
    while (isTrusted(address) && isIP(hops.at(-1) ?? '') !== 0) address = hops.pop() ?? address;
    return address;
  };
}

function untrustedMessage(peer: string): string {
  return (
    `X-Forwarded-For from ${peer} is ignored: BRICKMARK_TRUSTED_PROXIES does not list it. ` +
    'If it is your proxy, add it there; until then, all visitors behind it count as one.'
  );
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
  const address = plainAddress(text);
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail?.split(':').filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill('0'), ...right];
  return `${groups.slice(0, v6GroupLength).join(':')}::/64`;
}
