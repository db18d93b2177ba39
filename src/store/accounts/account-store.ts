/** The private side of a store but for what each engine does in its own way. */
import type { AccountStore } from '../../domain/account/account-store.ts';
import type { StoreClock } from '../sql/clock.ts';
import type { Engine } from '../sql/operation.ts';
import { accountRegistry } from './account-registry.ts';
import { alertStore } from './alert-rules.ts';
import { alertWorkStore } from './alert-work.ts';
import { brickfolioStore } from './brickfolios.ts';
import { buyingSettingsStore } from './buying-settings.ts';
import { channelStore } from './channels.ts';
import { deliveryQueue } from './deliveries.ts';
import { holdingEdits } from './holding-edits.ts';
import { importDraftStore } from './import-drafts.ts';
import { keyStore } from './keys.ts';
import { ledgerStore } from './ledger.ts';
import { lotEdits } from './lot-edits.ts';
import { lotStore } from './lots.ts';
import { predictionStore } from './predictions.ts';
import { privateRows } from './private-rows.ts';
import { savedViewStore } from './saved-views.ts';
import { sessionStore } from './sessions.ts';
import { sheetLinkStore } from './sheet-links.ts';
import { sweeping } from './sweep.ts';
import { watchStore } from './watch-lists.ts';

/** What each engine does in its own way. */
type Native = 'admitGroup' | 'admissionMsMax' | 'checkCountable' | 'rehearse' | 'close';

/**
 * Accounts, keys, usage, collections, sales, watch lists and channels; `sweeper` removes what
 * has ended, and writes what a power cut may undo.
 */
export function accountStore(
  engine: Engine,
  clock: StoreClock,
  sweeper: Engine = engine,
): Omit<AccountStore, Native> {
  return {
    ...accountRegistry(engine, clock),
    ...keyStore(engine, clock),
    ...sheetLinkStore(engine, clock, sweeper),
    ...sessionStore(engine, clock),
    ...brickfolioStore(engine),
    ...lotStore(engine),
    ...ledgerStore(engine),
    ...holdingEdits(engine),
    ...lotEdits(engine),
    ...savedViewStore(engine),
    ...importDraftStore(engine),
    ...buyingSettingsStore(engine),
    ...predictionStore(engine),
    ...watchStore(engine),
    ...alertStore(engine),
    // What a power cut undoes is evaluated again.
    ...alertWorkStore(sweeper),
    ...privateRows(engine, clock),
    ...channelStore(engine),
    // What is sent once more after a power cut has the same id.
    ...deliveryQueue(sweeper, clock),
    ...sweeping(sweeper),
  };
}
