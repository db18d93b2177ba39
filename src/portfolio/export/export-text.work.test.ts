/** Lots and sales as CSV, JSON and Ghostfolio activities. */

import { describe, expect, test } from 'bun:test';
import { aLedgerSale, aLot } from '../../../test/support/builders.ts';
import { detailFields } from '../lots/lot-fields.ts';
import type { Recorded, StoredLot } from '../lots/lots.ts';
import type { StoredLedgerSale } from '../sales/ledger.ts';
import { type ExportKind, type ExportSource, rowRecords } from './export-records.work.ts';
import { type ExportFormat, exportText } from './export-text.work.ts';

const lotOf = (sequence: number, facts: Partial<StoredLot> = {}): Recorded<StoredLot> => ({
  ...aLot({
    sourceId: `lot-${sequence}`,
    quantity: 3,
    priceCents: 10_50,
    purchaseDate: '2024-01-02',
  }),
  sequence,
  sold: 1,
  ...facts,
});

const saleOf = (
  sequence: number,
  facts: Partial<StoredLedgerSale> = {},
): Recorded<StoredLedgerSale> => ({
  ...aLedgerSale({
    sourceId: `sale-${sequence}`,
    number: '2',
    condition: 'used',
    saleDate: '2025-03-04',
    quantity: 2,
    grossCents: 50_50,
    platformFeesCents: 5_25,
    paymentFeesCents: 1_50,
    shippingCents: 4_25,
  }),
  sequence,
  settled: { costCents: 21_00, takes: [{ lot: 'lot-1', quantity: 2, costCents: 21_00 }] },
  ...facts,
});

interface World {
  readonly lots?: readonly Recorded<StoredLot>[];
  readonly sales?: readonly Recorded<StoredLedgerSale>[];
}

function sourceOf({ lots = [], sales = [] }: World, pageRows?: number) {
  const pages: number[] = [];
  const after =
    <T extends { readonly sequence: number }>(rows: readonly T[]) =>
    async (_: number, asked: { readonly after: number; readonly limit: number }) => {
      const page = rows.filter(({ sequence }) => sequence > asked.after).slice(0, asked.limit);
      pages.push(page.length);
      return page;
    };
  const shelf = { name: 'Shelf', description: 'Top', isDefault: true };
  const source = {
    market: { findTitles: async () => new Map([['1', { title: 'Castle' }]]) },
    accounts: {
      listBrickfolios: async () => [shelf],
      listLots: after(lots),
      listRecordedSales: after(sales),
    },
    accountId: 5,
    ...(pageRows !== undefined && { pageRows }),
  } as unknown as ExportSource;
  return { source, pages };
}

async function textOf(kind: ExportKind, format: ExportFormat, world: World, pageRows?: number) {
  const pieces: string[] = [];
  const { source } = sourceOf(world, pageRows);
  for await (const piece of exportText(kind, format, source)) pieces.push(piece);
  return pieces.join('');
}

const brickfolio = {
  kind: 'brickfolio',
  brickfolio: 'Shelf',
  description: 'Top',
  is_default: true,
};

describe('records', () => {
  test('have the collections and lots, with titles if known', async () => {
    const lots = [lotOf(1), lotOf(2, { number: '9' })];
    const { format, rows } = JSON.parse(await textOf('collection', 'json', { lots }));
    expect(format).toBe('brickmark collection');
    const lot = {
      kind: 'lot',
      source_id: 'lot-1',
      brickfolio: 'Shelf',
      set_number: '1',
      title: 'Castle',
      quantity: 3,
      condition: 'sealed',
      purchase_price_usd: 10.5,
      purchase_date: '2024-01-02',
      status: 'owned',
      is_estimated: false,
      date_basis: 'known',
      sold: 1,
      ...Object.fromEntries(detailFields.map(({ wire }) => [wire, null])),
      minifig_number: null,
    };
    const other = { ...lot, source_id: 'lot-2', set_number: '9', title: null };
    expect(rows).toEqual([brickfolio, lot, other]);
  });

  test('have the sales, with the source of their cost', async () => {
    const sales = [saleOf(1), saleOf(2, { lot: 'lot-1' }), saleOf(3, { costCents: 21_00 })];
    const { rows } = JSON.parse(await textOf('sales', 'json', { sales }));
    const takes = [{ lot: 'lot-1', quantity: 2, cost_basis_usd: 21 }];
    expect(rows[0]).toEqual({
      kind: 'sale',
      source_id: 'sale-1',
      set_number: '2',
      title: null,
      condition: 'used',
      platform: 'ebay',
      sale_date: '2025-03-04',
      quantity: 2,
      gross_proceeds_usd: 50.5,
      platform_fees_usd: 5.25,
      payment_fees_usd: 1.5,
      shipping_cost_usd: 4.25,
      cost_from: 'fifo',
      cost_basis_usd: 21,
      lot: null,
      takes,
      minifig_number: null,
    });
    expect(rows[1]).toMatchObject({ cost_from: 'lot', lot: 'lot-1', takes });
    expect(rows[2]).toMatchObject({ cost_from: 'given', takes: null });
  });

  test.each([1, 2, 3, 4])('have all of three lots in pages of %i', async (pageRows) => {
    const lots = [1, 2, 3].map((sequence) => lotOf(sequence));
    const { source, pages } = sourceOf({ lots }, pageRows);
    const ids: unknown[] = [];
    for await (const page of rowRecords('collection', source)) {
      ids.push(...page.map((record) => record.source_id));
    }
    expect(ids).toEqual(['lot-1', 'lot-2', 'lot-3']);
    expect(pages.at(-1)).toBe(0);
    const text = await textOf('collection', 'json', { lots }, pageRows);
    expect(JSON.parse(text).rows).toHaveLength(4);
  });

  test('yield to the event loop between pages', async () => {
    let turns = 0;
    const seen: number[] = [];
    const { source } = sourceOf({ lots: [1, 2, 3].map((sequence) => lotOf(sequence)) }, 1);
    for await (const _ of rowRecords('collection', source)) {
      seen.push(turns);
      setImmediate(() => turns++);
    }
    expect(seen).toEqual([0, 1, 2]);
  });
});

