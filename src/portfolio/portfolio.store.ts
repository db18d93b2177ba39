/** The store operations of this room, joined. */
import type { StoreClock } from '../store/sql/clock.ts';
import type { Engine } from '../store/sql/operation.ts';
import { ownBarcodeStore } from './barcodes/own-barcodes.store.ts';
import { deviceEntryStore } from './device/device-entries.store.ts';
import { sentFormStore } from './forms/sent-forms.store.ts';
import { brickfolioStore } from './lots/brickfolios.store.ts';
import { holdingEdits } from './lots/holding-edits.store.ts';
import { lotStore } from './lots/lots.store.ts';
import { ownFieldStore } from './lots/own-fields.store.ts';
import { privateRows } from './lots/private-rows.store.ts';
import { savedViewStore } from './lots/saved-views.store.ts';
import { undoLog } from './lots/undo-log.store.ts';
import { photoStore } from './photos/photos.store.ts';
import { predictionStore } from './predictions/predictions.store.ts';
import { purchaseStore } from './purchases/purchases.store.ts';
import { ledgerStore } from './sales/ledger.store.ts';
import { shareStore } from './sharing/shares.store.ts';
import { sweeping } from './sweep/sweep.store.ts';

/** Writes of `sweeper` may be lost in a power failure. */
export function portfolioRoomStore(engine: Engine, clock: StoreClock, sweeper: Engine) {
  return {
    ...brickfolioStore(engine),
    ...lotStore(engine),
    ...ledgerStore(engine),
    ...holdingEdits(engine),
    ...photoStore(engine),
    ...ownFieldStore(engine),
    ...savedViewStore(engine),
    ...shareStore(engine),
    ...purchaseStore(engine),
    ...predictionStore(engine),
    ...ownBarcodeStore(engine),
    ...privateRows(engine, clock),
    ...deviceEntryStore(engine),
    ...sentFormStore(engine),
    ...undoLog(engine),
    ...sweeping(sweeper),
  };
}

export interface PortfolioRoomStore extends ReturnType<typeof portfolioRoomStore> {}
