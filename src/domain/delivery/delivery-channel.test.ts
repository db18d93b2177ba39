/** Limits of delivery channels. */
import { expect, test } from 'bun:test';
import { channelKinds, channelsMax } from './delivery-channel.ts';

test('an account may have five channels of each kind, but one email', () => {
  expect(channelsMax).toEqual({ email: 1, webhook: 5, ntfy: 5, discord: 5 });
  expect(Object.keys(channelsMax)).toEqual([...channelKinds]);
});
