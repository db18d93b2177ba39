/** Forwarded addresses are used only from trusted proxies. */
import { expect, test } from 'bun:test';
import { addressFinder, networkOf, type UntrustedPeer } from './network.ts';

/** The network of a request, as limits count it. */
function networkFinder(proxies: readonly string[], onUntrusted: (peer: UntrustedPeer) => void) {
  const find = addressFinder(proxies, onUntrusted);
  return (remote: string | null, forwardedFor: string | null) =>
    networkOf(find(remote, forwardedFor));
}

const trusted = ['10.0.0.0/8', '127.0.0.1', 'fd00::/8'];
const find = networkFinder(trusted, () => {});

test.each([
  ['203.0.113.7', null, '203.0.113.7'],
  ['::ffff:203.0.113.7', null, '203.0.113.7'],
  ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['10.1.2.3', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
  ['127.0.0.1', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
  ['10.1.2.3', 'nonsense', '10.1.2.3'],
  ['10.1.2.3', null, '10.1.2.3'],
  ['fd00::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', null, '2001:db8:0:0::/64'],
  ['::1', null, '0:0:0:0::/64'],
  ['fe80::1:2:3:4:5:6', null, 'fe80:0:1:2::/64'],
  ['1:2:3:4:5:6:7::', null, '1:2:3:4::/64'],
  ['1:2:3::', null, '1:2:3:0::/64'],
  ['11.0.0.0', '198.51.100.1', '11.0.0.0'],
  ['10.255.255.255', '198.51.100.1', '198.51.100.1'],
  [null, null, ''],
])('%s, forwarded for %s, is %s', (remote, forwardedFor, network) => {
  expect(find(remote, forwardedFor)).toBe(network);
});

test('a single address is trusted, and no others', () => {
  const findBy = networkFinder(['fd00::5', '10.0.0.5'], () => {});
  const forwarded = '198.51.100.1';
  expect(findBy('fd00::5', forwarded)).toBe(forwarded);
  expect(findBy('fd00::6', forwarded)).not.toBe(forwarded);
  expect(findBy('10.0.0.5', forwarded)).toBe(forwarded);
  expect(findBy('10.0.0.4', forwarded)).toBe('10.0.0.4');
});

test('an invalid network is ignored', () => {
  const findBy = networkFinder(['nonsense/8', '10.0.0.5'], () => {});
  expect(findBy('10.0.0.5', '198.51.100.1')).toBe('198.51.100.1');
  expect(findBy('0.0.0.0', '198.51.100.1')).toBe('0.0.0.0');
});

test('an untrusted proxy is reported with the setting to change', () => {
  const said: string[] = [];
  networkFinder([], ({ message }) => said.push(message))('203.0.113.7', '198.51.100.1');
  expect(said.join()).toStartWith(
    'X-Forwarded-For from 203.0.113.7 is ignored: BRICKMARK_TRUSTED_PROXIES does not list it. ',
  );
  expect(said.join()).not.toContain('NaN');
});

test('the first untrusted peer is reported once, and a trusted one never', () => {
  const told: string[] = [];
  const findAndTell = networkFinder(trusted, ({ peer }) => told.push(peer));
  findAndTell('10.1.2.3', '198.51.100.1');
  findAndTell('203.0.113.7', null);
  expect(told).toEqual([]);
  findAndTell('::ffff:203.0.113.7', '198.51.100.1');
  findAndTell('203.0.113.8', '198.51.100.1');
  expect(told).toEqual(['203.0.113.7']);
});

test('an address is found whole, because keys can be limited to single ones', () => {
  const findWhole = addressFinder(trusted, () => {});
  expect(findWhole('fd00::1', '2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2:3:4:5:6');
  expect(findWhole('::ffff:10.1.2.3', '198.51.100.1')).toBe('198.51.100.1');
});
