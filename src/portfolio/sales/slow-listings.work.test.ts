/** Which listed lots take too long, in which order. */
import { expect, test } from 'bun:test';
import { anInventoryLot, someEvidence } from '../../../test/support/builders.ts';
import { dealsAt, soldWell } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { setExample } from '../../contract/set.ts';
import { dayMs, formatDay } from '../../kernel/time.ts';
import type { InventoryLot } from '../lots/lots.ts';
import { findSlowListings } from './slow-listings.work.ts';

const sealed = {
  ...soldWell.price,
  lowCents: 90_00,
  highCents: 110_00,
  sales: { ever: 24, days30: 2, days90: 6, days180: 12, days365: 24 },
  firstSale: null,
  latestSale: null,
  rate: { sales: 24, days: 365, priorSales: 2, priorDays: 60 },
};
const evidence = someEvidence({ tier: 'high', offsets: soldWell.offsets, sealed });

const market = {
  findResaleRecords: async (_: string, keys: readonly string[]) =>
    new Map(
      keys.flatMap((key) => {
        const body = JSON.stringify(setExample);
        return key === 'gone' ? [] : [[key, { key, number: key, body, evidence, retail: null }]];
      }),
    ),
} as unknown as Parameters<typeof findSlowListings>[0];

const listed = (key: string, days: number, facts: Partial<InventoryLot> = {}): InventoryLot =>
  anInventoryLot({
    kind: 'set',
    key,
    condition: 'sealed',
    status: 'listed',
    listedAt: formatDay(dealsAt - days * dayMs),
    askingCents: null,
    ...facts,
  });

async function slow(...lots: InventoryLot[]) {
  return findSlowListings(market, lots, { tables: builtInTables, at: dealsAt });
}

test('a lot is slow after twice the median wait', async () => {
  const [found] = await slow(listed('1', 5_000));
  const wait = found?.waitDays ?? 0;
  expect(wait).toBeGreaterThan(1);
  expect(found).toMatchObject({ number: '1', daysListed: 5_000, valueCents: 100_00 });
  const twice = Math.floor(2 * wait);
  const both = await slow(listed('1', twice), listed('2', twice + 1));
  expect(both.map(({ number }) => number)).toEqual(['2']);
});

test('at a higher price it may take longer, and the longest overdue comes first', async () => {
  const [usual, dear] = await slow(
    listed('dear', 5_000, { askingCents: 120_00 }),
    listed('usual', 5_000),
  );
  expect([usual?.number, dear?.number]).toEqual(['usual', 'dear']);
  expect(dear?.waitDays).toBeGreaterThan(usual?.waitDays ?? 0);
});

test('lots without a value, a date or the status are not judged', async () => {
  const lots = [
    listed('gone', 5_000),
    listed('1', 5_000, { condition: 'used' }),
    listed('1', 5_000, { listedAt: null }),
    listed('1', 5_000, { status: 'owned' }),
  ];
  expect(await slow(...lots)).toEqual([]);
});
