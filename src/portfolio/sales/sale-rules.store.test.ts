/** The units that recorded sales take, and their frozen cost, on tables in memory. */

import { expect, test } from 'bun:test';
import { rowsOf } from '../../../test/support/own-rows.ts';
import { salesMax } from '../../contract/limits.ts';
import { countText } from '../../kernel/format.ts';
import type { LedgerSaleFacts } from '../lots/lots.ts';
import type { PrivateRow } from '../lots/private-rows.ts';
import { PrivateTables } from '../lots/private-tables.store.ts';
import { applyRow } from '../lots/row-rules.store.ts';

const { brickfolio, lot, sale } = rowsOf('ann@example.com');

/** Four lots: 2 units of a set for 1 dollar, 2 for 2, 9 used ones, and another set. */
function someLots(isFile = true): PrivateTables {
  const account = { id: 1, at: 5, plan: 'free' } as const;
  const tables = new PrivateTables(account, isFile);
  apply(tables, [
    brickfolio('Shelf'),
    lot('new', { priceCents: 2_00, purchaseDate: '2026-02-02' }),
    lot('old', { priceCents: 1_00, purchaseDate: '2026-01-01' }),
    lot('used', {
      condition: 'used',
      quantity: 9,
      purchaseDate: '2025-01-01',
      dateBasis: 'unknown',
    }),
    lot('other', { number: '2', quantity: 9, purchaseDate: '2025-01-01' }),
  ]);
  return tables;
}

function apply(tables: PrivateTables, rows: readonly PrivateRow[]): void {
  for (const row of rows) applyRow(tables, row);
}

/** The outcome of a sale: its kind, or the reason why it is rejected. */
function outcome(tables: PrivateTables, row: PrivateRow): string {
  const result = applyRow(tables, row);
  return result.kind === 'rejected' ? result.reason : result.kind;
}

/** Sold units of each lot. */
const sold = (tables: PrivateTables) =>
  Object.fromEntries(
    tables.lots.rows.flatMap((row) => (row.sold ? [[row.sourceId, row.sold]] : [])),
  );

const costOf = (tables: PrivateTables, sourceId: string) => tables.sales.find(sourceId)?.costCents;

test('the oldest units of the set and condition are sold first, at their cost', () => {
  const tables = someLots();
  expect(outcome(tables, sale('s', { quantity: 3 }))).toBe('added');
  expect([sold(tables), costOf(tables, 's')]).toEqual([{ old: 2, new: 1 }, 4_00]);
  expect(outcome(tables, sale('t'))).toBe('added');
  expect(outcome(tables, sale('u'))).toBe(
    'the sale is for 1 sealed unit of 1, but none are left in all lots',
  );
});

test('of lots bought on one day, the first recorded is sold first', () => {
  const tables = someLots();
  apply(tables, [lot('tie', { purchaseDate: '2026-01-01' })]);
  expect(outcome(tables, sale('s', { quantity: 3 }))).toBe('added');
  expect(sold(tables)).toEqual({ old: 2, tie: 1 });
});

test('a sale that names its lot takes from no other', () => {
  const tables = someLots();
  expect(outcome(tables, sale('s', { lot: 'new', quantity: 2 }))).toBe('added');
  expect([sold(tables), costOf(tables, 's')]).toEqual([{ new: 2 }, 4_00]);
  expect(outcome(tables, sale('t', { lot: 'new' }))).toBe(
    "the sale is for 1 sealed unit of 1, but none are left in lot 'new'",
  );
  for (const name of ['used', 'other', 'none']) {
    expect(outcome(tables, sale('t', { lot: name }))).toBe(
      `there is no lot '${name}' of this set and condition`,
    );
  }
});

test('a sale with a given cost takes no units', () => {
  const tables = someLots();
  expect(outcome(tables, sale('s', { costCents: 0, quantity: 99 }))).toBe('added');
  expect([sold(tables), costOf(tables, 's')]).toEqual([{}, 0]);
});

test('the same sale changes nothing, whatever the order of its fields', () => {
  const tables = someLots();
  const row = sale('s');
  expect(outcome(tables, row)).toBe('added');
  expect(outcome(tables, row)).toBe('unchanged');
  const turned = Object.fromEntries(Object.entries(row.facts).reverse()) as never;
  expect(outcome(tables, { ...row, facts: turned } as PrivateRow)).toBe('unchanged');
  expect(sold(tables)).toEqual({ old: 1 });
});

test('the cost stays frozen while the fields it depends on are unchanged', () => {
  const tables = someLots();
  outcome(tables, sale('s'));
  apply(tables, [lot('old', { priceCents: 9_99, purchaseDate: '2026-01-01' })]);
  expect(outcome(tables, sale('s', { platformFeesCents: 5 }))).toBe('updated');
  expect([sold(tables), costOf(tables, 's')]).toEqual([{ old: 1 }, 1_00]);
  expect(tables.sales.find('s')).toMatchObject({ platformFeesCents: 5 });
});

