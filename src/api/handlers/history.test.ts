/** The history of a set that has none, or does not exist. */
import { expect, test } from 'bun:test';
import { aSeries } from '../../../test/support/builders.ts';
import { dataIn } from '../../../test/support/handled.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { historyHandlers } from './history.ts';

const point = { valueCents: 1_00, lowCents: null, highCents: null, salesCount: 0, event: null };

test.each([
  ['has no months yet', { number: '1', series: null }, { set_number: '1', history: [] }],
  ['has some', { number: '1', series: aSeries(680, [point]) }, { history: [{ value_usd: 1 }] }],
  ['does not exist', null, { missing: "There is no set '1-1'." }],
])('a set that %s', async (_, found, expected) => {
  const asked: unknown[] = [];
  const store = {
    findSeries: async (...given: unknown[]) => {
      asked.push(given);
      return found;
    },
  };
  const { getSetHistory }: Pick<Handlers, 'getSetHistory'> = historyHandlers({
    market: { store },
  } as unknown as HandlerDeps);
  const query = { condition: 'used' } as const;
  const work = getSetHistory({ params: { number: '1-1' }, query, body: null });
  const answer = await work.read({} as never, { used: 0, at: 0 });
  expect('missing' in answer ? answer : dataIn(answer)).toMatchObject(expected);
  expect(asked).toEqual([['1', 'used']]);
});
