/** Which roles include which, and whose accounts they may change. */
import { expect, test } from 'bun:test';
import { hasRole, mayChange, roles } from './role.ts';

test('an admin may do everything, an operator what support may, and others nothing', () => {
  const may = [...roles, null].map((role) => roles.filter((needed) => hasRole(role, needed)));
  expect(may).toEqual([['admin', 'operator', 'support'], ['operator', 'support'], ['support'], []]);
});

test('only admins change accounts with a role', () => {
  const changed = [...roles, null].map((role) =>
    [...roles, null].filter((of) => mayChange(role, { role: of })),
  );
  expect(changed).toEqual([['admin', 'operator', 'support', null], [null], [], []]);
});
