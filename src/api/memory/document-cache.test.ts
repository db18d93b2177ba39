/** The document cache: its size, and when entries are dropped. */
import { expect, test } from 'bun:test';
import { entryRoom } from '../../kernel/bounded-map.ts';
import type { ListedEntry } from '../../market/published/published-records.ts';
import { LookUps } from '../../portfolio/interest/interest.work.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { AnswerData, roomOf } from '../answer-data.ts';
import { DocumentCache } from './document-cache.ts';
import { Freshness } from './freshness.ts';

test('the cache of sets has 32 million characters including names, and evicts the oldest', async () => {
  const million = 1024 * 1024;
  const room = entryRoom + '1000'.length + roomOf(new AnswerData(''));
  const bodies = { million: 'a'.repeat(million - room), empty: '' };
  const market = {
    publishStamp: () => 1,
    findDocument: async (_kind: string, key: string) => ({
      key,
      body: key === '2000' ? bodies.empty : bodies.million,
    }),
  } as Partial<MarketReading> as MarketReading;
  const documents = new DocumentCache(market, new Freshness(market), new LookUps());
  for (let key = 1000; key < 1032; key++) await documents.find('set', `${key}`);
  expect(documents.facts).toMatchObject({ entries: 32, characters: 32 * million });
  await documents.find('set', '2000');
  expect(documents.facts.entries).toBe(32);
  expect(documents.peek('set', '1000')).toBeUndefined();
  expect(documents.peek('set', '1001')?.json).toBe(bodies.million);
});

/** Documents of a market that records its queries; `onRead` is called during a read. */
function open(onRead: () => void = () => {}) {
  const state = { stamp: 1, asked: [] as string[], changes: null as ListedEntry[] | null };
  const market = {
    publishStamp: () => state.stamp,
    listChanges: async () => state.changes,
    findDocument: async (kind: string, key: string) => {
      state.asked.push(`${kind} ${key}`);
      onRead();
      // One is found under another number, and one does not exist.
      return key === 'none' ? null : { key: key === 'other' ? '1' : key, body: `${key}!` };
    },
    findThemes: async () => {
      state.asked.push('themes');
      onRead();
      return state.stamp === 1 ? null : '{"themes":["Farm"]}';
    },
  } as Partial<MarketReading> as MarketReading;
  const freshness = new Freshness(market);
  return { state, freshness, documents: new DocumentCache(market, freshness, new LookUps()) };
}

test('a document is read once, and hits and misses are counted', async () => {
  const { state, documents } = open();
  expect(documents.peek('set', '1')).toBeUndefined();
  const [first, second] = [await documents.find('set', '1'), await documents.find('set', '1')];
  expect(first?.json).toBe('1!');
  // The same object, so that its tag is computed once.
  expect(second).toBe(first);
  expect(documents.peek('set', '1')?.json).toBe('1!');
  expect(documents.peek('minifig', '1')).toBeUndefined();
  expect(state.asked).toEqual(['set 1']);
  expect(documents.facts).toMatchObject({ entries: 1, hits: 2, misses: 1 });
});

test('a missing document, or one with another number, is not cached', async () => {
  const { state, documents } = open();
  for (const key of ['none', 'none', 'other', 'other']) await documents.find('set', key);
  expect(await documents.find('set', 'none')).toBeNull();
  expect((await documents.find('set', 'other'))?.json).toBe('other!');
  expect(state.asked).toHaveLength(6);
  expect(documents.facts.entries).toBe(0);
});

test('only documents that are published again are read again; without a list, all of them', async () => {
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

test('a document that may have been published during the read is returned but not cached', async () => {
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

test('themes are read until there are some, and again after a publication', async () => {
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

test('look-ups are counted', () => {
  const lookUps = new LookUps();
  const market = {} as MarketReading;
  const documents = new DocumentCache(market, new Freshness(market), lookUps);
  documents.noteLookUp('set', '1');
  documents.noteLookUp('set', '1');
  expect(lookUps.take(9)).toEqual([{ kind: 'set', key: '1', times: 2 }]);
});
