/** Every field of a lot has a row, and every row is wherever its kind belongs. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OwnHoldingPage } from '../../src/contract/plus/holdings.ts';
import { feedHolding } from '../../src/ingest/feed/feed-private.ts';
import { exportColumns } from '../../src/portfolio/export/export-records.work.ts';
import { type FieldRow, nameIn } from '../../src/portfolio/lots/fields.ts';
import {
  columnNames,
  type FilterField,
  filterNames,
  otherFilters,
  purchaseFilters,
} from '../../src/portfolio/lots/inventory.ts';
import {
  fixedDetails,
  type LotDetails,
  type LotField,
  lotFields,
  lotTermFields,
  optionalFields,
} from '../../src/portfolio/lots/lot-fields.ts';
import type { LotFacts } from '../../src/portfolio/lots/lots.ts';
import { inputText } from '../../src/web/owner/field-kinds.tsx';
import { lotChangeText, newLotText } from '../../src/web/owner/inventory/lot-fields.tsx';
import { aBrickfolio, aLot, anUnusualLot } from '../support/builders.ts';
import { applyRows } from '../support/own-rows.ts';
import { lotIds, type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { schemaProblems } from '../support/schema-rows.ts';
import { readForm, textOf } from '../support/site.ts';

const unusual = { ...anUnusualLot(), number: '100' };
/** A lot that tests change; without a grade, its condition can change, too. */
const changeable = {
  ...unusual,
  sourceId: 'changeable',
  grade: null,
  tags: null,
  boughtAt: 'Elsewhere',
};
const rows = lotFields.map((row) => [row.field, row] as const);
const details = fixedDetails.map((row) => [row.field, row] as const);
const optional = optionalFields.map((row) => [row.field, row] as const);
const filters = [...purchaseFilters, ...otherFilters].map((row) => [row.field, row] as const);
const holdingOfPlus = OwnHoldingPage.properties.holdings.items;
const docOf = (name: string) => readFileSync(join(import.meta.dir, '../../docs', name), 'utf8');
const formats = docOf('formats.md');
const pages = docOf('account-area.md').toLowerCase();

let owner: OwnerSite;
let id = 0;
let changeableId = 0;

beforeAll(async () => {
  owner = await startOwnerSite();
  const { world } = owner.site;
  const email = 'ann@example.com';
  const facts = aBrickfolio({ name: unusual.brickfolio });
  await applyRows(
    world.store.accounts,
    [
      { kind: 'brickfolio', email, facts },
      { kind: 'holding', email, facts: unusual },
      { kind: 'holding', email, facts: changeable },
    ],
    world.now,
  );
  [id = 0] = lotIds(await htmlOf('/inventory?about=unusual'));
  [changeableId = 0] = lotIds(await htmlOf('/inventory?about=elsewhere'));
});

afterAll(() => owner.site.close());

/** A page or file, with its number formats as they are for everyone. */
const htmlOf = async (path: string) => (await owner.ann.get(path)).html;

/** Fields that are not entered in the form of a lot, and why. */
const notEntered: Partial<Record<LotField['field'], string>> = {
  sourceId: 'imports and forms make it',
  kind: 'a lot stays about its item',
  number: 'a lot stays about its item',
  isEstimated: 'confirmed by a checkbox',
  dateBasis: 'confirmed by a checkbox',
  ownFields: 'each own field has an input',
};

type PurchaseField = Exclude<LotField['field'], keyof LotDetails>;

/** What pages and the inventory's CSV file show of the purchase, and another value. */
const purchase: Readonly<
  Record<PurchaseField, { page: string; column: string; other: Partial<LotFacts> } | null>
> = {
  // It is not shown, and imports find the lot by it.
  sourceId: null,
  brickfolio: { page: unusual.brickfolio, column: 'collection', other: { brickfolio: 'Cellar' } },
  // A lot stays about its item.
  kind: null,
  number: null,
  quantity: { page: '2 of 2 left', column: 'quantity', other: { quantity: 9 } },
  condition: { page: 'Condition Sealed', column: 'condition', other: { condition: 'used' } },
  priceCents: { page: '$12.34 each', column: 'purchase_price_usd', other: { priceCents: 1 } },
  purchaseDate: {
    page: 'Mar 4, 2025',
    column: 'purchase_date',
    other: { purchaseDate: '2020-02-02' },
  },
  status: { page: 'Status Listed', column: 'status', other: { status: 'owned' } },
  isEstimated: { page: 'Estimated', column: 'price_is_estimated', other: { isEstimated: false } },
  dateBasis: { page: 'Assumed', column: 'purchase_date_is', other: { dateBasis: 'known' } },
};

/** For each filter, a value that the lot has, and another one. */
const filterValues: Readonly<Record<FilterField['field'], readonly [string, string]>> = {
  condition: ['sealed', 'used'],
  status: ['listed', 'owned'],
  isEstimated: ['estimated', 'paid'],
  dateBasis: ['assumed', 'known'],
  grade: ['damaged_box', 'parts'],
  tags: ['gift', 'rare'],
  place: ['Shelf A', 'Shelf B'],
};

