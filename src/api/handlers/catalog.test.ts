/** Sets, minifigs and batches from cached and stored documents. */
import { expect, test } from 'bun:test';
import { dataIn } from '../../../test/support/handled.ts';
import { AnswerData } from '../answer-data.ts';
import { jsonOf, type Work } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { catalogHandlers } from './catalog.ts';

/** Handlers with one set in the cache, and one set and one minifig only in the store. */
function open() {
  const steps: string[] = [];
  const texts = new Map(['set 1', 'set 2', 'minifig a'].map((name) => [name, `{"is":"${name}"}`]));
  const documentOf = (name: string) => {
    const text = texts.get(name);
    return text === undefined ? null : new AnswerData(text);
  };
  const documents = {
    peek: (kind: string, key: string) =>
      kind === 'set' && key === '1' ? documentOf('set 1') : undefined,
    find: async (kind: string, key: string) => {
      steps.push(`find ${kind} ${key}`);
      return documentOf(`${kind} ${key}`);
    },
    noteLookUp: (kind: string, key: string) => steps.push(`note ${kind} ${key}`),
    findThemes: async () => 'themes',
  };
  const handlers = catalogHandlers({ market: { documents } } as unknown as HandlerDeps);
  return { steps, ...handlers };
}

const nobody = [{} as never, { used: 0, at: 0 }] as const;
const read = async (work: Work) => {
  const answer = await work.read(...nobody);
  return jsonOf(answer) ?? answer;
};
const numbered = (number: string) => ({ params: { number }, query: {}, body: null });
const sent = (body: object) => ({ params: {}, query: {}, body });

test('an item is found by any form of its number, and look-ups are noted', async () => {
  const { getSet, getMinifig, listThemes, steps } = open();
  expect(getSet(numbered('1-1')).peek?.()).toEqual(new AnswerData('{"is":"set 1"}'));
  expect(getSet(numbered('2')).peek?.()).toBeUndefined();
  expect(await read(getSet(numbered('2-1')))).toBe('{"is":"set 2"}');
  const missing: unknown = await read(getMinifig(numbered('B')));
  expect(missing).toEqual({ missing: "There is no minifig 'B'." });
  getMinifig(numbered('A')).noteAnswered?.();
  expect(steps).toEqual(['find set 2', 'find minifig b', 'note minifig a']);
  expect(await read(listThemes())).toBe('themes');
});

test('a batch has each item once, and those that do not exist as they were sent', async () => {
  const { getBatch, steps } = open();
  const work = getBatch(sent({ sets: ['1', '3-1', '1-1', '2'], minifigs: ['A'] }));
  expect(work.cost).toBe(4);
  expect(dataIn(await work.read(...nobody))).toEqual({
    sets: [
      { is: 'set 1', found: true },
      { set_number: '3-1', found: false },
      { is: 'set 2', found: true },
    ],
    minifigs: [{ is: 'minifig a', found: true }],
    summary: { requested: 4, found: 3 },
  });
  expect(steps).toEqual(['find set 3', 'find set 2', 'find minifig a']);
  expect(dataIn(await getBatch(sent({ minifigs: ['x'] })).read(...nobody))).toEqual({
    sets: [],
    minifigs: [{ minifig_number: 'x', found: false }],
    summary: { requested: 1, found: 0 },
  });
});

test('a batch has 1 to 100 items', () => {
  const { getBatch } = open();
  const sets = Array.from({ length: 99 }, (_, index) => String(index));
  expect(getBatch(sent({ sets, minifigs: ['a'] })).cost).toBe(100);
  expect(() => getBatch(sent({ sets, minifigs: ['a', 'b'] }))).toThrow('101 unique items;');
  expect(() => getBatch(sent({ sets: [] }))).toThrow('names no set and no minifig');
});
