/** Cached row counts, valid for one version of an account, for a thousand accounts. */
import { expect, test } from 'bun:test';
import { CountMemory } from './row-counts.ts';

test('counts are valid for one version only, and callers cannot change them', () => {
  const memory = new CountMemory();
  expect(memory.recall(1, 0)).toEqual({});
  memory.keep(1, 5, { lot: 3 });
  expect([memory.recall(1, 4), memory.recall(1, 6), memory.recall(2, 5)]).toEqual([{}, {}, {}]);
  memory.recall(1, 5).lot = 9;
  expect(memory.recall(1, 5)).toEqual({ lot: 3 });
  memory.keep(1, 6, { lot: 4, ledger_sale: 1 });
  expect(memory.recall(1, 5)).toEqual({});
  expect(memory.recall(1, 6)).toEqual({ lot: 4, ledger_sale: 1 });
});

test('a thousand accounts are kept; the least recently written is dropped first', () => {
  const memory = new CountMemory();
  for (let id = 1; id <= 1_000; id++) memory.keep(id, 1, { lot: id });
  memory.keep(1, 2, { lot: 1 });
  expect(memory.recall(2, 1)).toEqual({ lot: 2 });
  memory.keep(1_001, 1, { lot: 1_001 });
  expect(memory.recall(2, 1)).toEqual({});
  expect([memory.recall(1, 2), memory.recall(3, 1)]).toEqual([{ lot: 1 }, { lot: 3 }]);
});
