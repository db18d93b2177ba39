/** The wider network of a visitor, and the networks of keys. */
import { expect, test } from 'bun:test';
import { networkOf } from '../../http/network.ts';
import { isWithin, keyNetworksMax, networkLimits, readNetworks } from './network.ts';

test('all networks of a /48 share a limit of three times as many, and IPv4 has none', () => {
  const limits = (address: string) => networkLimits(networkOf(address), 5);
  const wide = (network: string) => ({ network, max: 15 });
  const own = { network: '2001:db8:1:2::/64', max: 5 };
  expect(limits('2001:db8:1:2::5')).toEqual([own, wide('2001:db8:1::/48')]);
  expect(limits('2001:db8:1:ffff::9')[1]).toEqual(wide('2001:db8:1::/48'));
  expect(limits('2001:db8:2:2::5')[1]).toEqual(wide('2001:db8:2::/48'));
  expect(limits('2001:db8::1')[1]).toEqual(wide('2001:db8:0::/48'));
  expect(limits('192.0.2.1')).toEqual([{ network: '192.0.2.1', max: 5 }]);
});

test.each([
  ['', null],
  [' \n', null],
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.0/24\n2001:DB8::/48', '203.0.113.0/24 2001:db8::/48'],
  ['10.0.0.0/8, 10.0.0.0/8;::1', '10.0.0.0/8 ::1'],
  ['0.0.0.0/0 ::/0', '0.0.0.0/0 ::/0'],
])('the networks %j are stored as %j', (text, networks) => {
  expect(readNetworks(text)).toEqual({ networks });
});

test.each([
  '203.0.113.0/33',
  '2001:db8::/129',
  '203.0.113.0/',
  '203.0.113.0/-1',
  '203.0.113.0/24/8',
  '203.0.113',
  '::ffff:203.0.113.7',
  'fe80::1%eth0',
  'example.com',
])('%s is not a network, and the message says what one looks like', (text) => {
  const read = readNetworks(`10.0.0.0/8 ${text}`);
  expect('problem' in read && read.problem).toContain(`'${text}' is not a network`);
  expect('problem' in read && read.problem).toContain('203.0.113.0/24');
});

test('a key has at most twenty networks', () => {
  const list = (count: number) =>
    Array.from({ length: count }, (_, index) => `10.0.0.${index}`).join('\n');
  expect('networks' in readNetworks(list(keyNetworksMax))).toBe(true);
  const read = readNetworks(list(keyNetworksMax + 1));
  expect('problem' in read && read.problem).toContain('at most 20 networks, not 21');
});

test('an address is within a network by its bits, in both families', () => {
  const networks = '198.51.100.64/26 203.0.113.7 2001:db8:5::/48';
  const within = ['198.51.100.64', '198.51.100.127', '::ffff:203.0.113.7', '2001:db8:5:ffff::1'];
  const outside = ['198.51.100.63', '198.51.100.128', '203.0.113.6', '2001:db8:6::1', '', 'x'];
  expect(within.map((address) => isWithin(networks, address))).not.toContain(false);
  expect(outside.map((address) => isWithin(networks, address))).not.toContain(true);
});
