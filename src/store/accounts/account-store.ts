/** The private half of a store, except for the parts specific to an engine. */

import { accountRoomStore } from '../../accounts/accounts.store.ts';
import {
  allowedTo,
  type Changer,
  changeAround,
} from '../../accounts/people/account-methods.store.ts';
import { alertRoomStore } from '../../alerts/alerts.store.ts';
import { buyingRoomStore } from '../../buying/buying.store.ts';
import { importDraftStore } from '../../ingest/runner/import-drafts.store.ts';
import { type OwnForm, onceFor } from '../../portfolio/forms/sent-forms.store.ts';
import { portfolioRoomStore } from '../../portfolio/portfolio.store.ts';
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
    ...accountRoomStore(engine, clock, sweeper),
    ...buyingRoomStore(engine),
    ...alertRoomStore(engine, clock, sweeper),
    ...portfolioRoomStore(engine, clock, sweeper),
    ...importDraftStore(engine),
  };
}
