/** Every field of a sale has a row, and every row is in files, pages and docs. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportColumns } from '../../src/accounts/export-records.ts';
import { type SaleField, saleFields, termFields } from '../../src/domain/portfolio/sale-fields.ts';
import { feedLedgerSale } from '../../src/ingest/feed/feed-private.ts';
import { saleVersion } from '../../src/web/owner/sales/sale-form.tsx';
import { aLedgerSale } from '../support/builders.ts';
import { applyRows } from '../support/own-rows.ts';
import { type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { schemaProblems } from '../support/schema-rows.ts';
import { textOf } from '../support/site.ts';

const rows = saleFields.map((row) => [row.field, row] as const);
const terms = termFields.map((row) => [row.field, row] as const);
const formats = readFileSync(join(import.meta.dir, '../../docs/formats.md'), 'utf8');

let owner: OwnerSite;

beforeAll(async () => {
  owner = await startOwnerSite();
  const { world } = owner.site;
  const facts = aLedgerSale({ number: '100', costCents: 12_34 });
  await applyRows(
    world.store.accounts,
    [{ kind: 'ledger_sale', email: 'ann@example.com', facts }],
    world.now,
  );
});

afterAll(() => owner.site.close());

const htmlOf = async (path: string) => (await owner.ann.get(path)).html;

/** The input of each field in the form of a sale, or why there is none. */
const inputs: Readonly<Record<SaleField['field'], string | { readonly leftOut: string }>> = {
  sourceId: { leftOut: 'imports and forms make it' },
  kind: { leftOut: 'a sale stays about its item' },
  number: { leftOut: 'a sale stays about its item' },
  condition: { leftOut: 'it is that of the lots' },
  lot: { leftOut: 'a sale stays with its lots' },
  platform: 'platform',
  saleDate: 'sale_date',
  quantity: 'quantity',
  grossCents: 'gross',
  platformFeesCents: 'platform_fees',
  paymentFeesCents: 'payment_fees',
  shippingCents: 'shipping',
  costCents: 'cost',
};

/** The heading of each term in the list of sales. */
const headings: Readonly<Record<(typeof termFields)[number]['field'], string>> = {
  platform: 'Platform',
  saleDate: 'Date',
  quantity: 'Qty',
  grossCents: 'Gross',
  platformFeesCents: 'Fees',
  paymentFeesCents: 'Fees',
  shippingCents: 'Shipping',
};

test('the rows are the columns of the table', () => {
  // The lot is part of what was given. The cost is frozen, also if none was given.
  const stored = saleFields
    .filter(({ field }) => field !== 'lot')
    .map((row) => (row.field === 'costCents' ? { ...row, default: 0 } : row));
  expect(schemaProblems('ledger_sale', stored, ['id', 'account_id', 'key', 'given'])).toEqual([]);
});

test.each(rows)('%s is in the feed, in the export and in docs/formats.md', (_, { wire }) => {
  expect(feedLedgerSale.fields).toContain(wire);
  expect(exportColumns.sales).toContain(wire);
  expect(formats.includes(`\`${wire}\``)).toBe(true);
});

test.each(rows)('%s is an input of the sale, or listed as an exception', async (field, row) => {
  const input = inputs[field];
  const name = typeof input === 'string' ? input : row.wire;
  const html = await htmlOf('/sales/1');
  expect(html.includes(`name="${name}"`)).toBe(typeof input === 'string');
  if (typeof input === 'string') expect(html).toContain(row.name);
});

test.each(terms)('%s is in the list of sales, and in its CSV file', async (field, { wire }) => {
  expect(textOf(await htmlOf('/sales'))).toContain(headings[field]);
  const [header = ''] = (await htmlOf('/sales.csv')).replace('\ufeff', '').split('\r\n');
  expect(header.split(',')).toContain(wire);
});

test.each(terms)('a form knows whether %s was changed elsewhere', (field, { kind }) => {
  const sale = aLedgerSale();
  const other = kind === 'choice' ? 'local' : kind === 'day' ? '2026-01-01' : 99;
  expect(saleVersion({ ...sale, [field]: other })).not.toBe(saleVersion(sale));
});
