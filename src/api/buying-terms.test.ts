/** The terms of a call: what it says itself, and what its account pays. */
import { expect, test } from 'bun:test';
import { type BuyingSettings, usualSettings } from '../domain/buying/buying-settings.ts';
import { builtInFees } from '../domain/fees/fee-table.ts';
import { builtInPostage } from '../domain/fees/postage.ts';
import { askedTerms, ownTerms, presentDays, roundTo } from './buying-terms.ts';

const tables = { fees: builtInFees, postage: builtInPostage };
const asked = askedTerms({ share: 0.65, margin_pct: 33.33 });

async function termsWith(settings: Partial<BuyingSettings>) {
  const accounts = {
    findBuyingSettings: async () => ({ ...usualSettings, ...settings }),
  };
  return ownTerms({ accounts, tables }, 1, asked);
}

test('share and margin are those of the call, all else is the account’s', async () => {
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

test('the same tables are used for all who have no rates of their own', async () => {
  expect((await termsWith({})).tables).toBe(tables);
  const ownRates = [{ platform: 'ebay' as const, basisPoints: 1, feeCents: 0 }];
  expect((await termsWith({ ownRates })).tables).not.toBe(tables);
});

test('days have one place, and what nobody knows stays unknown', () => {
  expect([presentDays(12.345), presentDays(0.04), presentDays(null)]).toEqual([12.3, 0, null]);
  expect(roundTo(9.3666, 2)).toBe(9.37);
});
