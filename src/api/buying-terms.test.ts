/** Buying terms of a call: from its parameters and the settings of its account. */
import { expect, test } from 'bun:test';
import { usualCaller } from '../../test/support/callers.ts';
import { scopeBits } from '../accounts/keys/scopes.ts';
import { type BuyingSettings, usualSettings } from '../buying/prices/buying-settings.ts';
import { builtInFees } from '../market/fees/fee-table.ts';
import { builtInPostage } from '../market/fees/postage.ts';
import { ownTerms, presentDays, requestedTerms, roundTo } from './buying-terms.ts';

const tables = { fees: builtInFees, postage: builtInPostage };
const asked = requestedTerms({ share: 0.65, margin_pct: 33.33 });

async function termsWith(settings: Partial<BuyingSettings>) {
  const accounts = {
    findBuyingSettings: async () => ({ ...usualSettings, ...settings }),
  };
  return ownTerms({ accounts, tables }, usualCaller, asked);
}

test('share and margin come from the call, other terms from the account', async () => {
  const own = { taxBasisPoints: 725, cashbackBasisPoints: 500, inboundCents: 99 };
  const given = { share: 0.9, marginBasisPoints: 1, moneyBasisPoints: 600, ...own };
  const { terms } = await termsWith(given);
  expect(terms).toEqual({
    share: 0.65,
    marginBasisPoints: 3333,
    moneyBasisPoints: 600,
    costs: own,
  });
});

test('a key without the scope of the portfolio gets default settings', async () => {
  const accounts = {
    findBuyingSettings: async () => ({ ...usualSettings, taxBasisPoints: 725 }),
  };
  const market = { ...usualCaller, scopes: scopeBits(['market', 'sales', 'events']) };
  const { terms } = await ownTerms({ accounts, tables }, market, asked);
  expect(terms.costs.taxBasisPoints).toBe(usualSettings.taxBasisPoints);
});

test('accounts without own rates share the same tables', async () => {
  expect((await termsWith({})).tables).toBe(tables);
  const ownRates = [{ platform: 'ebay' as const, basisPoints: 1, feeCents: 0 }];
  expect((await termsWith({ ownRates })).tables).not.toBe(tables);
});

test('days have one decimal, and unknown ones are null', () => {
  expect([presentDays(12.345), presentDays(0.04), presentDays(null)]).toEqual([12.3, 0, null]);
  expect(roundTo(9.3666, 2)).toBe(9.37);
});