test.each<[Partial<LedgerSaleFacts>, Record<string, number>, number]>([
  [{ number: '2' }, { other: 1 }, 10_00],
  [{ condition: 'used' }, { used: 1 }, 10_00],
  [{ quantity: 3 }, { old: 2, new: 1 }, 4_00],
  [{ costCents: 7 }, {}, 7],
  [{ lot: 'new' }, { new: 1 }, 2_00],
])('a sale that changes by %o takes its units again', (facts, units, costCents) => {
  const tables = someLots();
  outcome(tables, sale('s'));
  expect(outcome(tables, sale('s', facts))).toBe('updated');
  expect([sold(tables), costOf(tables, 's')]).toEqual([units, costCents]);
  expect(outcome(tables, sale('s'))).toBe('updated');
  expect([sold(tables), costOf(tables, 's')]).toEqual([{ old: 1 }, 1_00]);
});

test('a rejected change leaves the sale with its units', () => {
  const tables = someLots();
  outcome(tables, sale('s', { quantity: 3 }));
  expect(outcome(tables, sale('s', { quantity: 5 }))).toBe(
    'the sale is for 5 sealed units of 1, but only 4 are left in all lots',
  );
  expect([sold(tables), costOf(tables, 's')]).toEqual([{ old: 2, new: 1 }, 4_00]);
});

test('a settled sale takes exactly the units it was settled with', () => {
  const tables = someLots();
  const settle = (takes: LedgerSaleFacts['settled'] & object, facts: Partial<LedgerSaleFacts>) =>
    outcome(tables, sale('s', { ...facts, settled: takes }));
  const takes = (...units: [lot: string, quantity: number][]) => ({
    costCents: 77,
    takes: units.map(([name, quantity]) => ({ lot: name, quantity, costCents: null })),
  });
  const three = { quantity: 3 };
  expect(settle(takes(['new', 2]), three)).toBe(
    'the sale is for 3 units, but its lots add up to 2',
  );
  expect(settle(takes(['new', 1], ['old', 1], ['new', 1]), three)).toBe(
    'the sale names a lot twice',
  );
  for (const name of ['used', 'other', 'none']) {
    expect(settle(takes(['new', 2], [name, 1]), three)).toBe(
      `there is no lot '${name}' of this set and condition`,
    );
  }
  expect(settle(takes(['new', 3]), three)).toBe(
    "the sale is for 3 units, but only 2 are left in lot 'new'",
  );
  expect(sold(tables)).toEqual({});
  expect(settle(takes(['new', 2], ['old', 1]), three)).toBe('added');
  expect([sold(tables), costOf(tables, 's')]).toEqual([{ new: 2, old: 1 }, 77]);
  const again = sale('t', { quantity: 2, settled: takes(['old', 2]) });
  expect(outcome(tables, again)).toBe("the sale is for 2 units, but only 1 is left in lot 'old'");
  // The settlement is not part of the line.
  expect(outcome(tables, sale('s', three))).toBe('unchanged');
});

test('the number of sales is limited; existing ones can still change', () => {
  const tables = someLots();
  outcome(tables, sale('s'));
  expect(tables.sales.count).toBe(1);
  tables.sales.count = salesMax - 1;
  expect(outcome(tables, sale('the last', { costCents: 0 }))).toBe('added');
  expect(outcome(tables, sale('one too many', { costCents: 0 }))).toBe(
    `the limit of ${countText(salesMax)} sales is reached`,
  );
  expect(outcome(tables, sale('s', { grossCents: 1 }))).toBe('updated');
});

test.each<[string, Partial<LedgerSaleFacts>, string | null]>([
  ['first in, first out', { saleDate: '2025-12-31' }, 'Jan 1, 2026'],
  ['first in, first out, on the day', { saleDate: '2026-01-01' }, null],
  ['its second lot', { saleDate: '2026-02-01', quantity: 3 }, 'Feb 2, 2026'],
  ['a lot by name', { saleDate: '2026-02-01', lot: 'new' }, 'Feb 2, 2026'],
  ['a lot of unknown date', { saleDate: '2020-01-01', condition: 'used' }, null],
  ['a given cost', { saleDate: '2020-01-01', costCents: 5 }, null],
])(
  'an entered sale before the purchase is rejected, an imported one has a warning: %s',
  (_, facts, day) => {
    const tables = someLots(false);
    const row = sale('s', facts);
    const typed = applyRow(tables, row);
    const refusal = {
      kind: 'rejected',
      field: 'sale_date',
      reason: expect.stringContaining(day ?? ''),
    };
    expect(typed).toMatchObject(day === null ? { kind: 'added' } : refusal);
    if (day !== null) expect(sold(tables)).toEqual({});
    const warning = expect.stringContaining(day ?? '');
    expect(applyRow(someLots(), row)).toEqual({ kind: 'added', ...(day && { warning }) });
  },
);

test('a sale imported with a day before the purchase keeps it, and gets no other such units', () => {
  const tables = someLots();
  const early = { saleDate: '2025-06-01', quantity: 2 };
  outcome(tables, sale('s', early));
  Object.assign(tables, { isFile: false });
  const change = (facts: Partial<LedgerSaleFacts>) =>
    outcome(tables, sale('s', { ...early, ...facts }));
  expect(change({ grossCents: 1 })).toBe('updated');
  expect(change({ quantity: 1 })).toBe('updated');
  expect(change({ quantity: 3 })).toContain('bought on Feb 2, 2026');
  expect(change({ saleDate: '2025-06-02', quantity: 1 })).toContain('bought on Jan 1, 2026');
  expect(sold(tables)).toEqual({ old: 1 });
  expect(change({ saleDate: '2026-01-01', quantity: 1 })).toBe('updated');
});
