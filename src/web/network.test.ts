/** Networks: what proxies say is believed only from those that are trusted. */
import { expect, test } from 'bun:test';
import { networkFinder } from './network.ts';

const find = networkFinder(['10.0.0.0/8', '127.0.0.1', 'fd00::/8']);

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
  [null, null, ''],
])('%s, forwarded for %s, is %s', (remote, forwardedFor, network) => {
  expect(find(remote, forwardedFor)).toBe(network);
});
