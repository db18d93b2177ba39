/** The catalog as a list, while items are removed. */
import { expect, test } from 'bun:test';
import { dataIn } from '../../../test/support/handled.ts';
import { AnswerData } from '../answer-data.ts';
import { catalogListHandlers } from './catalog-list.ts';

const rows = [{ key: '1' }, { key: '2' }, { key: '3' }];
const documentOf = (key: string) => JSON.stringify({ set_number: key, title: `Set ${key}` });

/** Set 2 is removed after the page was counted. */
const handlers = catalogListHandlers({
  market: {
    list: { find: async () => ({ findAfter: () => ({ rows, total: 3, next: null }) }) },
    documents: {
      peek: (_: string, key: string) => (key === '1' ? new AnswerData(documentOf(key)) : undefined),
      find: async (_: string, key: string) =>
        key === '2' ? null : new AnswerData(documentOf(key)),
    },
    store: { findSearchRows: async () => ['1', '3'].map(documentOf) },
  },
} as never);

const [caller, spent] = [{} as never, { used: 0, at: 0 }];

test.each([
  ['title', 1],
  ['title,data_tier', 3],
])('a page with the fields %s leaves out an item that was removed', async (fields, cost) => {
  const query = { fields, limit: 3, sort: 'number' } as const;
  const work = await handlers.listSets({ query } as never).begin(caller, spent, 1_000);
  const { sets } = dataIn(await work.read(caller, spent));
  expect(sets.map(({ set_number }: { set_number: string }) => set_number)).toEqual(['1', '3']);
  expect(work.cost).toBe(cost);
});
