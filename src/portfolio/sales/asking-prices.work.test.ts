/** Asking prices by a rule: the channel, the grade, the floor, and lots that are skipped. */
import { expect, test } from 'bun:test';
import { anInventoryLot, someEvidence } from '../../../test/support/builders.ts';
import { dealsAt, soldWell } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { defaultTerms, netOfUnit } from '../../buying/boxes/quotes.ts';
import type { AskingRule } from '../../buying/prices/asking-price.ts';
import { tablesOf, usualSettings } from '../../buying/prices/buying-settings.ts';
import { gradedResale } from '../../buying/prices/resale.ts';
import { findResaleItem } from '../../buying/prices/resale-item.work.ts';
import { waitDaysFor } from '../../buying/prices/your-wait.ts';
import { setExample } from '../../contract/set.ts';
import { wholeShare } from '../../market/grades/grades.ts';
import type { InventoryRow } from '../lots/inventory.ts';
import type { InventoryLot } from '../lots/lots.ts';
import { type AskingQuestion, findAskingLots } from './asking-prices.work.ts';

const sales = { ever: 24, days30: 2, days90: 6, days180: 12, days365: 24 };
const sealed = {
  ...soldWell.price,
  lowCents: 90_00,
  highCents: 110_00,
  sales,
  firstSale: null,
  latestSale: null,
  ...(soldWell.rate && { rate: soldWell.rate }),
};
const record = {
  key: '1',
  number: '1',
  body: JSON.stringify(setExample),
  evidence: someEvidence({ tier: 'high', offsets: soldWell.offsets, sealed }),
  retail: null,
};
const market = {
  findResaleRecords: async () => new Map([['1', record]]),
} as unknown as Parameters<typeof findAskingLots>[0];

const rule: AskingRule = {
  base: 'value',
  factorBasisPoints: 10_000,
  plusCents: 0,
  rounding: 'none',
  keepsMargin: true,
};

function rowOf(facts: Partial<InventoryLot>, changes: Partial<InventoryRow> = {}): InventoryRow {
  const given = { kind: 'set', key: '1', number: '1', condition: 'sealed' } as const;
  const lot = anInventoryLot({ ...given, priceCents: 10_00, ...facts });
  const item = { number: '1', title: 'Set', theme: 'Town' };
  const unvalued = { newCents: null, usedCents: null, newTier: null, usedTier: null };
  return {
    lot,
    item: { ...item, ...unvalued },
    brickfolio: 'Shelf',
    units: 1,
    costCents: lot.priceCents,
    unitCents: 100_00,
    daysListed: null,
    share: wholeShare,
    tier: 'high',
    ...changes,
  };
}

async function askOne(row: InventoryRow, given: Partial<AskingQuestion> = {}) {
  const question = { rule, terms: defaultTerms, tables: builtInTables, at: dealsAt, ...given };
  const [lot] = await findAskingLots(market, [row], question);
  if (!lot) throw new Error('Every lot has an answer.');
  return lot;
}

test('a raised price leaves exactly the margin, on the channel of the listing', async () => {
  const lot = await askOne(
    rowOf({ priceCents: 95_00, listingUrl: 'https://store.bricklink.com/ann' }),
  );
  expect([lot.channel, lot.price?.raisedFromCents]).toEqual(['bricklink', 100_00]);
  const resale = (await findResaleItem(market, 'set', '1'))?.resale.sealed;
  if (!resale) throw new Error('It has a value.');
  const netAt = (priceCents: number) =>
    netOfUnit(builtInTables, resale, { channel: 'bricklink', priceCents, at: dealsAt })?.netCents;
  const priceCents = lot.price?.askingCents ?? 0;
  // 95.00 and 25 % are 118.75.
  expect(netAt(priceCents)).toBe(118_75);
  expect(netAt(priceCents - 1)).toBeLessThan(118_75);
  expect(lot.waitDays).toBe(waitDaysFor(resale, { channel: 'bricklink', at: dealsAt, priceCents }));
  const free = await askOne(rowOf({ priceCents: 95_00 }), {
    rule: { ...rule, keepsMargin: false },
  });
  expect(free.price).toEqual({ askingCents: 100_00, raisedFromCents: null });
});

test('the time to sell is that of the grade; without a rule, at the present price', async () => {
  const share = { ...wholeShare, share: 0.8 };
  const lot = await askOne(rowOf({ askingCents: 100_00 }, { share, unitCents: 80_00 }), {
    rule: null,
  });
  expect([lot.price, lot.gap]).toEqual([null, null]);
  const resale = (await findResaleItem(market, 'set', '1'))?.resale.sealed;
  const channel = lot.channel ?? 'other';
  const at = { channel, at: dealsAt, priceCents: 100_00 };
  expect(lot.waitDays).toBe(resale ? waitDaysFor(gradedResale(resale, share), at) : null);
  const graded = await askOne(rowOf({}, { share, unitCents: 80_00 }));
  expect(graded.price?.askingCents).toBe(80_00);
});

test('lots without a value or cost, or that no price keeps the margin of, are skipped', async () => {
  const gap = async (row: InventoryRow, given: Partial<AskingQuestion> = {}) => {
    const lot = await askOne(row, given);
    expect(lot.price).toBeNull();
    return lot.gap;
  };
  expect(await gap(rowOf({ condition: 'used' }, { unitCents: null }))).toBe('no value');
  const byCost = { rule: { ...rule, base: 'cost' } } as const;
  expect(await gap(rowOf({ condition: 'used' }, { unitCents: null }), byCost)).toBe('no value');
  expect(await gap(rowOf({ priceCents: 0 }), byCost)).toBe('no cost');
  const ownRates = [{ platform: 'ebay', basisPoints: 10_000, feeCents: 0 }] as const;
  const tables = tablesOf(builtInTables, { ...usualSettings, ownRates });
  const listed = rowOf({ listingUrl: 'https://www.ebay.com/itm/1' });
  expect(await gap(listed, { tables })).toBe('no margin');
});
