/** Reasons become a few groups in plain words, whatever operators are told. */
import { expect, test } from 'bun:test';
import { describeReason, groupRejects } from './reject-groups.ts';

test.each([
  ["'3001' is a part; only sets can be imported", 'Parts'],
  ["'Brick 2 x 4' is a part; only sets can be imported", 'Parts'],
  ["'852688' is a gear; only sets can be imported", 'Gear'],
  ["'851' is a gear item; only sets can be imported", 'Other items'],
  ["'sw0001' is a minifig; only sets can be imported", 'Minifigs'],
  ["'sw0001' is the number of a minifig; only sets can be imported", 'Minifigs'],
  ["set '99999-1' is not in the catalog", 'Sets that are not in the catalog'],
  ["not owned: 'Owned' is 0", 'Not owned'],
  [
    'there is no price, and no MSRP of 242406; use --missing-price zero',
    'No price, and no list price',
  ],
  ['there is no price; use --missing-price msrp or zero', 'No price'],
  [
    'there is no PLN exchange rate on or before Jan 1, 2025; import the rate, or use US dollars',
    'No exchange rate for PLN',
  ],
  [
    'the sale is for 2 sealed units of 100, but only 1 is left in all lots',
    'Not enough units in your inventory',
  ],
  ['the order is Pending: import it once it is paid', 'Orders that are not paid yet'],
  ["'Paid' must be an amount such as $40.08 or €40.08; it is 'ten'", 'Amount not recognized'],
  ["'odd' is taken; --force imports it anyway", '… is taken'],
  ["'field' must be true or false, not 7", 'Field must be true or false'],
])('%p is under %p', (reason, title) => {
  const described = describeReason(reason);
  expect(described.title).toBe(title);
  expect(`${described.title} ${described.advice}`).not.toContain('--');
});

test('rows with one reason are one group, the largest first, with a few of them', () => {
  const parts = Array.from({ length: 120 }, (_, line) => ({
    where: `orders.csv:${line + 2}`,
    reason: `'30${line}' is a part; only sets can be imported`,
  }));
  const groups = groupRejects([
    { where: 'orders.csv:1', reason: "set '7' is not in the catalog" },
    ...parts,
  ]);
  expect(groups.map(({ title, count }) => [title, count])).toEqual([
    ['Parts', 120],
    ['Sets that are not in the catalog', 1],
  ]);
  expect(groups[0]?.examples).toHaveLength(5);
  expect(groups[1]?.examples).toEqual([{ where: 'orders.csv:1', text: '7' }]);
});
