/** The store operations of this room on what is an account's own, joined. */
import type { Engine } from '../store/sql/operation.ts';
import { savedBoxStore } from './boxes/saved-boxes.store.ts';
import { skippedDealStore } from './deals/skipped-deals.store.ts';
import { buyingSettingsStore } from './prices/buying-settings.store.ts';

export function buyingRoomStore(engine: Engine) {
  return {
    ...savedBoxStore(engine),
    ...buyingSettingsStore(engine),
    ...skippedDealStore(engine),
  };
}

export interface BuyingRoomStore extends ReturnType<typeof buyingRoomStore> {}
