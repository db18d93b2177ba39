/** The market list in memory matches the published items. */
import { expect, test } from 'bun:test';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { noFilters } from '../../market/lists/market-filters.ts';
import type { MarketRecord } from '../../market/lists/market-item.ts';
import type { ListedEntry } from '../../market/published/published-records.ts';
import type { ChangeListener } from './freshness.ts';
import { MarketIndex } from './market-index.ts';

/** A market of records, and an index that follows it. */
function marketOf(count: number) {
  const records = new Map<string, MarketRecord>();
  const put = (kind: ItemKind, key: string, name: string | null) => {
    const record = { kind, key, number: key, name, theme: null, interest: 0, months: null };
    if (name === null) records.delete(`${kind} ${key}`);
    else records.set(`${kind} ${key}`, record as unknown as MarketRecord);
  };
  for (let key = 0; key < count; key++) put('set', String(1000 + key), 'first');
  put('minifig', '1000', 'first');
  let listener: ChangeListener = () => {};
  let reads = 0;
  let onRead = () => {};
  const market = {
    listMarketRecords: async (kind: ItemKind, after: string, limit: number) => {
      reads++;
      onRead();
      const ofKind = [...records.values()].filter((each) => each.kind === kind);
      return ofKind.filter(({ key }) => key > after).slice(0, limit);
    },
    findMarketRecords: async (kind: ItemKind, keys: readonly string[]) =>
      keys.flatMap((key) => records.get(`${kind} ${key}`) ?? []),
  };
  const freshness = {
    follow: (follower: ChangeListener) => {
      listener = follower;
    },
    refresh: async () => {},
  };
  const index = new MarketIndex(market, freshness);
  const tell = (changes: readonly { kind: ItemKind; key: string }[] | null) =>
    listener(changes as unknown as ListedEntry[] | null);
  const names = async (kind: ItemKind) => {
    const range = { limit: 9_999, offset: 0 };
    const question = { kind, matches: null, filters: noFilters, sort: 'name', ...range } as const;
    const list = await index.find();
    return list.find({ ...question, isDescending: false }).rows.map(({ name }) => name);
  };
  const whileReading = (act: () => void) => {
    onRead = act;
  };
  return { put, tell, names, index, whileReading, reads: () => reads };
}

test('everything is read once, in parts, and later publications are read again', async () => {
  const { put, tell, names, index, reads } = marketOf(1_001);
  expect([(await names('set')).length, await names('minifig')]).toEqual([1_001, ['first']]);
  expect(reads()).toBe(4);
  const before = await index.find();
  expect(await index.find()).toBe(before);
  put('set', '1000', 'second');
  put('minifig', '1000', null);
  tell([
    { kind: 'set', key: '1000' },
    { kind: 'minifig', key: '1000' },
  ]);
  expect((await names('set')).at(-1)).toBe('second');
  expect([(await names('set')).length, await names('minifig')]).toEqual([1_001, []]);
  expect(reads()).toBe(4);
  tell(null);
  expect((await names('set')).length).toBe(1_001);
  expect(reads()).toBe(8);
});

test('during endless publications, callers get everything published before their call', async () => {
  const { put, tell, names, whileReading, reads } = marketOf(3);
  whileReading(() => tell(null));
  put('set', '1000', 'second');
  expect((await names('set')).sort()).toEqual(['first', 'first', 'second']);
  expect(reads()).toBe(4);
  put('set', '1001', 'third');
  expect((await names('set')).sort()).toEqual(['first', 'second', 'third']);
  whileReading(() => {});
  const last = reads();
  expect((await names('set')).length).toBe(3);
  expect((await names('minifig')).length).toBe(1);
  expect(reads()).toBe(last + 2);
});
