/** A caller with a usual key, and the use of a key, for tests of parts of the API. */
import type { Caller, KeyUse } from '../../src/accounts/keys/quota.ts';
import { allScopes } from '../../src/accounts/keys/scopes.ts';

export const usualCaller: Caller = {
  keyId: 1,
  accountId: 1,
  plan: 'reseller',
  allowance: 5,
  scopes: allScopes,
  expiresAt: null,
  isTest: false,
  isOld: false,
  privateVersion: 0,
};

/** A use that needs no scope. */
export const plainUse: KeyUse = {
  keyHash: new Uint8Array(32),
  needs: 0,
  address: () => '127.0.0.1',
};
