/** The columns of tables: all fields with one value, and nothing that only one caller may see. */
import { expect, test } from 'bun:test';
import { bulkFileTypes } from '../../market/published/bulk.ts';
import { minifigExample } from '../minifig.ts';
import { retailRowExample } from '../retail.ts';
import { setExample } from '../set.ts';
import { type BulkRow, bulkTables } from './bulk-columns.ts';

/** The row of a document, by the names of its columns. */
function named(type: keyof typeof bulkTables, row: BulkRow | undefined) {
  return Object.fromEntries(
    bulkTables[type].columns.map(({ name }, index) => [name, row?.[index]]),
  );
}

test('a set has the fields of inner records, without its lists', () => {
  const [row, ...more] = bulkTables.sets.rowsOf(setExample);
  expect(more).toEqual([]);
  const { minifigs: _, retailers: __, barcodes, value_range, box, ...own } = setExample;
  expect(named('sets', row)).toEqual({
    ...own,
    barcodes_upc: barcodes.upc,
    barcodes_ean: barcodes.ean,
    value_range_low: value_range?.low,
    value_range_high: value_range?.high,
    value_range_calculated_at: value_range?.calculated_at,
    box_width_in: box.width_in,
    box_height_in: box.height_in,
    box_depth_in: box.depth_in,
    box_weight_lbs: box.weight_lbs,
  });
  const [bare] = bulkTables.sets.rowsOf({ ...setExample, value_range: null });
  expect(named('sets', bare)).toMatchObject({ value_range_low: null, pieces: own.pieces });
});

test('a field that is omitted is null', () => {
  const [row] = bulkTables.minifigs.rowsOf(minifigExample);
  expect(named('minifigs', row)).toMatchObject({ minifig_number: 'coa0007', color: null });
});

test('retail prices have no paid amount, and names in snake case', () => {
  const { columns, rowsOf } = bulkTables.retail;
  expect(columns.map(({ name }) => name)).not.toContain('paid');
  expect(named('retail', rowsOf(retailRowExample)[0])).toMatchObject({
    set_number: '10482',
    retailer_a_seller_type: 'third_party',
    retailer_a_changed_at: '2026-11-12T09:15:00.000Z',
    retailer_b_price: null,
    retailer_a_exit_lowest_fba: 176.5,
  });
});

test('months have a row for each month and condition', () => {
  const point = { value_usd: 5, range_low: 4, range_high: 6, sales_count: 1, event: null };
  const months = {
    set_number: '1',
    sealed: [{ month: '2026-09', ...point }],
    used: [{ month: '2026-10', ...point, event: 'retired' }],
  };
  const rows = bulkTables.months.rowsOf(months).map((row) => named('months', row));
  expect(rows).toEqual([
    { set_number: '1', condition: 'sealed', month: '2026-09', ...point },
    { set_number: '1', condition: 'used', month: '2026-10', ...point, event: 'retired' },
  ]);
});

test('retail changes have a row for each change', () => {
  const offer = { price_usd: 5, seller_type: 'retailer', in_stock: true, corrected: false };
  const change = { retailer: 'retailer_b', at: '2026-11-15T06:00:00.000Z', ...offer };
  const [row, ...more] = bulkTables.retail_changes.rowsOf({ set_number: '1', changes: [change] });
  expect(more).toEqual([]);
  expect(named('retail_changes', row)).toEqual({ set_number: '1', ...change });
});

test('columns have kinds by their schema, unique names and descriptions', () => {
  const kinds = Object.fromEntries(bulkTables.sets.columns.map(({ name, kind }) => [name, kind]));
  expect(kinds).toMatchObject({
    set_number: 'text',
    pieces: 'integer',
    msrp_usd: 'number',
    release_date: 'day',
    value_range_calculated_at: 'instant',
    data_tier: 'text',
  });
  expect(bulkTables.retail.columns.find(({ name }) => name.endsWith('at_lowest'))?.kind).toBe(
    'flag',
  );
  for (const type of bulkFileTypes) {
    const { columns } = bulkTables[type];
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
    for (const { description } of columns) expect(description).not.toBe('');
  }
});
