/** Guarantees of every store about learned parameters, and when they are outdated. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aMinifig, anOffer, aPublishedItem, aSale, aSet } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { monthOf, parseMonth } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import type { MarketRow } from '../source-rows/market-ingest.ts';
import type { Offer } from '../source-rows/source-rows.ts';

const now = Date.UTC(2026, 10, 15, 12);
const month = (text: string) => parseMonth(text) ?? Number.NaN;
const day = (text: string) => Date.parse(`${text}T12:00:00Z`);

const set = (number: string, facts = {}): MarketRow => ({
  kind: 'set',
  source: 'feed',
  facts: aSet({ number, ...facts }),
});
const minifig = (number: string, facts = {}): MarketRow => ({
  kind: 'minifig',
  source: 'feed',
  facts: aMinifig({ number, ...facts }),
});
const sale = (sourceId: string, facts = {}): MarketRow => ({
  kind: 'sale',
  sale: aSale({ itemKey: '1', sourceId, soldAt: day('2026-05-06'), ...facts }),
});
const sold = (itemKey: string): MarketRow =>
  sale(`of ${itemKey}`, { itemKind: 'minifig', itemKey, condition: 'used' });
const ownOffer: Offer = anOffer({ setKey: '1', sellerType: 'retailer', inStock: true });
const offer = (facts = {}): MarketRow => ({
  kind: 'offer',
  offer: { ...ownOffer, observedAt: day('2026-06-07'), ...facts },
});
const rate = (date: string, usdPerUnit: number): MarketRow => ({
  kind: 'fx',
  rate: { date, currency: 'EUR', usdPerUnit },
});
const retract = (sourceId: string): MarketRow => ({ kind: 'retract', source: 'shop', sourceId });
const parameters = (...months: string[]) =>
  months.map((text) => ({ month: month(text), version: `${text}-3f9a2c1b`, body: `"${text}"` }));

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-parameters-'));
    store = await open(folder);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const apply = (...rows: MarketRow[]) => store.market.applyRows(rows, now);
  const change = async () => (await store.market.findParameters()).change;
  /** Marks everything so far as learned. */
  const settle = async () => store.market.saveParameters([], await change());

  test('a new store has no parameters, and nothing to learn from', async () => {
    const state = { parameters: [], changedFrom: null, change: 0 };
    expect(await store.market.findParameters()).toEqual(state);
  });

  /** Sets 1 and 2, and minifigs; set 1 and minifig a have sales, those of set 1 also in euros. */
  const before: MarketRow[] = [
    rate('2026-03-31', 1.1),
    set('1', { minifigs: ['a'] }),
    set('2', { minifigs: ['a'] }),
    minifig('a'),
    minifig('b'),
    sale('s'),
    sale('e', { currency: 'EUR', soldAt: day('2026-04-05') }),
    sale('gone'),
    sale('m', { itemKind: 'minifig', itemKey: 'a', condition: 'used' }),
    retract('gone'),
    offer(),
  ];

  test.each<[string, MarketRow[], number]>([
    ['a sale', [sale('new', { soldAt: day('2025-12-31') })], month('2025-12')],
    ['another price', [sale('s', { priceCents: 1 })], month('2026-05')],
    ['a sale moved back', [sale('s', { soldAt: day('2026-03-01') })], month('2026-03')],
    ['a sale moved ahead', [sale('s', { soldAt: day('2026-08-01') })], month('2026-05')],
    ['a sale of another set', [sale('s', { itemKey: '2' })], month('2026-05')],
    ['a retraction', [retract('e')], month('2026-04')],
    // The rate is of March, the sale of April.
    ['a rate of sales', [rate('2026-03-31', 1.2)], month('2026-04')],
    ['a closer rate of sales', [rate('2026-04-01', 1.2)], month('2026-04')],
    // A week counts from its end on: the week of Friday, 31 July from Monday, 3 August.
    ['an own price', [offer({ observedAt: day('2026-07-31') })], month('2026-08')],
    ['another own price', [offer({ priceCents: 1 })], month('2026-06')],
    ['an own price that is taken back', [offer({ inStock: false })], month('2026-06')],
    ['facts of a set that was sold', [set('1', { minifigs: ['a'], pieces: 9 })], 0],
    ['facts of a sold set from another source', [{ ...set('1'), source: 'other' } as never], 0],
    ['facts of a minifig that was sold', [minifig('a', { category: 'Castle' })], 0],
    ['another set with a sold minifig', [set('3', { minifigs: ['a'] })], 0],
    ['a set without its sold minifig', [set('2')], 0],
    ['a sold minifig that becomes one with another', [minifig('b', { aliases: ['a'] })], 0],
    ['a sold minifig that takes another in', [minifig('a', { aliases: ['b'] })], 0],
    ['an alias and a sale by it', [minifig('b', { aliases: ['x'] }), sold('x')], 0],
    ['several rows', [sale('x'), retract('e'), offer({ priceCents: 1 })], month('2026-04')],
  ])('%s is a change, from its month on', async (_, rows, from) => {
    await apply(...before);
    await settle();
    const old = await change();
    await apply(...rows);
    const state = { parameters: [], changedFrom: from, change: old + 1 };
    expect(await store.market.findParameters()).toEqual(state);
  });

  test('facts and sets of a part affect all months if any number of the minifig was sold', async () => {
    await apply(...before, minifig('b', { aliases: ['a', 'c'] }));
    for (const rows of [
      [minifig('b', { aliases: ['a', 'c'], category: 'Castle' })],
      [minifig('c')],
      [set('4', { minifigs: ['c'] })],
      [minifig('b', { aliases: ['c'] })],
    ]) {
      await settle();
      expect((await store.market.findParameters()).changedFrom).toBeNull();
      await apply(...rows);
      expect((await store.market.findParameters()).changedFrom).toBe(0);
    }
    // After the last of these changes, the sold minifig is separate.
    await settle();
    await apply(minifig('c', { category: 'Castle' }));
    expect((await store.market.findParameters()).changedFrom).toBeNull();
  });

  test.each<[string, MarketRow[]]>([
    ['the same rows again', before],
    ['minifigs that become one and were never sold', [minifig('b', { aliases: ['x'] })]],
    ['no rows', []],
    ['a new set', [set('3', { pieces: 7 })]],
    ['a new minifig', [minifig('c')]],
    ['facts of a set that was never sold', [set('2', { minifigs: ['a'], pieces: 7 })]],
    ['facts of a minifig that was never sold', [minifig('b', { category: 'Castle' })]],
    ['another set with a minifig that was never sold', [set('3', { minifigs: ['b'] })]],
    ['a rate without sales', [rate('2026-10-01', 1.2)]],
    ['a rate too old for sales', [rate('2026-03-28', 1.2)]],
    ['a rejected sale', [sale('z', { itemKey: '9' })]],
    ['a rejected retraction', [retract('nobody')]],
    ['a rejected offer', [offer({ setKey: '9' })]],
    ['an offer of a third party', [offer({ observedAt: 5, sellerType: 'third_party' })]],
    ['an offer out of stock', [offer({ observedAt: 5, inStock: false })]],
    [
      'a higher price later in the week',
      [offer({ observedAt: day('2026-06-07') + 1, priceCents: 999_00 })],
    ],
  ])('%s: nothing changes', async (_, rows) => {
    await apply(...before);
    await settle();
    const state = await store.market.findParameters();
    expect(state.changedFrom).toBeNull();
    await apply(...rows);
    expect(await store.market.findParameters()).toEqual(state);
  });

  test('publishing a value does not change what parameters are learned from', async () => {
    await apply(...before);
    await settle();
    const state = await store.market.findParameters();
    const [item] = await store.market.loadInputs([1], { at: now, withSeries: true });
    const version = item?.version ?? 0;
    expect(await store.market.publish([aPublishedItem({ id: 1, version, newCents: 5 })])).toBe(1);
    await store.market.markAllStale();
    expect(await store.market.findParameters()).toEqual(state);
  });

  test('the earliest change is kept until parameters were learned', async () => {
    await apply(set('1'), sale('a', { soldAt: day('2026-05-01') }));
    await apply(sale('b', { soldAt: day('2026-02-01') }));
    await apply(sale('c', { soldAt: day('2026-09-01') }));
    const state = await store.market.findParameters();
    expect(state).toMatchObject({ changedFrom: month('2026-02'), change: 3 });
    await settle();
    expect(await store.market.findParameters()).toMatchObject({ changedFrom: null, change: 3 });
    await apply(sale('d', { soldAt: day('2026-09-01') }));
    expect((await store.market.findParameters()).changedFrom).toBe(month('2026-09'));
  });

  test('a failed batch changes nothing', async () => {
    await apply(set('1'));
    const broken = { kind: 'set', source: 'feed', facts: null } as never;
    await expect(apply(sale('a'), broken)).rejects.toThrow();
    expect(await store.market.findParameters()).toMatchObject({ changedFrom: null, change: 0 });
  });

  test('parameters replace all previous ones, and persist when the store is closed', async () => {
    await store.market.saveParameters(parameters('2026-01', '2026-02', '2026-03'), 0);
    await store.market.saveParameters(parameters('2026-02', '2026-03'), 0);
    await store.close();
    store = await open(folder);
    const state = { ...(await store.market.findParameters()) };
    expect(state.parameters).toEqual(parameters('2026-02', '2026-03'));
    expect(await store.market.findParameterVersions()).toEqual({
      versions: state.parameters.map(({ body: _, ...version }) => version),
      changedFrom: null,
      change: 0,
    });
    await store.market.saveParameters([], 0);
    expect((await store.market.findParameters()).parameters).toEqual([]);
  });

  const otherFebruary = parameters('2026-02').map((row) => ({ ...row, version: 'other' }));

  test.each([
    ['the same', ['2026-01', '2026-02'], [], 0],
    ['a month more', ['2026-01', '2026-02', '2026-03'], [], 0],
    ['a month less', ['2026-01'], [], 2],
    ['an earlier month', ['2025-12', '2026-01', '2026-02'], [], 2],
    ['another content', ['2026-01'], otherFebruary, 2],
    ['nothing', [], [], 2],
  ])(
    '%s: items become stale unless parameters only add months',
    async (_, months, others, stale) => {
      await apply(set('1'), set('2'));
      await store.market.saveParameters(parameters('2026-01', '2026-02'), 0);
      const inputs = await store.market.loadInputs([1, 2], { at: now, withSeries: true });
      await store.market.publish(inputs.map(({ id, version }) => aPublishedItem({ id, version })));
      expect(await store.market.countStale()).toBe(0);
      await store.market.saveParameters([...parameters(...months), ...others], 0);
      expect(await store.market.countStale()).toBe(stale);
    },
  );

  test('the first parameters make items stale, but an empty list does not', async () => {
    await apply(set('1'));
    const [item] = await store.market.loadInputs([1], { at: now, withSeries: true });
    await store.market.publish([aPublishedItem({ id: 1, version: item?.version ?? 0 })]);
    await store.market.saveParameters([], 0);
    expect(await store.market.countStale()).toBe(0);
    await store.market.saveParameters(parameters('2026-01'), 0);
    expect(await store.market.countStale()).toBe(1);
  });

  test('inputs loaded before a change and new parameters are never published', async () => {
    await apply(set('1'));
    const [item] = await store.market.loadInputs([1], { at: now, withSeries: true });
    await apply(set('1', { pieces: 7 }));
    await store.market.saveParameters(parameters('2026-01'), 0);
    const outdated = aPublishedItem({ id: 1, version: item?.version ?? 0 });
    expect(await store.market.publish([outdated])).toBe(0);
  });

  test('once history is sealed, parameters are only added', async () => {
    await store.market.saveParameters(parameters('2026-01', '2026-02'), 0);
    expect(await store.market.sealHistory(now)).toBe(true);
    await store.market.saveParameters([], 0);
    await store.market.freezeParameters([...otherFebruary, ...parameters('2026-03')]);
    const { parameters: found } = await store.market.findParameters();
    expect(found).toEqual(parameters('2026-01', '2026-02', '2026-03'));
  });

  test('changes while parameters are being learned stay pending', async () => {
    await apply(set('1'), sale('a', { soldAt: day('2026-03-01') }));
    const learnedAt = await change();
    await apply(sale('b', { soldAt: day('2026-07-01') }));
    await store.market.saveParameters(parameters('2026-03'), learnedAt);
    expect(await store.market.findParameters()).toEqual({
      parameters: parameters('2026-03'),
      changedFrom: month('2026-03'),
      change: learnedAt + 1,
    });
    await store.market.saveParameters([], learnedAt);
    expect((await store.market.findParameters()).changedFrom).toBe(month('2026-03'));
    await store.market.saveParameters([], learnedAt + 1);
    expect((await store.market.findParameters()).changedFrom).toBeNull();
  });

  test('of two processes that learn at once, the one with the later state wins', async () => {
    await apply(set('1'), sale('a', { soldAt: day('2026-03-01') }));
    const first = await change();
    await apply(sale('b', { soldAt: day('2026-04-01') }));
    await store.market.saveParameters(parameters('2026-03', '2026-04'), first + 1);
    await store.market.saveParameters(parameters('2026-03'), first);
    expect(await store.market.findParameters()).toEqual({
      parameters: parameters('2026-03', '2026-04'),
      changedFrom: null,
      change: first + 1,
    });
  });

  test('items with any sale are listed', async () => {
    await apply(set('1'), set('2'), minifig('a'), set('3'));
    const minifigSale = { itemKind: 'minifig', itemKey: 'a', condition: 'used' };
    await apply(sale('c', { itemKey: '3' }), sale('m', minifigSale), sale('a'), sale('b'));
    await apply(retract('c'));
    const firstSoldAt = day('2026-05-06');
    const sold = await store.market.listSold(null);
    expect(sold).toEqual([
      { id: 1, kind: 'set', key: '1', firstSoldAt, sales: 2 },
      { id: 3, kind: 'minifig', key: 'a', firstSoldAt, sales: 1 },
      { id: 4, kind: 'set', key: '3', firstSoldAt, sales: 1 },
    ]);
    expect(await store.market.listSold(now + 1)).toEqual(sold);
    expect(await store.market.listSold(now)).toEqual([]);
  });

  test('months are in UTC', async () => {
    await apply(set('1'), sale('a', { soldAt: Date.parse('2026-05-01T00:00:00Z') - 1 }));
    const { changedFrom } = await store.market.findParameters();
    expect(changedFrom).toBe(monthOf(Date.parse('2026-04-30T23:59:59Z')));
  });
});
