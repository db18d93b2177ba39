/** The kinds of channels. Pages, texts, checks and the delivery process read them here. */

import type { DeliveryChannel } from './delivery-channel.ts';
import type { ChannelRow, PostedRow } from './kinds/channel-row.ts';
import { discord } from './kinds/discord.ts';
import { email } from './kinds/email.ts';
import { ntfy } from './kinds/ntfy.ts';
import { webhook } from './kinds/webhook.ts';

export const channelTable = { email, webhook, ntfy, discord } satisfies Record<string, ChannelRow>;

export type ChannelKind = keyof typeof channelTable;

/** Kinds of channels with their own address, which is stored encrypted. */
export type AddressedKind = {
  [Kind in ChannelKind]: (typeof channelTable)[Kind] extends PostedRow ? Kind : never;
}[ChannelKind];

export const channelKinds = Object.keys(channelTable) as readonly ChannelKind[];

export function hasAddress(kind: ChannelKind): kind is AddressedKind {
  return channelTable[kind].sentBy === 'http';
}

export const addressedKinds: readonly AddressedKind[] = channelKinds.filter(hasAddress);

/** The kinds that owners add on the page of alert settings. */
export const addedKinds: readonly AddressedKind[] = addressedKinds.filter(
  (kind) => !channelTable[kind].isForPrograms,
);

/** The page on which its owner changes a channel. */
export function channelPath({ id, kind }: Pick<DeliveryChannel, 'id' | 'kind'>): string {
  return channelTable[kind].isForPrograms ? `/webhooks/${id}` : '/alerts/settings';
}

const testText = 'This is a test message from Brickmark. If you can read this, the channel works.';

/** The test message that an owner can request, as JSON. */
export function testBody(kind: ChannelKind, at: number): string {
  return JSON.stringify(channelTable[kind].testBody(testText, at));
}
