/** With a slow store, results outdated by a publication are not cached. */
import { expect, test } from 'bun:test';
import { aPublishedItem } from '../../../test/support/builders.ts';
import { until } from '../../../test/support/until.ts';
import { LookUps } from '../../portfolio/interest/interest.work.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { DocumentCache } from './document-cache.ts';
import { Freshness } from './freshness.ts';
import { SearchIndex } from './search-index.ts';

const clock = () => Date.UTC(2026, 10, 15, 12);

/** A market whose reads return the state at their start, when released. */
function lateMarket() {
  const state = {
    stamp: 1,
    themes: 'old',
    document: 'old',
    names: ['Old mill'],
    isTooMuch: false,
  };
  const waiting: (() => void)[] = [];
  const later = <T>(value: T) => new Promise<T>((go) => waiting.push(() => go(value)));
  const entries = () =>
    state.names.map((name, index) => ({
      ...aPublishedItem().search,
      kind: 'set' as const,
      key: `${index + 1}`,
      name,
      ranksLast: false,
      interestCounts: null,
    }));
  const changes = () => (state.isTooMuch ? null : entries());
  const market = {
    publishStamp: () => state.stamp,
    listChanges: async () => changes(),
    findThemes: () => later(state.themes),
    findDocument: (_kind: string, key: string) =>
      later({ key: key.replace(/^0/, ''), body: state.document }),
    listSearchEntries: () => later(entries()),
    findSearchRows: async (_kind: string, keys: readonly string[]) => [...keys],
  } as Partial<MarketReading> as MarketReading;
  /** Completes pending reads, latest first, until the work is done. */
  const letGo = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      waiting.pop()?.();
      await Bun.sleep(1);
    }
    return work;
  };
  return { state, market, waiting, letGo };
}

test('themes read before a publication are not shown after it', async () => {
  const { state, market, letGo, waiting } = lateMarket();
  const freshness = new Freshness(market);
  const documents = new DocumentCache(market, freshness, new LookUps());
  const first = documents.findThemes();
  await until(() => waiting.length > 0);
  Object.assign(state, { stamp: 2, themes: 'new' });
  await freshness.refresh();
  expect((await letGo(first))?.json).toBe('old');
  expect((await letGo(documents.findThemes()))?.json).toBe('new');
});

test('a document read before its publication is not shown after it', async () => {
  const { state, market, letGo, waiting } = lateMarket();
  const freshness = new Freshness(market);
  const documents = new DocumentCache(market, freshness, new LookUps());
  const first = documents.find('set', '1');
  await until(() => waiting.length > 0);
  Object.assign(state, { stamp: 2, document: 'new' });
  await freshness.refresh();
  expect((await letGo(first))?.json).toBe('old');
  expect(documents.peek('set', '1')).toBeUndefined();
  expect((await letGo(documents.find('set', '1')))?.json).toBe('new');
});

test.each([false, true])(
  'a document is cached until the stamp changes (too many changes: %p)',
  async (isTooMuch) => {
    const { state, market, letGo } = lateMarket();
    const documents = new DocumentCache(market, new Freshness(market), new LookUps());
    await letGo(documents.find('set', '1'));
    expect(documents.peek('set', '1')?.json).toBe('old');
    expect((await documents.find('set', '1'))?.json).toBe('old');
    expect(documents.facts).toMatchObject({ entries: 1, hits: 2, misses: 1 });
    // Freshness is checked once per turn.
    await new Promise((go) => setImmediate(go));
    Object.assign(state, { stamp: 2, document: 'new', isTooMuch });
    expect(documents.peek('set', '1')).toBeUndefined();
    expect((await letGo(documents.find('set', '1')))?.json).toBe('new');
    expect(documents.peek('set', '1')?.json).toBe('new');
  },
);

test('only documents that were published again are dropped', async () => {
  const { state, market, letGo } = lateMarket();
  const freshness = new Freshness(market);
  const documents = new DocumentCache(market, freshness, new LookUps());
  for (const key of ['1', '2']) await letGo(documents.find('set', key));
  state.stamp = 2;
  await freshness.refresh();
  expect(documents.peek('set', '1')).toBeUndefined();
  expect(documents.peek('set', '2')?.json).toBe('old');
});

test('a document found under another number is not cached', async () => {
  const { market, letGo } = lateMarket();
  const documents = new DocumentCache(market, new Freshness(market), new LookUps());
  expect((await letGo(documents.find('set', '01')))?.json).toBe('old');
  expect(documents.peek('set', '01')).toBeUndefined();
});

const query = { kind: 'set', term: 'mill', limit: 10, offset: 0 } as const;
const render = ({ total }: { readonly total: number }) => `${total}`;

test.each([false, true])(
  'a search that started before a publication includes it (too many changes: %p)',
  async (isTooMuch) => {
    const { state, market, letGo, waiting } = lateMarket();
    const freshness = new Freshness(market);
    const search = new SearchIndex(market, freshness, clock);
    const first = search.find(query, render);
    await until(() => waiting.length > 0);
    Object.assign(state, { stamp: 2, names: ['Old mill', 'New mill'], isTooMuch });
    const second = search.find(query, render);
    await freshness.refresh();
    const [before, after] = await letGo(Promise.all([first, second]));
    expect(['1', '2']).toContain(before.json);
    expect(after.json).toBe('2');
    expect((await letGo(search.find(query, render)))?.json).toBe('2');
    expect((await letGo(search.find({ ...query, limit: 5 }, render)))?.json).toBe('2');
  },
);

test('concurrent searches share the first read of the index', async () => {
  const { market, letGo, waiting } = lateMarket();
  const search = new SearchIndex(market, new Freshness(market), clock);
  const searches = Array.from({ length: 5 }, () => search.find(query, render));
  await until(() => waiting.length > 0);
  await Bun.sleep(5);
  expect(waiting).toHaveLength(1);
  const found = await letGo(Promise.all(searches));
  expect(found.map(({ json }) => json)).toEqual(['1', '1', '1', '1', '1']);
});

test('both kinds are preloaded, one after the other, and not read again by a search', async () => {
  const { market, letGo, waiting } = lateMarket();
  const search = new SearchIndex(market, new Freshness(market), clock);
  const warming = search.warm();
  await until(() => waiting.length > 0);
  await Bun.sleep(5);
  expect(waiting).toHaveLength(1);
  await letGo(warming);
  expect((await search.find(query, render))?.json).toBe('1');
  expect(waiting).toHaveLength(0);
});

test('a stamp that goes back clears everything, as for another database', async () => {
  const { state, market, letGo } = lateMarket();
  const freshness = new Freshness(market);
  const documents = new DocumentCache(market, freshness, new LookUps());
  state.stamp = 9;
  expect((await letGo(documents.findThemes()))?.json).toBe('old');
  Object.assign(state, { stamp: 5, themes: 'restored' });
  expect((await letGo(documents.findThemes()))?.json).toBe('restored');
});

test('a page of results is cached until something is published', async () => {
  const { state, market, letGo } = lateMarket();
  let reads = 0;
  const counting: MarketReading = {
    ...market,
    findSearchRows: async (_kind, keys) => {
      reads++;
      return [...keys];
    },
  };
  const search = new SearchIndex(counting, new Freshness(counting), clock);
  const first = await letGo(search.findPage(query));
  expect(await search.findPage(query)).toEqual(first);
  expect(reads).toBe(1);
  Object.assign(state, { stamp: 2, names: ['Old mill', 'New mill'] });
  expect(await letGo(search.findPage(query))).toMatchObject({ total: 2 });
  expect(reads).toBe(2);
});
