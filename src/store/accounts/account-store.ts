/** The private half of a store, except for the parts specific to an engine. */

import { channelStore } from '../../alerts/channels/delivery-channels.store.ts';
import { alertStore } from '../../alerts/conditions/alert-rules.store.ts';
import { alertWorkStore } from '../../alerts/conditions/alert-work.store.ts';
import { deliveryQueue } from '../../alerts/delivery/deliveries.store.ts';
import { accountNoticeStore } from '../../alerts/notices/account-notices.store.ts';
import { watchStore } from '../../alerts/watchlists/watch-lists.store.ts';
import type { StoreClock } from '../sql/clock.ts';
import type { Engine } from '../sql/operation.ts';
import { allowedTo, type Changer, changeAround } from './account-methods.ts';
import { accountRegistry } from './account-registry.ts';
import { auditStore } from './audit.ts';
import { brickfolioStore } from './brickfolios.ts';
import { buyingSettingsStore } from './buying-settings.ts';
import { deviceEntryStore } from './device-entries.ts';
import { deviceStore } from './devices.ts';
import { endpointUsageStore } from './endpoint-usage.ts';
import { holdingEdits } from './holding-edits.ts';
import { identityStore } from './identities.ts';
import { importDraftStore } from './import-drafts.ts';
import { invitationStore } from './invitations.ts';
import { keyStore } from './keys.ts';
import { ledgerStore } from './ledger.ts';
import { lotStore } from './lots.ts';
import { noticeStore } from './notices.ts';
import { ownBarcodeStore } from './own-barcodes.ts';
import { ownFieldStore } from './own-fields.ts';
import { passkeyStore } from './passkeys.ts';
import { photoStore } from './photos.ts';
import { predictionStore } from './predictions.ts';
import { privateRows } from './private-rows.ts';
import { purchaseStore } from './purchases.ts';
import { regionStore } from './region.ts';
import { savedBoxStore } from './saved-boxes.ts';
import { savedViewStore } from './saved-views.ts';
import { secondFactorStore } from './second-factors.ts';
import { type OwnForm, onceFor, sentFormStore } from './sent-forms.ts';
import { sessionStore } from './sessions.ts';
import { shareStore } from './shares.ts';
import { sheetLinkStore } from './sheet-links.ts';
import { skippedDealStore } from './skipped-deals.ts';
import { sweeping } from './sweep.ts';
import { undoLog } from './undo-log.ts';
import { visitStore } from './visits.ts';

/** `sweeper` removes expired rows; its writes may be lost in a power failure. */
export function accountStore(engine: Engine, clock: StoreClock, sweeper: Engine = engine) {
  const storeOn = (on: Engine) => storeOf(on, clock, sweeper);
  const guardedOn = (on: Engine) => ({
    ...storeOn(on),
    /**
     * Changes an account with one method of the store, if a role may change it: the role that the
     * account has is checked in the transaction.
     */
    changeAs: <T>(by: Changer, work: (accounts: ReturnType<typeof storeOn>) => Promise<T>) =>
      changeAround({ engine: on, storeOn }, { why: 'not allowed', around: allowedTo(by) }, work),
  });
  return {
    ...guardedOn(engine),
    /**
     * Applies a form other than those for `change`, once: the transaction of the one method that
     * `work` calls also remembers the form, unless the method refuses it.
     */
    applyForm: <T>(form: OwnForm, work: (accounts: ReturnType<typeof guardedOn>) => Promise<T>) =>
      changeAround(
        { engine, storeOn: guardedOn },
        { why: 'sent before', around: onceFor(form) },
        work,
      ),
  };
}

function storeOf(engine: Engine, clock: StoreClock, sweeper: Engine) {
  return {
    ...accountRegistry(engine, clock),
    ...auditStore(engine),
    ...keyStore(engine, clock),
    ...sheetLinkStore(engine, clock, sweeper),
    // Counts of a few minutes, which are approximate anyway.
    ...endpointUsageStore(sweeper),
    ...sessionStore(engine, clock),
    ...deviceStore(engine),
    ...secondFactorStore(engine),
    ...passkeyStore(engine),
    ...identityStore(engine, clock),
    ...invitationStore(engine, clock),
    ...noticeStore(engine),
    ...accountNoticeStore(engine),
    ...brickfolioStore(engine),
    ...lotStore(engine),
    ...ledgerStore(engine),
    ...holdingEdits(engine),
    ...photoStore(engine),
    ...ownFieldStore(engine),
    ...savedViewStore(engine),
    ...savedBoxStore(engine),
    ...shareStore(engine),
    ...purchaseStore(engine),
    ...importDraftStore(engine),
    ...buyingSettingsStore(engine),
    ...regionStore(engine),
    ...predictionStore(engine),
    ...visitStore(engine),
    ...skippedDealStore(engine),
    ...ownBarcodeStore(engine),
    ...watchStore(engine),
    ...alertStore(engine),
    // After a power failure, the lost part is evaluated again.
    ...alertWorkStore(sweeper),
    ...privateRows(engine, clock),
    ...deviceEntryStore(engine),
    ...sentFormStore(engine),
    ...undoLog(engine),
    ...channelStore(engine),
    // A message that is sent again after a power failure has the same id.
    ...deliveryQueue(sweeper, clock),
    ...sweeping(sweeper),
  };
}
