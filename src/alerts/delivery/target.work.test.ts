/** Allowed addresses, and the messages for others. */
import { describe, expect, test } from 'bun:test';
import { readNetwork } from '../../accounts/people/network.ts';
import { addressLengthMax } from '../channels/channel-address.ts';
import { findTarget, type Resolve, systemResolve, TargetError } from './target.work.ts';

const outside = '93.184.215.14';
const allowed = [readNetwork('10.0.0.0/8')].filter((network) => network !== null);

const target = (text: string, addresses: readonly string[] = [outside]) => {
  const resolve: Resolve = async () => addresses;
  return findTarget(text, { resolve, allowed });
};

async function refusal(text: string, addresses?: readonly string[]): Promise<string> {
  const fault = await target(text, addresses).catch((error: unknown) => error);
  if (fault instanceof TargetError) return fault.message;
  throw new Error('It was not refused.');
}

const noAddress = 'Enter an address such as https://example.com/hook.';
const inside =
  'This host was not found, or is on a private network, which the operator has to allow.';

describe('a message may go', () => {
  test.each([
    ['https://example.com/hook', [outside, '2606:2800:21f::1'], [outside, '2606:2800:21f::1']],
    ['https://example.com:8443/hook', [outside, '10.1.1.1'], [outside, '10.1.1.1']],
    ['http://example.com/hook', ['10.1.1.1', '10.2.2.2'], ['10.1.1.1', '10.2.2.2']],
    [`https://${outside}/`, [], [outside]],
    ['https://[2606:2800:21f::1]/', [], ['2606:2800:21f::1']],
    ['http://10.0.0.1/', [], ['10.0.0.1']],
  ])('may go to %s', async (text, found, addresses) => {
    expect(await target(text, found)).toEqual({ url: new URL(text), addresses });
  });

  test('to an address of the maximum length, but not a longer one', async () => {
    const longest = 'https://example.com/'.padEnd(addressLengthMax, 'a');
    expect((await target(longest)).url.href).toBe(longest);
    expect(await refusal(`${longest}a`)).toBe(noAddress);
  });
});

describe('a message may not go', () => {
  test.each([
    ['ftp://example.com/', noAddress],
    ['httpsx://example.com/', noAddress],
    ['xhttps://example.com/', noAddress],
    ['https:', noAddress],
    ['https://me@example.com/', 'The address cannot have a user name or a password in it.'],
    ['https://:word@example.com/', 'The address cannot have a user name or a password in it.'],
    ['https://192.168.0.1/', inside],
    ['http://192.168.0.1/', inside],
    [`http://${outside}/`, 'The address must begin with https://.'],
  ])('may not go to %s, and the reason is said', async (text, words) => {
    expect(await refusal(text)).toBe(words);
  });

  test.each([
    ['https', [outside, '192.168.0.1'], inside],
    ['http', ['10.0.0.1', outside], 'The address must begin with https://.'],
    ['https', [], inside],
    ['http', [], inside],
    ['https', ['127.0.0.1'], inside],
    ['https', ['169.254.169.254'], inside],
    ['http', ['fd00::1'], inside],
  ])('by %s to a name with the addresses %p', async (protocol, addresses, words) => {
    expect(await refusal(`${protocol}://example.com/`, addresses)).toBe(words);
  });

  test('to a name that cannot be resolved', async () => {
    const resolve: Resolve = () => Promise.reject(new Error('SERVFAIL'));
    const fault = findTarget('https://example.com/', { resolve, allowed });
    await expect(fault).rejects.toThrow(new TargetError(inside));
  });
});

test('the system resolves all addresses of this machine', async () => {
  const addresses = await systemResolve('localhost');
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(address).toMatch(/^(127\.\d+\.\d+\.\d+|::1)$/);
});
