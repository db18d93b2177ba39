/** Guarantees of every store about retail rows and the states they are folded from. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anOffer, aPublishedItem, aSale, aSet } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { hourMs, monthOf } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import type { PublishedItem, PublishedRetail } from '../published/publishing.ts';
import type { Offer } from '../source-rows/source-rows.ts';
import { foldOffers } from './retail-state.ts';

const now = Date.UTC(2026, 10, 15, 12);
const hour = (count: number) => now - (100 - count) * hourMs;

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-retail-'));
    store = await open(folder);
    const set = (number: string) => aSet({ number });
    await store.market.applyRows(
      ['1', '2', '3'].map((number) => ({ kind: 'set', source: 'feed', facts: set(number) })),
      now,
    );
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const apply = (...offers: Partial<Offer>[]) =>
    store.market.applyRows(
      offers.map((facts) => ({ kind: 'offer', offer: anOffer({ setKey: '1', ...facts }) })),
      now,
    );

  /** The inputs of the fold at retailer A: the time of the state, and of the offers after it. */
  async function toFold(at = now) {
    const [item] = await store.market.loadInputs([1], { at, withSeries: false });
    const { kept, offers } = item?.retail.retailer_a ?? { kept: null, offers: [] };
    return { item, kept: kept?.latest.at ?? null, offers: offers.map((o) => o.observedAt) };
  }

  test('input rows of an item are counted before they are read', async () => {
    const counts = (at = now) => store.market.countInputs([1, 2, 9], at);
    const one = (rows: number) => [
      { id: 1, rows },
      { id: 2, rows: 0 },
      { id: 9, rows: 0 },
    ];
    const other = { retailer: 'retailer_b', observedAt: hour(4) } as const;
    await apply({ observedAt: hour(2), priceCents: 1 }, { observedAt: hour(4) }, other);
    const sale = aSale({ itemKey: '1' });
    await store.market.applyRows([{ kind: 'sale', sale }], now);
    expect(await counts()).toEqual(one(4));
    expect(await counts(hour(3))).toEqual(one(2));
    await publishRow(1, {});
    expect(await counts()).toEqual(one(2));
    await apply({ observedAt: hour(6), priceCents: 1 });
    expect(await counts()).toEqual(one(3));
    expect(await counts(hour(5))).toEqual(one(2));
    // The state is later than the requested time and cannot be used: all offers are read.
    expect(await counts(hour(3))).toEqual(one(2));
    await apply({ observedAt: hour(1) });
    expect(await counts()).toEqual(one(6));
    // Observations in a row that found the same are one.
    await apply({ observedAt: hour(7), priceCents: 1 }, { observedAt: hour(8), priceCents: 1 });
    expect(await counts()).toEqual(one(6));
  });

  const publishRow = async (id: number, retail: Partial<PublishedRetail> | null) => {
    const [item] = await store.market.loadInputs([id], { at: now, withSeries: false });
    const states = item?.retail.retailer_a;
    const state = states ? foldOffers(states.kept, states.offers) : null;
    const row: PublishedRetail = {
      body: `{"row":${id}}`,
      asinKey: null,
      upcKey: null,
      eanKey: null,
      changedAt: null,
      months: { retailer_a: state?.months ?? [], retailer_b: [] },
      newStates: state ? [state] : [],
      ...retail,
    };
    const document: PublishedItem = aPublishedItem({
      id,
      version: item?.version ?? 0,
      at: now,
      retail: retail && row,
      dueAt: now + hourMs,
    });
    expect(await store.market.publish([document])).toBe(1);
  };

  test('a fold continues after its stored state', async () => {
    await apply({ observedAt: hour(1) }, { observedAt: hour(2) });
    expect(await toFold()).toMatchObject({ kept: null, offers: [hour(1), hour(2)] });
    await publishRow(1, {});
    await apply({ observedAt: hour(4) }, { observedAt: hour(3) });
    expect(await toFold()).toMatchObject({ kept: hour(2), offers: [hour(3), hour(4)] });
  });

  test.each([
    ['from before it', { observedAt: hour(1) }],
    ['of the same time with another price', { observedAt: hour(2), priceCents: 1 }],
  ])('an offer %s restarts the fold', async (_, late) => {
    await apply({ observedAt: hour(0) }, { observedAt: hour(2) });
    await publishRow(1, {});
    await apply(late);
    const { kept, offers } = await toFold();
    expect({ kept, last: offers.at(-1) }).toEqual({ kept: null, last: hour(2) });
  });

  test('an offer of the other retailer, or the same offer again, does not restart the fold', async () => {
    await apply({ observedAt: hour(2) });
    await publishRow(1, {});
    await apply({ observedAt: hour(2) }, { retailer: 'retailer_b', observedAt: hour(1) });
    expect(await toFold()).toMatchObject({ kept: hour(2), offers: [] });
  });

  test('at a time before the state, only offers up to it are read', async () => {
    await apply({ observedAt: hour(1) }, { observedAt: hour(3) });
    await publishRow(1, {});
    expect(await toFold(hour(2))).toMatchObject({ kept: null, offers: [hour(1)] });
  });

  const found = async (identifiers: Parameters<Store['market']['findRetail']>[0]) =>
    (await store.market.findRetail(identifiers))?.setKey ?? null;

  test('a row is found by every identifier, and by several only if all match', async () => {
    await publishRow(1, { asinKey: 'A1', upcKey: '0111', eanKey: '5111', changedAt: 7 });
    await publishRow(2, { asinKey: 'A2', upcKey: '0222' });
    expect(await found({ setKey: '1' })).toBe('1');
    expect(await found({ asinKey: 'A1' })).toBe('1');
    expect(await found({ barcodeKey: '0111' })).toBe('1');
    expect(await found({ barcodeKey: '5111' })).toBe('1');
    expect(await found({ setKey: '1', asinKey: 'A1', barcodeKey: '5111' })).toBe('1');
    expect(await found({ setKey: '1', asinKey: 'A2' })).toBeNull();
    expect(await found({ asinKey: 'A1', barcodeKey: '0222' })).toBeNull();
    expect(await found({ setKey: '3' })).toBeNull();
    expect(await found({ asinKey: 'A3' })).toBeNull();
    expect(await found({})).toBeNull();
    expect(await store.market.findRetail({ setKey: '1' })).toEqual({
      setKey: '1',
      body: '{"row":1}',
      asinKey: 'A1',
      upcKey: '0111',
      eanKey: '5111',
      changedAt: 7,
    });
  });

  test('an identifier shared by two sets finds neither, unless another one decides', async () => {
    await publishRow(1, { asinKey: 'A', upcKey: '0111' });
    await publishRow(2, { asinKey: 'A', upcKey: '0222' });
    expect(await found({ asinKey: 'A' })).toBeNull();
    expect(await found({ asinKey: 'A', barcodeKey: '0222' })).toBe('2');
  });

  test('months are written and removed with the row', async () => {
    await apply({ observedAt: hour(1), priceCents: 900 }, { observedAt: hour(2), priceCents: 800 });
    expect(await store.market.findRetailMonths('1')).toBeNull();
    await publishRow(1, {});
    const months = { retailer_a: [[monthOf(now), 800]], retailer_b: [] };
    expect(await store.market.findRetailMonths('1')).toEqual(months as never);
    await publishRow(1, null);
    expect(await store.market.findRetailMonths('1')).toBeNull();
  });

  test('rows are listed by time of change, and found by lists of identifiers', async () => {
    await publishRow(1, { asinKey: 'A1', upcKey: '0111', changedAt: 100 });
    await publishRow(2, { asinKey: 'A2', eanKey: '5222', changedAt: 200 });
    await publishRow(3, { asinKey: 'A3', changedAt: null });
    const since = async (at: number) =>
      (await store.market.listRetail(['1', '2', '3'], at)).map((row) => row.setKey).sort();
    expect([await since(100), await since(101), await since(201)]).toEqual([['1', '2'], ['2'], []]);
    const latest = async (limit: number) => {
      const rows = await store.market.listLatestRetail(['1', '2', '3'], { since: 100, limit });
      return rows.map((row) => row.setKey);
    };
    expect([await latest(1), await latest(9)]).toEqual([['2'], ['2', '1']]);
    const keys = async (asinKeys: string[] | null, barcodeKeys: string[] | null) =>
      (await store.market.findRetailKeys({ asinKeys, barcodeKeys })).sort();
    expect(await keys(['A1', 'A3', 'A9'], null)).toEqual(['1', '3']);
    expect(await keys(null, ['0111', '5222'])).toEqual(['1', '2']);
    expect(await keys(['A1', 'A2'], ['5222'])).toEqual(['2']);
    expect(await keys([], null)).toEqual([]);
  });

  test('many rows are listed at once, without removed ones', async () => {
    await publishRow(1, {});
    await publishRow(2, {});
    const listed = async () =>
      (await store.market.listRetail(['1', '2', '3', "'"], null)).map((row) => row.setKey).sort();
    expect(await listed()).toEqual(['1', '2']);
    await publishRow(2, null);
    expect(await listed()).toEqual(['1']);
  });
});
