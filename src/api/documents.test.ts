/** Documents in memory: how many are kept, and for how long they are good. */
import { expect, test } from 'bun:test';
import { LookUps } from '../accounts/interest.ts';
import { entryRoom } from '../domain/kernel/bounded-map.ts';
import type { ListedEntry, MarketReading } from '../domain/market/market-reading.ts';
import { AnswerData, roomOf } from './answer-data.ts';
import { Documents } from './documents.ts';
import { Freshness } from './freshness.ts';

test('documents take 48 million characters with their names; then the oldest make room', async () => {
  const million = 1024 * 1024;
  const room = entryRoom + 'set 1000'.length + roomOf(new AnswerData(''));
  const bodies = { million: 'a'.repeat(million - room), empty: '' };
  const market = {
    publishStamp: () => 1,
    findDocument: async (_kind: string, key: string) => ({
      key,
      body: key === '2000' ? bodies.empty : bodies.million,
    }),
  } as Partial<MarketReading> as MarketReading;
  const documents = new Documents(market, new Freshness(market), new LookUps());
  for (let key = 1000; key < 1048; key++) await documents.find('set', `${key}`);
  expect(documents.facts).toMatchObject({ entries: 48, characters: 48 * million });
  await documents.find('set', '2000');
  expect(documents.facts.entries).toBe(48);
  expect(documents.peek('set', '1000')).toBeUndefined();
  expect(documents.peek('set', '1001')?.json).toBe(bodies.million);
});

/** Documents of a market that says what it was asked; `onRead` is called while it is asked. */
function open(onRead: () => void = () => {}) {
  const state = { stamp: 1, asked: [] as string[], changes: null as ListedEntry[] | null };
  const market = {
    publishStamp: () => state.stamp,
    listChanges: async () => state.changes,
    findDocument: async (kind: string, key: string) => {
      state.asked.push(`${kind} ${key}`);
      onRead();
      // One is found by another number, and one is not there.
      return key === 'none' ? null : { key: key === 'other' ? '1' : key, body: `${key}!` };
    },
    findThemes: async () => {
      state.asked.push('themes');
      onRead();
      return state.stamp === 1 ? null : '{"themes":["Farm"]}';
    },
  } as Partial<MarketReading> as MarketReading;
  const freshness = new Freshness(market);
  return { state, freshness, documents: new Documents(market, freshness, new LookUps()) };
}

test('a document is read once, and its hits and misses are counted', async () => {
  const { state, documents } = open();
  expect(documents.peek('set', '1')).toBeUndefined();
  const [first, second] = [await documents.find('set', '1'), await documents.find('set', '1')];
  expect(first?.json).toBe('1!');
  // The very same, so that its tag is made once.
  expect(second).toBe(first);
  expect(documents.peek('set', '1')?.json).toBe('1!');
  expect(documents.peek('minifig', '1')).toBeUndefined();
  expect(state.asked).toEqual(['set 1']);
  expect(documents.facts).toMatchObject({ entries: 1, hits: 2, misses: 1 });
});

test('what is not there, or has another number, is asked for each time', async () => {
  const { state, documents } = open();
  for (const key of ['none', 'none', 'other', 'other']) await documents.find('set', key);
  expect(await documents.find('set', 'none')).toBeNull();
  expect((await documents.find('set', 'other'))?.json).toBe('other!');
  expect(state.asked).toHaveLength(6);
  expect(documents.facts.entries).toBe(0);
});

test('what is published again is read again, and nothing else; without a list, all is', async () => {
  const { state, documents } = open();
  await documents.find('set', '1');
  await documents.find('set', '2');
  state.stamp = 2;
  state.changes = [{ kind: 'set', key: '1' } as ListedEntry];
  await documents.find('set', '2');
  expect(state.asked).toEqual(['set 1', 'set 2']);
  await documents.find('set', '1');
  expect(state.asked).toEqual(['set 1', 'set 2', 'set 1']);
  state.stamp = 3;
  state.changes = null;
  await documents.find('set', '2');
  expect(state.asked).toHaveLength(4);
});

test('what may have been published again while it was read is given, and not kept', async () => {
  const { state, freshness, documents } = open(() => {
    state.stamp++;
    freshness.refresh();
  });
  await documents.find('set', '1');
  await documents.find('set', '1');
  await documents.findThemes();
  await documents.findThemes();
  expect(state.asked).toEqual(['set 1', 'set 1', 'themes', 'themes']);
});

test('the themes are read until there are some, and again once anything was published', async () => {
  const { state, documents } = open();
  expect((await documents.findThemes()).json).toBe('{"themes":[]}');
  state.stamp = 2;
  expect((await documents.findThemes()).json).toBe('{"themes":["Farm"]}');
  expect((await documents.findThemes()).json).toBe('{"themes":["Farm"]}');
  expect(state.asked).toHaveLength(2);
  state.stamp = 3;
  state.changes = [];
  await documents.findThemes();
  expect(state.asked).toHaveLength(3);
});
