/** Rules for imported collections and lots, on tables in memory. */

import { expect, test } from 'bun:test';
import { rowsOf } from '../../../test/support/own-rows.ts';
import { brickfoliosMax, lotsMax } from '../../contract/limits.ts';
import { countText } from '../../kernel/format.ts';
import type { LotFacts } from './lots.ts';
import type { PrivateRow } from './private-rows.ts';
import { PrivateTables } from './private-tables.store.ts';
import { applyRow } from './row-rules.store.ts';

const { brickfolio, lot, sale, given } = rowsOf('ann@example.com');

/** The tables of an account, with some rows applied. */
function tablesWith(...rows: PrivateRow[]): PrivateTables {
  const account = { id: 1, at: 5, plan: 'free' } as const;
  const tables = new PrivateTables(account, true);
  for (const row of rows) expect(outcome(tables, row)).toBe('added');
  return tables;
}

/** The outcome of one more row: its kind, or the reason why it is rejected. */
function outcome(tables: PrivateTables, row: PrivateRow): string {
  const result = applyRow(tables, row);
  return result.kind === 'rejected' ? result.reason : result.kind;
}

const defaults = (tables: PrivateTables) =>
  tables.brickfolios.rows.flatMap(({ name, isDefault }) => (isDefault ? [name] : []));

test('the first collection is the default, until another one is made the default', () => {
  const tables = tablesWith(brickfolio('Shelf'), brickfolio('Attic'));
  expect(defaults(tables)).toEqual(['Shelf']);
  expect(outcome(tables, brickfolio('Attic', { isDefault: true }))).toBe('updated');
  expect(defaults(tables)).toEqual(['Attic']);
  expect(outcome(tables, brickfolio('Attic', { isDefault: true }))).toBe('unchanged');
  // A row without the default flag does not unset it.
  expect(outcome(tables, brickfolio('Attic'))).toBe('unchanged');
  expect(outcome(tables, brickfolio('Attic', { description: 'Now' }))).toBe('updated');
  expect(outcome(tables, brickfolio('Attic', { description: 'Now' }))).toBe('unchanged');
  expect(outcome(tables, brickfolio('Shelf', { description: 'Old' }))).toBe('updated');
  expect(defaults(tables)).toEqual(['Attic']);
  expect(outcome(tables, brickfolio('Cellar', { isDefault: true }))).toBe('added');
  expect(defaults(tables)).toEqual(['Cellar']);
  expect(tables.brickfolios.find('Attic')).toMatchObject({ description: 'Now', createdAt: 5 });
});

test('the number of collections is limited; existing ones can still change', () => {
  const names = Array.from({ length: brickfoliosMax - 1 }, (_, index) => `No ${index}`);
  const tables = tablesWith(...names.map((name) => brickfolio(name)));
  expect(outcome(tables, brickfolio('the last'))).toBe('added');
  expect(outcome(tables, brickfolio('one too many'))).toBe(
    `the limit of ${countText(brickfoliosMax)} collections is reached`,
  );
  expect(outcome(tables, brickfolio('No 7', { description: 'x' }))).toBe('updated');
});

test('a lot needs its collection, which may still arrive', () => {
  expect(applyRow(tablesWith(), lot('a'))).toEqual({
    kind: 'rejected',
    reason: "there is no collection 'Shelf'",
    missing: true,
  });
});

test.each<Partial<LotFacts>>([
  { brickfolio: 'Attic' },
  { number: '2' },
  { quantity: 1 },
  { condition: 'used' },
  { priceCents: 10_01 },
  { purchaseDate: '2026-03-05' },
  { status: 'listed' },
  { isEstimated: true },
  { dateBasis: 'unknown' },
])('a lot changes with %o', (facts) => {
  const tables = tablesWith(brickfolio('Shelf'), brickfolio('Attic'), lot('a'));
  expect(outcome(tables, lot('a'))).toBe('unchanged');
  expect(outcome(tables, lot('a', facts))).toBe('updated');
  expect(outcome(tables, lot('a', facts))).toBe('unchanged');
});

test('the spelling of a set number does not make another lot', () => {
  const tables = tablesWith(brickfolio('Shelf'), lot('a', { number: 'SET-9' }));
  expect(outcome(tables, lot('a', { number: 'set-9' }))).toBe('unchanged');
});

test('a lot keeps at least its sold units, and its set and condition', () => {
  const rows = [brickfolio('Shelf'), brickfolio('Attic'), lot('a', { quantity: 3 })];
  const open = tablesWith(...rows);
  expect(outcome(open, lot('a', { number: '2', quantity: 1, condition: 'used' }))).toBe('updated');
  const sold = tablesWith(...rows, sale('s', { quantity: 2 }));
  expect(outcome(sold, lot('a', { quantity: 1 }))).toBe(
    'quantity 1 is less than the 2 already sold from this lot',
  );
  const stays = 'set and condition cannot change: 2 units already sold from this lot';
  expect(outcome(sold, lot('a', { quantity: 3, number: '2' }))).toBe(stays);
  expect(outcome(sold, lot('a', { quantity: 3, condition: 'used' }))).toBe(stays);
  expect(outcome(sold, lot('a', { quantity: 2, brickfolio: 'Attic' }))).toBe('updated');
  const once = tablesWith(...rows, sale('s'));
  expect(outcome(once, lot('a', { number: '2' }))).toContain('1 unit already sold');
});

