/** The private half of a store, except for the parts specific to an engine. */

import { auditStore } from '../../accounts/audit/audit.store.ts';
import { endpointUsageStore } from '../../accounts/keys/endpoint-usage.store.ts';
import { keyStore } from '../../accounts/keys/keys.store.ts';
import { noticeStore } from '../../accounts/notices/notices.store.ts';
import {
  allowedTo,
  type Changer,
  changeAround,
} from '../../accounts/people/account-methods.store.ts';
import { accountRegistry } from '../../accounts/people/account-registry.store.ts';
import { invitationStore } from '../../accounts/people/invitations.store.ts';
import { regionStore } from '../../accounts/people/region.store.ts';
import { sheetLinkStore } from '../../accounts/sheet-links/sheet-links.store.ts';
import { deviceStore } from '../../accounts/sign-in/devices.store.ts';
import { identityStore } from '../../accounts/sign-in/identities.store.ts';
import { passkeyStore } from '../../accounts/sign-in/passkeys.store.ts';
import { secondFactorStore } from '../../accounts/sign-in/second-factors.store.ts';
import { sessionStore } from '../../accounts/sign-in/sessions.store.ts';
import { visitStore } from '../../accounts/sign-in/visits.store.ts';
import { deliveryChannelStore } from '../../alerts/channels/delivery-channels.store.ts';
import { alertStore } from '../../alerts/conditions/alert-rules.store.ts';
import { alertWorkStore } from '../../alerts/conditions/alert-work.store.ts';
import { deliveryQueue } from '../../alerts/delivery/deliveries.store.ts';
import { accountNoticeStore } from '../../alerts/notices/account-notices.store.ts';
import { watchStore } from '../../alerts/watchlists/watch-lists.store.ts';
import { savedBoxStore } from '../../buying/boxes/saved-boxes.store.ts';
import { skippedDealStore } from '../../buying/deals/skipped-deals.store.ts';
import { buyingSettingsStore } from '../../buying/prices/buying-settings.store.ts';
import { importDraftStore } from '../../ingest/runner/import-drafts.store.ts';
import { ownBarcodeStore } from '../../portfolio/barcodes/own-barcodes.store.ts';
import { deviceEntryStore } from '../../portfolio/device/device-entries.store.ts';
import { type OwnForm, onceFor, sentFormStore } from '../../portfolio/forms/sent-forms.store.ts';
import { brickfolioStore } from '../../portfolio/lots/brickfolios.store.ts';
import { holdingEdits } from '../../portfolio/lots/holding-edits.store.ts';
import { lotStore } from '../../portfolio/lots/lots.store.ts';
import { ownFieldStore } from '../../portfolio/lots/own-fields.store.ts';
import { privateRows } from '../../portfolio/lots/private-rows.store.ts';
import { savedViewStore } from '../../portfolio/lots/saved-views.store.ts';
import { undoLog } from '../../portfolio/lots/undo-log.store.ts';
import { photoStore } from '../../portfolio/photos/photos.store.ts';
import { predictionStore } from '../../portfolio/predictions/predictions.store.ts';
import { purchaseStore } from '../../portfolio/purchases/purchases.store.ts';
import { ledgerStore } from '../../portfolio/sales/ledger.store.ts';
import { shareStore } from '../../portfolio/sharing/shares.store.ts';
import { sweeping } from '../../portfolio/sweep/sweep.store.ts';
import type { StoreClock } from '../sql/clock.ts';
import type { Engine } from '../sql/operation.ts';

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
    ...deliveryChannelStore(engine),
    // A message that is sent again after a power failure has the same id.
    ...deliveryQueue(sweeper, clock),
    ...sweeping(sweeper),
  };
}
