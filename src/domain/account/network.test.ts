/** The wider network of a visitor. */
import { expect, test } from 'bun:test';
import { networkOf } from '../../http/network.ts';
import { wideNetworkOf } from './network.ts';

test('all networks of a /48 have the same wider one, and IPv4 has none', () => {
  const wide = (address: string) => wideNetworkOf(networkOf(address));
  expect(wide('2001:db8:1:2::5')).toBe('2001:db8:1::/48');
  expect(wide('2001:db8:1:ffff::9')).toBe('2001:db8:1::/48');
  expect(wide('2001:db8:2:2::5')).toBe('2001:db8:2::/48');
  expect(wide('2001:db8::1')).toBe('2001:db8:0::/48');
  expect(wide('192.0.2.1')).toBeNull();
});
