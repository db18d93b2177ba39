/** Which lots get a prediction when they are recorded, and which one. */
import { expect, test } from 'bun:test';
import { rowsOf } from '../../../test/support/own-rows.ts';
import { type BuyingSettings, usualSettings } from '../../buying/prices/buying-settings.ts';
import { dayMs } from '../../kernel/time.ts';
import type { Evidence } from '../../market/evidence/evidence.ts';
import { builtInFees } from '../../market/fees/fee-table.ts';
import { builtInPostage } from '../../market/fees/postage.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import type { AccountStore } from '../../store/store.ts';
import type { LotFacts } from '../lots/lots.ts';
import type { AccountChange, AccountRow, PrivateRow } from '../lots/private-rows.ts';
import { withPredictions } from './predictions.work.ts';

const at = Date.UTC(2026, 10, 15, 12);
const { lot, sale } = rowsOf('ann@example.com');

const evidence = {
  tier: 'high',
  sealed: { valueCents: 100_00, valueSpread: 0, saleSpread: 0, sales: { ever: 3 } },
  used: null,
  offsets: { fixed: 0 },
} as unknown as Evidence;
const box = { width_in: 15, height_in: 10, depth_in: 2.5, weight_lbs: 2 };
const body = JSON.stringify({ title: 'Falcon', pieces: 500, msrp_usd: 80, box });
const record: ResaleRecord = { key: '1', number: '1', body, evidence, retail: null };

/** The rows passed to the store, and the number of market queries. */
async function applied(
  batches: readonly (readonly PrivateRow[])[],
  options: {
    readonly settings?: BuyingSettings;
    readonly stamps?: number[];
    readonly isFile?: boolean;
    readonly accountId?: number;
    readonly days?: readonly number[];
  } = {},
) {
  const { settings = usualSettings, stamps = [], isFile = true, days = [] } = options;
  const { accountId = 1 } = options;
  let given: readonly AccountRow[] = [];
  let asked = 0;
  const accounts = {
    findBuyingSettings: async (id: number) => (id === 1 ? settings : usualSettings),
    change: async (_: number, change: AccountChange) => {
      given = change.rows;
      return { outcomes: [], editId: null, wasApplied: false };
    },
  } as unknown as AccountStore;
  const findResaleRecords = async (_: string, keys: readonly string[]) => {
    asked += 1;
    return new Map(keys.filter((key) => key === '1').map((key) => [key, record]));
  };
  const findTables = () => ({ fees: builtInFees, postage: builtInPostage });
  const market = { findResaleRecords, publishStamp: async () => stamps.shift() ?? 0 };
  const { change } = withPredictions(accounts, { market, findTables });
  for (const [index, more] of batches.entries()) {
    const time = at + (days[index] ?? 0) * dayMs;
    await change(accountId, { rows: more, isFile }, time);
  }
  return { given, asked };
}

const bought = (facts: Partial<LotFacts>) => lot('x', { purchaseDate: '2026-11-14', ...facts });
const predictions = (rows: readonly AccountRow[]) =>
  rows.map((row) => ('prediction' in row ? row.prediction?.netHalfCents : 'none asked for'));

test('a lot that was bought recently is saved with its prediction', async () => {
  const { given } = await applied([[bought({})]]);
  // 107.50 × 13.6 % + 0.40 = 15.02; 375 in³ ÷ 166 = 2.26 lb, 2.61 with packing: 11.75.
  expect(given).toEqual([
    {
      ...bought({}),
      prediction: {
        at,
        condition: 'sealed',
        valueCents: 100_00,
        netHalfCents: 73_23,
        netSafeCents: 73_23,
        channel: 'ebay',
        waitDays: null,
      },
    } as PrivateRow,
  ]);
});

test("an account's own rates are used", async () => {
  const ownRates = [{ platform: 'ebay', basisPoints: 1_000, feeCents: 0 } as const];
  const { given } = await applied([[bought({})]], { settings: { ...usualSettings, ownRates } });
  expect(predictions(given)).toEqual([78_25]);
});

test('rows keep their order; older, unknown and other rows have no prediction', async () => {
  const rows = [
    sale('s'),
    bought({ purchaseDate: '2026-10-16' }),
    bought({ purchaseDate: '2026-10-15' }),
    bought({ number: '2' }),
    bought({ condition: 'used' }),
    bought({ quantity: 9 }),
  ];
  const { given, asked } = await applied([rows]);
  expect(predictions(given)).toEqual([
    'none asked for',
    73_23,
    'none asked for',
    undefined,
    undefined,
    73_23,
  ]);
  expect(asked).toBe(1);
});

test('nothing is read if there is nothing to predict, and existing predictions stay', async () => {
  const settled = { ...bought({}), prediction: null } as PrivateRow;
  const { given, asked } = await applied([[lot('old'), settled]]);
  expect([given, asked]).toEqual([[lot('old'), settled], 0]);
});

test('a set is read once, as long as nothing is published', async () => {
  const batch = [bought({})];
  expect((await applied([batch, batch])).asked).toBe(1);
  const { given, asked } = await applied([batch, batch], { stamps: [1, 2] });
  expect([predictions(given), asked]).toEqual([[73_23], 2]);
});

test('lots of forms, which must be new, have predictions too', async () => {
  const added = { ...bought({}), seen: null } as PrivateRow;
  expect(predictions((await applied([[added]], { isFile: false })).given)).toEqual([73_23]);
});

test('each account is predicted with its own rates', async () => {
  const ownRates = [{ platform: 'ebay', basisPoints: 1_000, feeCents: 0 } as const];
  const settings = { ...usualSettings, ownRates };
  for (const [accountId, cents] of [
    [1, 78_25],
    [2, 73_23],
  ] as const) {
    const { given } = await applied([[bought({})]], { settings, accountId });
    expect(predictions(given)).toEqual([cents]);
  }
});

test('changing an existing lot is not a purchase', async () => {
  const row = bought({});
  const seen = { ...row, seen: row.facts } as PrivateRow;
  expect(await applied([[seen]])).toEqual({ given: [seen], asked: 0 });
});

test('all forms of a number are one set; its conditions are two', async () => {
  const { given, asked } = await applied([
    [bought({})],
    [bought({ number: '1-1' })],
    [bought({ condition: 'used' }), bought({})],
  ]);
  expect([predictions(given), asked]).toEqual([[undefined, 73_23], 2]);
});

test('the cache is cleared on the next day', async () => {
  expect((await applied([[bought({})], [bought({})]], { days: [0, 1] })).asked).toBe(2);
});

test('at most 20,000 predictions are cached', async () => {
  const sets = Array.from({ length: 20_001 }, (_, index) => bought({ number: `${index + 1}` }));
  const again = sets.slice(0, 1);
  expect((await applied([sets.slice(0, 20_000), again])).asked).toBe(1);
  expect((await applied([sets, again])).asked).toBe(2);
});
