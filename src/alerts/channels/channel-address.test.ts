/** Which addresses channels may have, and how they are masked. */
import { describe, expect, test } from 'bun:test';
import { readNetwork } from '../../accounts/people/network.ts';
import { addressProblem, maskedAddress } from './channel-address.ts';
import type { AddressedKind } from './delivery-channel-kinds.ts';

const problem = (kind: AddressedKind, text: string, ...allowed: string[]) =>
  addressProblem(
    kind,
    text,
    allowed.flatMap((network) => readNetwork(network) ?? []),
  );

describe('an address', () => {
  test.each([
    ['webhook', 'https://example.com'],
    ['webhook', 'https://example.com:8443/in/brickmark?key=abc'],
    ['ntfy', 'https://ntfy.sh/my-topic_1'],
    ['ntfy', 'https://example.com/push/my-topic'],
    ['discord', 'https://discord.com/api/webhooks/123/abc-DEF_9'],
    ['discord', 'https://discord.com/api/v10/webhooks/123/abc'],
  ] as const)('of a %s can be %s', (kind, text) => {
    expect(problem(kind, text)).toBeNull();
  });

  test.each([
    ['webhook', '', /such as https:\/\/example\.com\/brickmark/],
    ['webhook', 'example.com/in', /such as/],
    ['webhook', 'http://example.com/in', /begin with https/],
    ['webhook', 'ftp://example.com/in', /begin with https/],
    ['webhook', 'file:///etc/passwd', /such as/],
    ['webhook', 'https://me:pw@example.com/in', /user name or a password/],
    ['webhook', 'https://me@example.com/in', /user name or a password/],
    ['webhook', 'https://:pw@example.com/in', /user name or a password/],
    ['webhook', 'https://example.com/in#here', /#/],
    ['webhook', `https://example.com/${'x'.repeat(1981)}`, /at most 2,000/],
    ['ntfy', 'https://ntfy.sh/', /such as https:\/\/ntfy\.sh/],
    ['ntfy', 'https://example.com/push/', /such as/],
    ['ntfy', `https://ntfy.sh/${'x'.repeat(65)}`, /such as/],
    ['discord', 'https://discord.com/channels/1/2', /such as https:\/\/discord\.com\/api/],
    ['discord', 'https://discord.com/api/webhooks/123/', /such as/],
  ] as const)('of a %s cannot be %s', (kind, text, expected) => {
    expect(problem(kind, text)).toMatch(expected);
  });

  test('without encryption is accepted only in networks that the operator allows', () => {
    expect(problem('webhook', 'http://10.0.0.5:8080/in', '10.0.0.0/8')).toBeNull();
    expect(problem('webhook', 'http://inside.lan/in', '10.0.0.0/8')).toBeNull();
    expect(problem('webhook', 'http://10.0.0.5/in')).toMatch(/begin with https/);
    expect(problem('webhook', 'http://93.184.216.34/in', '10.0.0.0/8')).toMatch(/begin with https/);
    expect(problem('webhook', 'gopher://10.0.0.5/in', '10.0.0.0/8')).toMatch(/begin with https/);
  });

  test.each([
    'https://127.0.0.1/in',
    'https://2130706433/in',
    'https://0x7f.1/in',
    'https://10.1.2.3/in',
    'https://169.254.169.254/latest',
    'https://[::1]/in',
    'https://[::ffff:192.168.0.1]/in',
  ])('with a private IP cannot be %s, unless the operator allows it', (text) => {
    expect(problem('webhook', text)).toMatch(/private network/);
    expect(problem('webhook', text, '0.0.0.0/0', '::/0')).toBeNull();
    expect(problem('webhook', 'https://93.184.216.34/in')).toBeNull();
  });

  test('of the maximum length is accepted', () => {
    expect(problem('webhook', `https://example.com/${'x'.repeat(1980)}`)).toBeNull();
  });
});

test.each([
  ['https://example.com', 'example.com'],
  ['https://example.com:8443/hooks/abcdef', 'example.com:8443/hook…'],
  ['https://ntfy.sh/topic', 'ntfy.sh/…'],
  ['https://ntfy.sh/mysecret', 'ntfy.sh/myse…'],
  ['https://example.com/?key=secret', 'example.com/?key…'],
])('%s is shown as %s', (address, shown) => {
  expect(maskedAddress(address)).toBe(shown);
});
