/** A kind of channel, as a row of the table. */
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { anAddress } from '../../../test/support/builders.ts';
import { addressProblem } from './channel-address.ts';
import {
  addedKinds,
  addressedKinds,
  deliveryKinds,
  deliveryTable,
} from './delivery-channel-kinds.ts';

test('an account may have five channels of each kind, but one email', () => {
  const limits = deliveryKinds.map((kind) => [kind, deliveryTable[kind].max]);
  expect(Object.fromEntries(limits)).toEqual({ email: 1, webhook: 5, ntfy: 5, discord: 5 });
});

test('email goes to the address of the account, and webhooks have pages of their own', () => {
  expect(deliveryKinds).toEqual(['email', 'webhook', 'ntfy', 'discord']);
  expect(addressedKinds).toEqual(['webhook', 'ntfy', 'discord']);
  expect(addedKinds).toEqual(['ntfy', 'discord']);
});

test('every file of a kind is a row', () => {
  const files = readdirSync(join(import.meta.dir, 'kinds'));
  const rows = deliveryKinds.map((kind) => `${kind}.ts`);
  expect(files.toSorted()).toEqual([...rows, 'delivery-channel-row.ts'].toSorted());
});

test.each(addressedKinds)('an address like the example of %s is accepted', (kind) => {
  expect(addressProblem(kind, anAddress(kind), [])).toBeNull();
});
