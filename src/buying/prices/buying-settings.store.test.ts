/** Guarantees of every store about buying settings. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { shareStore } from '../../../test/support/shared-store.ts';
import { usualSettings } from './buying-settings.ts';

const shared = shareStore();

test('of two rates saved at once, both stay, and so do the other settings', async () => {
  const { accounts } = shared.store;
  const { id } = await shared.addOwner();
  const rateOf = (platform: 'ebay' | 'mercari', basisPoints: number) => {
    return { platform, basisPoints, feeCents: 50 } as const;
  };
  const settings = { ...usualSettings, taxBasisPoints: 800, ownRates: [rateOf('ebay', 100)] };
  await accounts.saveBuyingSettings(id, settings);
  const rates = [rateOf('ebay', 1_200), rateOf('mercari', 1_100)];
  const saved = await Promise.all(rates.map((rate) => accounts.saveOwnRate(id, rate)));
  const { ownRates, ...others } = await accounts.findBuyingSettings(id);
  expect([saved, others]).toEqual([[true, true], { ...others, taxBasisPoints: 800 }]);
  expect(new Set(ownRates)).toEqual(new Set(rates));
  expect(await accounts.saveOwnRate(0, rateOf('ebay', 1))).toBe(false);
});
