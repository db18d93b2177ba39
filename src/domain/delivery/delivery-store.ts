/** How a store keeps channels and deliveries. */
import type { Channel, NewChannel, Sealed, Subscription } from './channel.ts';
import type { Delivery } from './delivery.ts';

/** What pages ask. The rest is between the store and `src/delivery`. */
export interface ChannelStore {
  listChannels(accountId: number): Promise<Channel[]>;
  addChannel(
    accountId: number,
    channel: NewChannel,
  ): Promise<{ readonly id: number } | 'too many' | 'no account'>;
  /** Another name, address or subscription; what is left out stays. False: no such channel. */
  changeChannel(
    accountId: number,
    channelId: number,
    change: {
      readonly name?: string;
      readonly address?: Sealed;
      readonly subscription?: Subscription | null;
    },
  ): Promise<boolean>;
  /** On again, it goes on where it was. */
  switchChannel(accountId: number, channelId: number, isOn: boolean): Promise<boolean>;
  removeChannel(accountId: number, channelId: number): Promise<boolean>;
  /** Sets a new secret; the old one signs as well until an instant. */
  rotateSecret(
    accountId: number,
    channelId: number,
    change: { readonly secret: Sealed; readonly oldUntil: number },
  ): Promise<boolean>;
  /** Deliveries of a channel, the latest first, those before an id. */
  listDeliveries(
    accountId: number,
    channelId: number,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<Delivery[]>;
  /** Sends one again, with the same message id; false: no such delivery. */
  resendDelivery(accountId: number, deliveryId: number, at: number): Promise<boolean>;
  /** Everything after a position is sent again. */
  replayFrom(accountId: number, channelId: number, position: number): Promise<boolean>;
  /** Puts a test message into the queue of a channel. */
  addTest(accountId: number, channelId: number, at: number): Promise<boolean>;
}
