/** Fees with dates and sources, the caller's own rates and costs, and exchange rates. */
import { expect, test } from 'bun:test';
import { dataIn } from '../../../test/support/handled.ts';
import { type BuyingSettings, usualSettings } from '../../buying/prices/buying-settings.ts';
import type { FeeSchedules } from '../../contract/plus/fees.ts';
import type { ExchangeRates } from '../../contract/plus/rates.ts';
import { builtInFees } from '../../market/fees/fee-table.ts';
import feesFile from '../../market/fees/fees.json' with { type: 'json' };
import postageFile from '../../market/fees/postage.json' with { type: 'json' };
import { builtInPostage } from '../../market/fees/postage.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { feeHandlers } from './fees.ts';

const now = Date.UTC(2026, 10, 15, 12);

function handlers(
  settings: Partial<BuyingSettings> = {},
  asked: string[] = [],
): Pick<Handlers, 'getFees' | 'listRates'> {
  const listLatestRates = async (until: string) => {
    asked.push(until);
    return [{ currency: 'EUR', date: '2026-11-13', usdPerUnit: 1.0842 }];
  };
  return feeHandlers({
    market: { store: { listLatestRates } },
    accounts: { findBuyingSettings: async () => ({ ...usualSettings, ...settings }) },
    tables: { fees: builtInFees, postage: builtInPostage },
    clock: () => now,
  } as unknown as HandlerDeps);
}

const caller = { accountId: 1, scopes: 15 } as never;

async function fees(settings: Partial<BuyingSettings> = {}): Promise<FeeSchedules> {
  const work = handlers(settings).getFees({ params: {}, query: {}, body: null });
  return dataIn(await work.read(caller, { used: 0, at: now }));
}

test('fees and postage are those of the tables, under the same names', async () => {
  const { platforms, postage, ...rest } = await fees();
  expect(rest).toMatchObject({ date: '2026-11-15', sales_tax_percent: feesFile.sales_tax_percent });
  expect(platforms).toHaveLength(feesFile.platforms.length);
  for (const row of feesFile.platforms) {
    const shown = platforms.find(
      ({ platform, from }) => platform === row.platform && from === row.from,
    );
    const withNull = (step: object) => ({ up_to_usd: null, ...step });
    expect(shown).toEqual({
      steps_per: 'unit',
      ...row,
      steps: row.steps.map(withNull),
      per_order: row.per_order.map(withNull),
      payments: row.payments.map((payment) => ({ base: 'with_shipping', ...payment })),
    } as never);
  }
  expect(postage).toMatchObject(postageFile.tables);
});

test('FBA has sizes from small to large, and the last has no limit', async () => {
  const { fba, fba_storage } = await fees();
  expect(fba.map(({ from, surcharge_percent }) => [from, surcharge_percent])).toEqual([
    ['2026-01-15', 0],
    ['2026-04-17', 3.5],
  ]);
  const sizes = fba[1]?.sizes ?? [];
  expect(sizes.filter(({ standard_size }) => standard_size)).toEqual(sizes.slice(0, 2));
  expect(sizes).toHaveLength(8);
  expect(sizes[0]).toMatchObject({ size: 'small standard', longest_in: 15, shortest_in: 0.75 });
  expect(sizes.at(-1)?.rows).toEqual([
    {
      up_to_oz: null,
      low_price_usd: 194.18,
      middle_price_usd: 194.95,
      high_price_usd: 194.95,
    },
  ]);
  expect(fba_storage[0]?.october_to_december).toEqual({ standard_size_usd: 2.4, larger_usd: 1.4 });
  for (const { source } of [...fba, ...fba_storage]) expect(source).toStartWith('Amazon, ');
});

test('fees that were reloaded apply to the next call', async () => {
  const deps = {
    market: {},
    accounts: { findBuyingSettings: async () => usualSettings },
    tables: { fees: builtInFees, postage: builtInPostage },
    clock: () => now,
  };
  const { getFees }: Pick<Handlers, 'getFees'> = feeHandlers(deps as unknown as HandlerDeps);
  deps.tables = { ...deps.tables, fees: { ...builtInFees, taxBasisPoints: 900 } };
  const work = getFees({ params: {}, query: {}, body: null });
  const answer: FeeSchedules = dataIn(await work.read(caller, { used: 0, at: now }));
  expect(answer.sales_tax_percent).toBe(9);
});

test("the caller's own rates replace those of a platform, and costs are the caller's", async () => {
  const { platforms, buying_costs } = await fees({
    ownRates: [{ platform: 'ebay', basisPoints: 1_225, feeCents: 30 }],
    taxBasisPoints: 825,
    cashbackBasisPoints: 500,
    inboundCents: 2_50,
    moneyBasisPoints: 1_000,
  });
  const ebay = platforms.filter(({ platform }) => platform === 'ebay');
  expect(ebay).toMatchObject([
    { source: 'Your own rates', base: 'with_shipping', steps: [{ percent: 12.25 }] },
  ]);
  expect(buying_costs).toEqual({
    sales_tax_percent: 8.25,
    cashback_percent: 5,
    inbound_usd: 2.5,
    cost_of_capital_percent: 10,
  });
});

test('rates are those of a day, by default today', async () => {
  const asked: string[] = [];
  const rates = async (query: { date?: string }): Promise<ExchangeRates> => {
    const work = handlers({}, asked).listRates({ params: {}, query, body: null });
    return dataIn(await work.read(caller, { used: 0, at: now }));
  };
  expect(await rates({})).toEqual({
    date: '2026-11-15',
    rates: [{ currency: 'EUR', date: '2026-11-13', usd_per_unit: 1.0842 }],
  });
  expect((await rates({ date: '2026-02-28' })).date).toBe('2026-02-28');
  expect(asked).toEqual(['2026-11-15', '2026-02-28']);
  expect(() => rates({ date: '2026-02-30' })).toThrow("got '2026-02-30'");
});
