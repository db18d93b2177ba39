/** Private and special-purpose addresses are not public, in any notation. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readNetwork } from '../../accounts/people/network.ts';
import { isAllowed, isOutside } from './outside-address.ts';

/** First and last addresses of every special range in IANA's registries. */
const inside = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '::1', '::7f00:1', '::127.0.0.1', '::8.8.8.8'],
  ['::ffff:0:0', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1'],
  ['64:ff9b::', '64:ff9b::7f00:1', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['2001::', '2001:0:ffff::1', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:7f00:1::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::', '5f00::1'],
  ['fc00::', 'fd12:3456::1', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'fe80::1', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
].flat();

/** Neighbors of these ranges, and well-known hosts. */
const outside = [
  ['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0'],
  ['191.255.255.255', '192.0.1.0', '192.0.3.0', '192.167.255.255', '192.169.0.0'],
  ['198.17.255.255', '198.20.0.0', '203.0.112.255', '203.0.114.0', '223.255.255.255', '8.8.8.8'],
  ['2000::', '2001:200::', '2001:4860:4860::8888', '2001:db7::1', '2001:db9::1', '2003::1'],
  ['2606:4700::1111', '2620:4f:8001::', '3ffe:ffff::1', '3fff:1000::'],
].flat();

test.each(inside)('%s is not public', (address) => {
  expect(isOutside(address)).toBe(false);
});

test.each(outside)('%s is public', (address) => {
  expect(isOutside(address)).toBe(true);
});

test.each(['', 'localhost', '8.8.8', '8.8.8.8/32', '1.2.3.4.5', 'fe80::1%eth0', '::g', '08.8.8.8'])(
  "'%s' is not an address, so it is not public",
  (text) => {
    expect(isOutside(text)).toBe(false);
    expect(isAllowed(text, [])).toBe(false);
  },
);

const byte = fc.integer({ min: 0, max: 255 });
const v4 = fc.tuple(byte, byte, byte, byte).map((parts) => parts.join('.'));

test('IPv4 addresses embedded in IPv6 are not public', () => {
  fc.assert(
    fc.property(v4, (address) => {
      const hex = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
      const groups = `${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`;
      for (const prefix of ['::', '::ffff:', '64:ff9b::']) {
        expect(isOutside(`${prefix}${address}`)).toBe(false);
        expect(isOutside(`${prefix}${groups}`)).toBe(false);
      }
      expect(isOutside(`2002:${groups}::`)).toBe(false);
    }),
  );
});

test('an IPv6 address is the same however its zeros are written', () => {
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 65_535 }));
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      const long = groups.map((each) => each.toString(16).padStart(4, '0')).join(':');
      const short = new URL(`http://[${long}]/`).hostname.slice(1, -1);
      expect(isOutside(short)).toBe(isOutside(long));
      expect([readNetwork(short)?.(long), readNetwork(long)?.(short)]).toEqual([true, true]);
      expect(isOutside(long.toUpperCase())).toBe(isOutside(long));
    }),
  );
});

test('a network contains exactly the addresses with its prefix', () => {
  const number = (address: string) =>
    address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  fc.assert(
    fc.property(v4, v4, fc.integer({ min: 0, max: 32 }), (network, address, bits) => {
      const size = 2 ** (32 - bits);
      const isSame = Math.floor(number(network) / size) === Math.floor(number(address) / size);
      const read = readNetwork(`${network}/${bits}`);
      expect(isAllowed(address, read ? [read] : [])).toBe(isSame);
    }),
  );
});

test.each([
  ['127.0.0.1', '127.0.0.0/8', true],
  ['128.0.0.1', '127.0.0.0/8', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.4', '10.1.2.3', false],
  ['10.1.2.3', '10.1.2.3/32', true],
  ['::1', '::1/128', true],
  ['::1', '::1', true],
  ['fd00::5', 'fd00::/8', true],
  ['::ffff:10.0.0.1', '10.0.0.0/8', false],
  ['10.0.0.1', '::/0', false],
])('%s is allowed by %s: %p', (address, network, is) => {
  const read = readNetwork(network);
  expect(isAllowed(address, read ? [read] : [])).toBe(is);
});

test.each([
  '',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '::/129',
  '10.0.0/8',
  'a/8',
  '10.0.0.0/',
])("'%s' is not a network", (text) => {
  expect(readNetwork(text)).toBeNull();
});