test('a lot can only be changed if it is still as the owner saw it', () => {
  const tables = tablesWith(brickfolio('Shelf'), brickfolio('Attic'), lot('a'));
  const factsOf = (row: PrivateRow) => row.facts as LotFacts;
  const change = (seen: LotFacts, facts: Partial<LotFacts>) =>
    outcome(tables, { ...lot('a', facts), seen } as PrivateRow);
  const late = 'the lot was changed since you opened it; check it and try again';
  const seen = factsOf(lot('a'));
  expect(change({ ...seen, quantity: 9 }, { quantity: 3 })).toBe(late);
  expect(change({ ...seen, brickfolio: 'Attic' }, { quantity: 3 })).toBe(late);
  expect(change({ ...seen, brickfolio: 'gone' }, { quantity: 3 })).toBe(late);
  expect(change(seen, { quantity: 3 })).toBe('updated');
  expect(change(seen, { quantity: 4 })).toBe(late);
  expect(outcome(tables, { ...lot('b'), seen } as PrivateRow)).toBe(late);
});

test('the number of lots is limited; existing ones can still change', () => {
  const tables = tablesWith(brickfolio('Shelf'), lot('a'));
  tables.lots.count = lotsMax - 1;
  expect(outcome(tables, lot('the last'))).toBe('added');
  expect(outcome(tables, lot('one too many'))).toBe(
    `the limit of ${countText(lotsMax)} lots is reached`,
  );
  expect(outcome(tables, lot('a', { quantity: 9 }))).toBe('updated');
});

test('details that a row does not give stay as they are', () => {
  const known = { notes: 'n', tags: 't', grade: 'light_wear', ownFields: '{"A":"1"}' } as const;
  const tables = tablesWith(brickfolio('Shelf'), lot('a', known));
  expect(outcome(tables, given('a'))).toBe('unchanged');
  expect(outcome(tables, given('a', { notes: 'm' }))).toBe('updated');
  expect(tables.lots.find('a')).toMatchObject({ ...known, notes: 'm' });
  expect(outcome(tables, given('a', { tags: null }))).toBe('updated');
  expect(tables.lots.find('a')).toMatchObject({ ...known, notes: 'm', tags: null });
});

test('a grade fits its condition, and goes with it', () => {
  const tables = tablesWith(brickfolio('Shelf'), lot('a', { grade: 'light_wear' }));
  expect(outcome(tables, given('b', { grade: 'parts' }))).toBe(
    "the grade 'parts' is for used, not sealed",
  );
  expect(outcome(tables, given('a', { condition: 'used' }))).toBe('updated');
  expect(tables.lots.find('a')).toMatchObject({ condition: 'used', grade: null });
  expect(outcome(tables, given('a', { condition: 'used', grade: 'incomplete_50' }))).toBe(
    'updated',
  );
});

test('rows create own fields, ten for each account', () => {
  const own = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`F${at}`, 'x'])));
  const tables = tablesWith(brickfolio('Shelf'), lot('a', { ownFields: own(9) }));
  expect(outcome(tables, given('b', { ownFields: '{"F1":"y"}' }))).toBe('added');
  expect(outcome(tables, given('c', { ownFields: '{"Y":"y","Z":"z"}' }))).toBe(
    "the field 'Y' is one too many: an account can have 10 own fields",
  );
  expect(outcome(tables, given('c', { ownFields: '{"Z":"z"}' }))).toBe('added');
  expect(tables.ownFields.rows).toHaveLength(10);
});

test.each<[string, Partial<LotFacts>, string | null]>([
  ['after it', { purchaseDate: '2026-06-02' }, 'Jun 1, 2026'],
  ['on the day', { purchaseDate: '2026-06-01' }, null],
  ['after it, but only assumed', { purchaseDate: '2026-06-02', dateBasis: 'assumed' }, null],
])('the purchase date of a sold lot: %s', (_, facts, day) => {
  const change = (isFile: boolean) => {
    const tables = tablesWith(
      brickfolio('Shelf'),
      lot('a'),
      sale('s', { saleDate: '2026-06-05' }),
      sale('t', { saleDate: '2026-06-01' }),
    );
    return applyRow(isFile ? tables : strict(tables), lot('a', facts));
  };
  const warning = expect.stringContaining(day ?? '');
  expect(change(true)).toEqual({ kind: 'updated', ...(day && { warning }) });
  expect(change(false)).toMatchObject(
    day ? { kind: 'rejected', field: 'purchase_date', reason: warning } : { kind: 'updated' },
  );
});

/** The same rows, for a form. */
function strict(tables: PrivateTables): PrivateTables {
  return Object.assign(tables, { isFile: false });
}
