/** The store operations of this room, joined. */
import type { StoreClock } from '../store/sql/clock.ts';
import type { Engine } from '../store/sql/operation.ts';
import { deliveryChannelStore } from './channels/delivery-channels.store.ts';
import { alertStore } from './conditions/alert-rules.store.ts';
import { alertWorkStore } from './conditions/alert-work.store.ts';
import { deliveryQueue } from './delivery/deliveries.store.ts';
import { accountNoticeStore } from './notices/account-notices.store.ts';
import { watchStore } from './watchlists/watch-lists.store.ts';

/** Writes of `sweeper` may be lost in a power failure. */
export function alertRoomStore(engine: Engine, clock: StoreClock, sweeper: Engine) {
  return {
    ...accountNoticeStore(engine),
    ...watchStore(engine),
    ...alertStore(engine),
    // After a power failure, the lost part is evaluated again.
    ...alertWorkStore(sweeper),
    ...deliveryChannelStore(engine),
    // A message that is sent again after a power failure has the same id.
    ...deliveryQueue(sweeper, clock),
  };
}

export interface AlertRoomStore extends ReturnType<typeof alertRoomStore> {}
