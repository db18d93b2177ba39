/** The store operations of this room, joined. */
import type { StoreClock } from '../store/sql/clock.ts';
import type { Engine } from '../store/sql/operation.ts';
import { auditStore } from './audit/audit.store.ts';
import { endpointUsageStore } from './keys/endpoint-usage.store.ts';
import { keyStore } from './keys/keys.store.ts';
import { noticeStore } from './notices/notices.store.ts';
import { accountRegistry } from './people/account-registry.store.ts';
import { invitationStore } from './people/invitations.store.ts';
import { regionStore } from './people/region.store.ts';
import { sheetLinkStore } from './sheet-links/sheet-links.store.ts';
import { deviceStore } from './sign-in/devices.store.ts';
import { failedSignInStore } from './sign-in/failed-sign-ins.store.ts';
import { identityStore } from './sign-in/identities.store.ts';
import { passkeyStore } from './sign-in/passkeys.store.ts';
import { secondFactorStore } from './sign-in/second-factors.store.ts';
import { sessionStore } from './sign-in/sessions.store.ts';
import { visitStore } from './sign-in/visits.store.ts';

/** Writes of `sweeper` may be lost in a power failure. */
export function accountRoomStore(engine: Engine, clock: StoreClock, sweeper: Engine) {
  return {
    ...accountRegistry(engine, clock),
    ...auditStore(engine),
    ...keyStore(engine, clock),
    ...sheetLinkStore(engine, clock, sweeper),
    // Counts of a few minutes, which are approximate anyway.
    ...endpointUsageStore(sweeper),
    ...failedSignInStore(sweeper),
    ...sessionStore(engine, clock),
    ...deviceStore(engine),
    ...secondFactorStore(engine),
    ...passkeyStore(engine),
    ...identityStore(engine, clock),
    ...invitationStore(engine, clock),
    ...noticeStore(engine),
    ...regionStore(engine),
    ...visitStore(engine),
  };
}

export interface AccountRoomStore extends ReturnType<typeof accountRoomStore> {}
