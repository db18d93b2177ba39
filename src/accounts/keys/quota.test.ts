/** Quotas: only Reseller may call, and the daily allowance is never exceeded. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Caller, decideAdmission } from './quota.ts';
import { type Scope, scopeBits } from './scopes.ts';

const caller: Caller = {
  keyId: 1,
  accountId: 1,
  plan: 'reseller',
  allowance: 1000,
  scopes: 15,
  expiresAt: null,
  isTest: false,
  isOld: false,
  privateVersion: 0,
};

test.each([
  ['the first call', 0, 1, 'granted', 1],
  ['a call in between', 500, 1, 'granted', 501],
  ['the last call', 999, 1, 'granted', 1000],
  ['one call too many', 1000, 1, 'exhausted', 1000],
  ['a batch that fits exactly', 900, 100, 'granted', 1000],
  ['a batch that is one too large', 901, 100, 'exhausted', 901],
  ['identification', 500, 0, 'granted', 500],
  ['identification with nothing left', 1000, 0, 'granted', 1000],
  ['identification after the allowance was lowered', 1200, 0, 'granted', 1200],
] as const)('%s: %d used, cost %d, is %s', (_, used, cost, outcome, usedAfter) => {
  expect(decideAdmission(caller, { used, cost })).toEqual({ caller, used: usedAfter, outcome });
});

test('another plan is refused whatever is left, and not charged', () => {
  const free: Caller = { ...caller, plan: 'free' };
  for (const used of [0, 1000]) {
    expect(decideAdmission(free, { used, cost: 1 })).toEqual({
      caller: free,
      used,
      outcome: 'plan',
    });
  }
});

test('a call that needs a scope the key lacks is refused before the allowance, uncharged', () => {
  const market: Caller = { ...caller, scopes: scopeBits(['market', 'events']) };
  const decide = (names: readonly Scope[], used = 0) =>
    decideAdmission(market, { used, cost: 1, needs: scopeBits(names) });
  expect(decide(['market'])).toMatchObject({ outcome: 'granted', used: 1 });
  expect(decide(['market', 'events'])).toMatchObject({ outcome: 'granted', used: 1 });
  expect(decide(['sales', 'events'], 1000)).toMatchObject({ outcome: 'scope', used: 1000 });
  const free: Caller = { ...market, plan: 'free' };
  expect(decideAdmission(free, { used: 0, cost: 1, needs: 15 }).outcome).toBe('plan');
});

test('a test key pays nothing and has no count, even with nothing left in its place', () => {
  const tester: Caller = { ...caller, isTest: true };
  expect(decideAdmission(tester, { used: 1000, cost: 100 })).toMatchObject({
    outcome: 'granted',
    used: 0,
  });
});

test('no sequence of requests exceeds the allowance, and only granted requests are charged', () => {
  const costs = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1500 }), costs, (allowance, wanted) => {
      let used = 0;
      let granted = 0;
      for (const cost of wanted) {
        const admission = decideAdmission({ ...caller, allowance }, { used, cost });
        if (admission.outcome === 'granted') granted += cost;
        used = admission.used;
        expect(used).toBe(granted);
        expect(used).toBeLessThanOrEqual(allowance);
      }
    }),
    { seed: 1000, numRuns: 200 },
  );
});