test('CSV has a line for each record, and empty cells for missing values', async () => {
  const text = await textOf('collection', 'csv', { lots: [lotOf(1)] });
  const [head = '', shelf, lot, end] = text.split('\n');
  expect(head.split(',')).toHaveLength(16 + detailFields.length);
  // The details, and the number of a minifig.
  const none = ','.repeat(detailFields.length + 1);
  expect(shelf).toBe(`brickfolio,,Shelf,Top,true,,,,,,,,,,${none}`);
  expect(lot).toBe(
    `lot,lot-1,Shelf,,,1,Castle,3,sealed,10.5,2024-01-02,owned,false,known,1${none}`,
  );
  expect(end).toBe('');
});

test('all formats are valid without records', async () => {
  expect(await textOf('sales', 'json', {})).toBe('{"format":"brickmark sales","rows":[\n]}\n');
  expect(JSON.parse(await textOf('sales', 'ghostfolio', {}))).toEqual({ activities: [] });
});

describe('for Ghostfolio', () => {
  const usual = { currency: 'USD', dataSource: 'MANUAL', fee: 0 };

  test('lots are purchases, with a comment about unknown values', async () => {
    const lots = [
      lotOf(1),
      lotOf(2, { isEstimated: true }),
      lotOf(3, { dateBasis: 'assumed' as StoredLot['dateBasis'] }),
    ];
    const { activities } = JSON.parse(await textOf('collection', 'ghostfolio', { lots }));
    expect(activities[0]).toEqual({
      ...usual,
      date: '2024-01-02T00:00:00.000Z',
      quantity: 3,
      symbol: 'LEGO-1',
      type: 'BUY',
      unitPrice: 10.5,
      comment: 'sealed, Shelf',
    });
    const comments = activities.map(({ comment }: { readonly comment: string }) => comment);
    expect(comments.slice(1)).toEqual([
      'sealed, Shelf, price estimated',
      'sealed, Shelf, date assumed',
    ]);
  });

  test('a set and a minifig with the same number have different symbols', async () => {
    const lots = [lotOf(1), lotOf(2, { kind: 'minifig' })];
    const sales = [saleOf(1), saleOf(2, { kind: 'minifig' })];
    const symbols = async (kind: ExportKind) =>
      JSON.parse(await textOf(kind, 'ghostfolio', { lots, sales })).activities.map(
        ({ symbol }: { readonly symbol: string }) => symbol,
      );
    expect(await symbols('collection')).toEqual(['LEGO-1', 'LEGO-MINIFIG-1']);
    expect(await symbols('sales')).toEqual(['LEGO-2', 'LEGO-MINIFIG-2']);
  });

  test('sales are sales, preceded by a purchase if they have no lot', async () => {
    const sales = [saleOf(1), saleOf(2, { costCents: 21_00 })];
    const { activities } = JSON.parse(await textOf('sales', 'ghostfolio', { sales }));
    const sold = {
      ...usual,
      date: '2025-03-04T00:00:00.000Z',
      fee: 11,
      quantity: 2,
      symbol: 'LEGO-2',
      type: 'SELL',
      unitPrice: 25.25,
      comment: 'used, ebay',
    };
    const bought = { ...sold, fee: 0, type: 'BUY', unitPrice: 10.5 };
    expect(activities).toEqual([sold, bought, sold]);
  });
});
