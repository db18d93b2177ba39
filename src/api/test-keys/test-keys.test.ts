/** The slow answer of test keys, and the numbers that force an outcome. */
import { expect, test } from 'bun:test';
import { usualCaller } from '../../../test/support/callers.ts';
import { dataIn } from '../../../test/support/handled.ts';
import type { Handlers } from '../handler.ts';
import { forcedBy, forcedNumbers, slowMs } from './test-items.ts';
import { TestKeys } from './test-keys.ts';

test('the slow number waits, and then has the data of the first set', async () => {
  const waits: number[] = [];
  const handlers = { getSet: () => ({ read: async () => 'real' }) } as unknown as Handlers;
  const keys = new TestKeys(handlers, async (ms) => {
    waits.push(ms);
  });
  const read = async (number: string) => {
    const { work } = keys.parse(`http://here/api/v1/set/${number}`);
    if (!work || !('read' in work)) throw new Error('It can be read at once.');
    const answer = await work.read(usualCaller, { used: 0, at: 0 });
    return dataIn(answer).set_number as string;
  };
  expect(await read('10482')).toBe('10482');
  expect(waits).toEqual([]);
  expect(await read('99010')).toBe('10482');
  expect(waits).toEqual([slowMs]);
});

test('a number forces its outcome anywhere in an input, and only as a whole', () => {
  expect(forcedBy({ params: { number: '99429-1' }, query: {} })).toBe('quota');
  expect(forcedBy({ query: { offset: 99500 } })).toBe('failure');
  expect(forcedBy({ query: { asin: 'B1, 99010' } })).toBe('slow');
  expect(forcedBy({ body: { items: [{ set: '10482' }, { set: '99429' }] } })).toBe('quota');
  expect(forcedBy({ params: { number: '994290' }, body: null })).toBeNull();
  expect(new Set(Object.values(forcedNumbers)).size).toBe(3);
});
