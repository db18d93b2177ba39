/** The kinds of channels. Pages, texts, checks and the delivery process read them here. */

import type { DeliveryChannel } from './delivery-channel.ts';
import type { DeliveryChannelRow, PostedRow } from './kinds/delivery-channel-row.ts';
import { discord } from './kinds/discord.ts';
import { email } from './kinds/email.ts';
import { ntfy } from './kinds/ntfy.ts';
import { webhook } from './kinds/webhook.ts';

export const deliveryTable = { email, webhook, ntfy, discord } satisfies Record<
  string,
  DeliveryChannelRow
>;

export type DeliveryKind = keyof typeof deliveryTable;

/** Kinds of channels with their own address, which is stored encrypted. */
export type AddressedKind = {
  [Kind in DeliveryKind]: (typeof deliveryTable)[Kind] extends PostedRow ? Kind : never;
}[DeliveryKind];

export const deliveryKinds = Object.keys(deliveryTable) as readonly DeliveryKind[];

export function hasAddress(kind: DeliveryKind): kind is AddressedKind {
  return deliveryTable[kind].sentBy === 'http';
}

export const addressedKinds: readonly AddressedKind[] = deliveryKinds.filter(hasAddress);

/** The kinds that owners add on the page of alert settings. */
export const addedKinds: readonly AddressedKind[] = addressedKinds.filter(
  (kind) => !deliveryTable[kind].isForPrograms,
);

/** The page on which its owner changes a channel. */
export function channelPath({ id, kind }: Pick<DeliveryChannel, 'id' | 'kind'>): string {
  return deliveryTable[kind].isForPrograms ? `/webhooks/${id}` : '/alerts/settings';
}

const testText = 'This is a test message from Brickmark. If you can read this, the channel works.';

/** The test message that an owner can request, as JSON. */
export function testBody(kind: DeliveryKind, at: number): string {
  return JSON.stringify(deliveryTable[kind].testBody(testText, at));
}