describe('a row', () => {
  test('belongs to every column of the table, and the other way round', () => {
    const computed = ['id', 'account_id', 'key', 'sold'];
    expect(schemaProblems('lot', lotFields, computed, { brickfolio: 'brickfolio_id' })).toEqual([]);
  });

  test.each(rows)('%s is in the export and in docs/formats.md', (_, { wire }) => {
    expect(exportColumns.collection).toContain(wire);
    expect(formats.includes(`\`${wire}\``)).toBe(true);
  });

  test.each(details)('%s is in docs/account-area.md, by its name', (_, { name }) => {
    expect(pages.includes(name.toLowerCase())).toBe(true);
  });

  test.each(rows)('%s is in the holdings of the Plus API', (field, { wire }) => {
    const named: Partial<Record<LotField['field'], string | null>> = {
      sourceId: null,
      brickfolio: 'brickfolio_id',
      kind: 'item_type',
      number: 'number',
      isEstimated: 'price_is_estimated',
      dateBasis: 'purchase_date_is',
    };
    const name = named[field] === undefined ? wire : named[field];
    if (name !== null) expect(Object.keys(holdingOfPlus.properties)).toContain(name);
  });

  test.each(rows)('%s is in the feed, except what is assumed', (_, row) => {
    const isAssumed = 'default' in row && (row.kind === 'flag' || row.field === 'dateBasis');
    expect(feedHolding.fields.includes(row.wire)).toBe(!isAssumed);
  });

  test.each(rows)('%s is an input, or listed as an exception', async (field, { wire }) => {
    const name = field === 'priceCents' ? 'price' : wire;
    const html = await htmlOf(`/lots/${id}/edit`);
    expect(html.includes(`name="${name}"`)).toBe(!(field in notEntered));
  });

  test.each(
    lotTermFields
      // Collections have tests of their own.
      .filter((row) => row.field !== 'brickfolio')
      .map((row) => [row.field, row] as const),
  )('%s is saved by the form', async (field, row) => {
    const path = `/lots/${changeableId}/edit`;
    const name = field === 'priceCents' ? 'price' : row.wire;
    const typed = inputText(row.kind, purchase[field]?.other[field] ?? null);
    const before = readForm(await htmlOf(path), path)[name];
    const sent = await owner.ann.submit(await owner.ann.get(path), path, { [name]: typed });
    expect(sent.goTo).toBe(`/lots/${changeableId}?did=changed`);
    const after = readForm(await htmlOf(path), path)[name];
    expect([before === typed, after]).toEqual([false, typed]);
  });

  test.each(Object.entries(purchase))(
    '%s is on the page of the lot, in the CSV file and in the preview, or listed as an exception',
    async (_, shown) => {
      if (shown === null) return;
      expect(textOf(await htmlOf(`/lots/${id}`))).toContain(shown.page);
      const [header = ''] = (await htmlOf('/inventory.csv')).split('\r\n');
      expect(header.split(',')).toContain(shown.column);
      expect(lotChangeText(unusual, { ...unusual, ...shown.other })).not.toBe('');
    },
  );

  test.each(details)(
    '%s is on the page of the lot, and can be removed from many',
    async (_, row) => {
      expect(textOf(await htmlOf(`/lots/${id}`))).toContain(row.name);
      expect(await htmlOf(`/inventory/details?lots=${id}`)).toContain(`name="remove_${row.wire}"`);
    },
  );

  test.each(optional)('%s is a column, which sorts, and in the CSV file', async (_, row) => {
    const column = nameIn(columnNames, row);
    const html = await htmlOf(`/inventory?columns=${column}&sort=${column}`);
    expect(html).toContain(`value="${column}" checked`);
    expect(html).toMatch(new RegExp(`<option value="${column}" selected`));
    expect(textOf(html)).toContain(row.name);
    const [header = ''] = (await htmlOf('/inventory.csv')).split('\r\n');
    expect(header.split(',')).toContain(row.wire);
  });

  test.each(filters)('%s filters', async (_, row) => {
    const name = nameIn(filterNames, row);
    expect(await htmlOf('/inventory')).toContain(`<select id="field-${name}"`);
    const [own, other] = filterValues[row.field];
    const isFound = async (value: string) => {
      const query = new URLSearchParams({ [name]: value });
      return lotIds(await htmlOf(`/inventory?${query}`)).includes(id);
    };
    expect([await isFound(own), await isFound(other)]).toEqual([true, false]);
  });

  const texts: readonly FieldRow['kind'][] = ['text', 'lines', 'tags', 'place', 'url', 'own'];
  test.each(
    lotFields.filter((row) => 'default' in row && texts.includes(row.kind)).map((row) => row.field),
  )('%s is searched', async (field) => {
    const words = String(unusual[field]).match(/[\p{L}\d]{3,}/gu) ?? [];
    const query = new URLSearchParams({ about: words.at(-1) ?? '' });
    expect(lotIds(await htmlOf(`/inventory?${query}`))).toContain(id);
  });

  test.each(details)('%s is in both texts of an import preview', (field, row) => {
    const usual = aLot();
    const changed = lotChangeText(usual, { ...usual, [field]: unusual[field] });
    expect(changed).toStartWith(`${row.name}: none → ${row.name}: `);
    const text = changed.slice(changed.lastIndexOf(': ') + 2);
    expect(newLotText({ ...usual, [field]: unusual[field] })).toContain(text);
  });
});
