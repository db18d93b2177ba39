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
import { channelStore } from '../../alerts/channels/delivery-channels.store.ts';
import { alertStore } from '../../alerts/conditions/alert-rules.store.ts';
import { alertWorkStore } from '../../alerts/conditions/alert-work.store.ts';
import { deliveryQueue } from '../../alerts/delivery/deliveries.store.ts';
import { accountNoticeStore } from '../../alerts/notices/account-notices.store.ts';
import { watchStore } from '../../alerts/watchlists/watch-lists.store.ts';
import { savedBoxStore } from '../../buying/boxes/saved-boxes.store.ts';
import { skippedDealStore } from '../../buying/deals/skipped-deals.store.ts';
import { buyingSettingsStore } from '../../buying/prices/buying-settings.store.ts';
import type { StoreClock } from '../sql/clock.ts';
import type { Engine } from '../sql/operation.ts';
import { brickfolioStore } from './brickfolios.ts';
import { deviceEntryStore } from './device-entries.ts';
import { holdingEdits } from './holding-edits.ts';
import { importDraftStore } from './import-drafts.ts';
import { ledgerStore } from './ledger.ts';
import { lotStore } from './lots.ts';
import { ownBarcodeStore } from './own-barcodes.ts';
import { ownFieldStore } from './own-fields.ts';
import { photoStore } from './photos.ts';
import { predictionStore } from './predictions.ts';
import { privateRows } from './private-rows.ts';
import { purchaseStore } from './purchases.ts';
import { savedViewStore } from './saved-views.ts';
import { type OwnForm, onceFor, sentFormStore } from './sent-forms.ts';
import { shareStore } from './shares.ts';
import { sweeping } from './sweep.ts';
import { undoLog } from './undo-log.ts';

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
