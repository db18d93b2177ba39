/** Every field of a sale has a row, and every row is in files, pages and docs. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RecordedSalePage } from '../../src/contract/plus/holdings.ts';
import { feedLedgerSale } from '../../src/ingest/feed/feed-private.ts';
import { exportColumns } from '../../src/portfolio/export/export-records.work.ts';
import { nameIn } from '../../src/portfolio/lots/fields.ts';
import { filterTerms } from '../../src/portfolio/sales/ledger.ts';
import {
  formFields,
  isFee,
  type SaleField,
  saleFields,
  saleNames,
  termFields,
} from '../../src/portfolio/sales/sale-fields.ts';
import { inputName, saleVersion, saleWords } from '../../src/web/owner/sales/sale-form.tsx';
import { aLedgerSale } from '../support/builders.ts';
import { applyRows } from '../support/own-rows.ts';
import { type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { schemaProblems } from '../support/schema-rows.ts';
import { readForm, textOf } from '../support/site.ts';

const rows = saleFields.map((row) => [row.field, row] as const);
const entered = formFields.map((row) => [row.field, row] as const);
const terms = termFields.map((row) => [row.field, row] as const);
type FormField = (typeof formFields)[number];
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

/** Fields that are not in the form of a sale, and why. */
const notEntered: Readonly<Record<Exclude<SaleField['field'], FormField['field']>, string>> = {
  sourceId: 'imports and forms make it',
  kind: 'a sale stays about its item',
  number: 'a sale stays about its item',
  condition: 'it is that of the lots',
  lot: 'a sale stays with its lots',
};

/** For each field of the form, what another sale says. */
const others: Readonly<Record<FormField['field'], string>> = {
  platform: 'local',
  saleDate: '2025-04-05',
  quantity: '7',
  grossCents: '765.43',
  platformFeesCents: '4.32',
  paymentFeesCents: '3.21',
  shippingCents: '2.10',
  costCents: '1.09',
};

/** The heading of the column that has a field. */
const headings: Readonly<Record<FormField['field'], string>> = {
  platform: 'Platform',
  saleDate: 'Date',
  quantity: 'Qty',
  grossCents: 'Gross',
  platformFeesCents: 'Fees',
  paymentFeesCents: 'Fees',
  shippingCents: 'Shipping',
  costCents: 'Cost basis',
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

test.each(rows)(
  '%s is among the sales of the Plus API, or listed as an exception',
  (field, row) => {
    const named: Partial<Record<SaleField['field'], string | null>> = {
      sourceId: null,
      kind: 'item_type',
      number: 'number',
      lot: null,
    };
    const name = named[field] === undefined ? row.wire : named[field];
    const { properties } = RecordedSalePage.properties.sales.items;
    if (name !== null) expect(Object.keys(properties)).toContain(name);
  },
);

test.each(rows)('%s is an input of the sale, or listed as an exception', async (field, row) => {
  const html = await htmlOf('/sales/1');
  if (field in notEntered) expect(html).not.toContain(`name="${row.wire}"`);
  else expect(textOf(html)).toContain(row.name);
});

test.each(entered)('%s is saved by the form', async (field, row) => {
  const name = inputName(row);
  const before = readForm(await htmlOf('/sales/1'), '/sales/1')[name];
  const page = await owner.ann.get('/sales/1');
  const sent = await owner.ann.submit(page, '/sales/1', { [name]: others[field] });
  expect(sent.status).toBe(303);
  const after = readForm(await htmlOf('/sales/1'), '/sales/1');
  expect([before === others[field], after[name]]).toEqual([false, others[field]]);
});

test.each(terms)('%s is an input of the form for several sales, except fees', async (_, row) => {
  const html = await htmlOf('/sales/new?lots=1,2');
  const names = [inputName(row), inputName(row, '_1'), inputName(row, '_2')];
  const isThere = names.map((name) => html.includes(`name="${name}"`));
  const isShared = names[0] === names[1];
  expect(isThere).toEqual([isShared, !isFee(row), !isFee(row)]);
});

test.each(entered)(
  '%s is in the list of sales, which sorts, and in its CSV file',
  async (field, row) => {
    const sort = isFee(row) ? 'fees' : nameIn(saleNames, row);
    const html = await htmlOf(`/sales?sort=${sort}`);
    expect(html).toMatch(new RegExp(`aria-sort="ascending"><a [^>]*>${headings[field]}<`));
    const [header = ''] = (await htmlOf('/sales.csv')).replace('\ufeff', '').split('\r\n');
    expect(header.split(',')).toContain(row.wire);
  },
);

test.each(filterTerms.map((row) => [row.field, row] as const))('%s filters', async (field, row) => {
  const values = readForm(await htmlOf('/sales/1'), '/sales/1');
  const isFound = async (value = '') =>
    (await htmlOf(`/sales?${row.wire}=${value}`)).includes('href="/sales/1"');
  const other = row.choices.find((each) => each !== values[field]);
  expect([await isFound(values[inputName(row)]), await isFound(other)]).toEqual([true, false]);
});

test.each(filterTerms.map(({ field }) => field))('%s is in an import preview', (field) => {
  const sale = aLedgerSale();
  expect(saleWords(sale)).toContain(sale[field]);
});

test.each(terms)('a form knows whether %s was changed elsewhere', (field, { kind }) => {
  const sale = aLedgerSale();
  const other = kind === 'choice' ? 'local' : kind === 'day' ? '2026-01-01' : 99;
  expect(saleVersion({ ...sale, [field]: other })).not.toBe(saleVersion(sale));
});
