/** Which lots get a prediction when they are recorded, and which one. */
import { expect, test } from 'bun:test';
import { rowsOf } from '../../test/support/own-rows.ts';
import type { AccountStore } from '../domain/account/account-store.ts';
import { usualSettings } from '../domain/buying/buying-settings.ts';
import { builtInFees } from '../domain/fees/fee-table.ts';
import { builtInPostage } from '../domain/fees/postage.ts';
import type { Evidence } from '../domain/market/evidence.ts';
import type { ResaleRecord } from '../domain/market/market-reading.ts';
import type { LotFacts } from '../domain/portfolio/lots.ts';
import type { PrivateRow } from '../domain/portfolio/private-rows.ts';
import { withPredictions } from './predictions.ts';

const at = Date.UTC(2026, 10, 15, 12);
const { lot, sale } = rowsOf('ann@example.com');

const evidence = {
  tier: 'high',
  sealed: { valueCents: 100_00, valueSpread: 0, saleSpread: 0, sales: { ever: 1 } },
  used: null,
  offsets: { fixed: 0 },
} as unknown as Evidence;
const box = { width_in: 15, height_in: 10, depth_in: 2.5, weight_lbs: 2 };
const body = JSON.stringify({ title: 'Falcon', pieces: 500, msrp_usd: 80, box });
const record: ResaleRecord = { key: '1', number: '1', body, evidence, retail: null };

/** What the store is given of rows, and how often the market was asked. */
async function applied(
  batches: readonly (readonly PrivateRow[])[],
  { settings = usualSettings, stamps = [] as number[] } = {},
) {
  let given: readonly PrivateRow[] = [];
  let asked = 0;
  const accounts = {
    findAccount: async () => ({ id: 1 }),
    findBuyingSettings: async () => settings,
    applyRows: async (them: readonly PrivateRow[]) => {
      given = them;
      return [];
    },
  } as unknown as AccountStore;
  const findResaleRecords = async (_: string, keys: readonly string[]) => {
    asked += 1;
    return new Map(keys.filter((key) => key === '1').map((key) => [key, record]));
  };
  const findTables = () => ({ fees: builtInFees, postage: builtInPostage });
  const market = { findResaleRecords, publishStamp: () => stamps.shift() ?? 0 };
  const { applyRows } = withPredictions(accounts, { market, findTables });
  for (const more of batches) await applyRows(more, at);
  return { given, asked };
}

const bought = (facts: Partial<LotFacts>) => lot('x', { purchaseDate: '2026-11-14', ...facts });
const predictions = (rows: readonly PrivateRow[]) =>
  rows.map((row) => ('prediction' in row ? row.prediction?.netHalfCents : 'none asked for'));

test('a lot that was bought lately is kept with what selling it would bring', async () => {
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

test('rates of its own are what an account is predicted with', async () => {
  const ownRates = [{ platform: 'ebay', basisPoints: 1_000, feeCents: 0 } as const];
  const { given } = await applied([[bought({})]], { settings: { ...usualSettings, ownRates } });
  expect(predictions(given)).toEqual([78_25]);
});

test('rows keep their order; what is older, unknown or no purchase has no prediction', async () => {
  const rows = [
    sale('s'),
    bought({ purchaseDate: '2026-10-16' }),
    bought({ purchaseDate: '2026-10-15' }),
    bought({ setNumber: '2' }),
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

test('nobody is asked where nothing is to be predicted, and what is there stays', async () => {
  const settled = { ...bought({}), prediction: null } as PrivateRow;
  const { given, asked } = await applied([[lot('old'), settled]]);
  expect([given, asked]).toEqual([[lot('old'), settled], 0]);
});

test('a set is asked for once, as long as nothing is published', async () => {
  const batch = [bought({})];
  expect((await applied([batch, batch])).asked).toBe(1);
  const { given, asked } = await applied([batch, batch], { stamps: [1, 2] });
  expect([predictions(given), asked]).toEqual([[73_23], 2]);
});
