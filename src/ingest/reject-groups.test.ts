/** Reasons become a few groups in plain words, whatever operators are told. */
import { expect, test } from 'bun:test';
import { describeReason, groupRejects } from './reject-groups.ts';

test.each([
  ["'3001' is a part; collections and sales hold only sets", 'Parts'],
  ["'Brick 2 x 4' is a part; sales hold only sets", 'Parts'],
  ["'851' is a gear; collections and sales hold only sets", 'Other items'],
  ["'sw0001' is a minifig; collections and sales hold only sets", 'Minifigs'],
  ["'sw0001' is the number of a minifig; collections hold only sets", 'Minifigs'],
  ["there is no set '99999-1'", 'Sets that are not in the catalog'],
  ["not owned: 'Owned' is 0", 'Not owned'],
  [
    'there is no price, and no MSRP of 242406; --missing-price zero takes 0',
    'No price, and no list price',
  ],
  ['there is no price; --missing-price msrp or zero takes it as one of these', 'No price'],
  [
    'there is no PLN exchange rate on or before 2025-01-01; import one as an fx line',
    'No exchange rate for PLN',
  ],
  [
    'the sale is for 2 sealed units of 100, but only 1 is left in all lots',
    'Not enough units in your inventory',
  ],
  ['the order is Pending: import it once it is paid', 'Orders that are not paid yet'],
  ["'Paid' must be an amount such as $40.08 or €40.08; it is 'ten'", 'Amount not recognized'],
  ["'odd' is taken; --force takes it all the same", '… is taken'],
  ["'field' must be true or false, not 7", 'Field must be true or false'],
])('%p is under %p', (reason, title) => {
  const described = describeReason(reason);
  expect(described.title).toBe(title);
  expect(`${described.title} ${described.advice}`).not.toContain('--');
});

test('rows with one reason are one group, the largest first, with a few of them', () => {
  const parts = Array.from({ length: 120 }, (_, line) => ({
    where: `orders.csv:${line + 2}`,
    reason: `'30${line}' is a part; collections and sales hold only sets`,
  }));
  const groups = groupRejects([{ where: 'orders.csv:1', reason: "there is no set '7'" }, ...parts]);
  expect(groups.map(({ title, count }) => [title, count])).toEqual([
    ['Parts', 120],
    ['Sets that are not in the catalog', 1],
  ]);
  expect(groups[0]?.examples).toHaveLength(5);
  expect(groups[1]?.examples).toEqual([{ where: 'orders.csv:1', text: '7' }]);
});
