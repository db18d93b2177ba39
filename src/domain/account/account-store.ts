/**
 * What the private side of a store does: accounts, keys, usage, collections, sales, watch lists,
 * alerts, channels. Each method is one whole operation with its transaction inside; an expected
 * outcome is always a value.
 */
import type { AlertStore, AlertWorkStore } from '../alerts/alert-store.ts';
import type { WatchedItems, WatchStore } from '../alerts/watch-store.ts';
import type { BuyingSettingsStore } from '../buying/buying-settings-store.ts';
import type { ChannelStore, DeliveryQueue } from '../delivery/delivery-store.ts';
import type { BrickfolioStore } from '../portfolio/brickfolio-store.ts';
import type { HoldingEdits } from '../portfolio/holding-edits.ts';
import type { ImportDraftStore } from '../portfolio/import-draft-store.ts';
import type { LedgerStore } from '../portfolio/ledger-store.ts';
import type { LotEdits } from '../portfolio/lot-edits.ts';
import type { HeldSets, LotStore } from '../portfolio/lot-store.ts';
import type { PredictionStore } from '../portfolio/prediction-store.ts';
import type { PrivateRowStore } from '../portfolio/private-rows.ts';
import type { SaleEdits } from '../portfolio/sale-edits.ts';
import type { SavedViewStore } from '../portfolio/saved-views.ts';
import type { AccountRegistry } from './account-registry.ts';
import type { AdmissionStore } from './admission-store.ts';
import type { KeyStore } from './key-store.ts';
import type { SessionStore } from './session-store.ts';
import type { SheetLinkStore } from './sheet-link-store.ts';

/** The private side of a store. */
export interface AccountStore
  extends AccountRegistry,
    KeyStore,
    SheetLinkStore,
    AdmissionStore,
    SessionStore,
    BrickfolioStore,
    LotStore,
    HeldSets,
    LedgerStore,
    HoldingEdits,
    LotEdits,
    SaleEdits,
    SavedViewStore,
    ImportDraftStore,
    BuyingSettingsStore,
    PredictionStore,
    WatchStore,
    WatchedItems,
    AlertStore,
    AlertWorkStore,
    PrivateRowStore,
    ChannelStore,
    DeliveryQueue {
  close(): Promise<void>;
}
