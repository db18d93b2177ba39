/** Sealing history and numbering restatements, the same on every store. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPublishedItem, aSale, aSet } from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import { lastFinalMonth, monthCut, monthOf } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';

const now = Date.UTC(2026, 10, 15, 12);

/** Items due before this are behind the latest final month. */
const cut = monthCut(lastFinalMonth(now));

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-history-'));
  store = await openTestStore(folder);
  await store.market.applyRows(
    [{ kind: 'set', source: 'feed', facts: aSet({ number: '1' }) }],
    now,
  );
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function publish(dueAt: number): Promise<void> {
  const [item] = await store.market.loadInputs([1], { at: now, withSeries: false });
  await store.market.publish([aPublishedItem({ id: 1, version: item?.version ?? 0, dueAt })]);
}

const sealedAt = async () => (await store.market.findHistoryState()).sealedAt;

test('history is sealed once, when everything due is published', async () => {
  expect(await store.market.sealHistory(now)).toBe(false);
  await publish(cut);
  expect([await store.market.sealHistory(now), await sealedAt()]).toEqual([false, null]);
  await publish(cut + 1);
  expect([await store.market.sealHistory(now), await sealedAt()]).toEqual([true, now]);
  expect([await store.market.sealHistory(now + 5), await sealedAt()]).toEqual([true, now]);
});

test.each([
  { soldAt: Date.UTC(2026, 10, 1), isSealed: true },
  { soldAt: Date.UTC(2026, 10, 1) - 1, isSealed: false },
])(
  'sales of earlier months that were not learned from prevent sealing: $isSealed',
  async (each) => {
    const sale = aSale({ itemKey: '1', soldAt: each.soldAt });
    await store.market.applyRows([{ kind: 'sale', sale }], now);
    await publish(cut + 1);
    expect(await store.market.sealHistory(now)).toBe(each.isSealed);
  },
);

test('restatements are numbered from 1, and listed in that order', async () => {
  const restate = (reason: string, at: number) =>
    store.market.restateHistory({ fromMonth: monthOf(now), reason, at });
  const first = await restate('Z', now + 2);
  const second = await restate('A', now + 1);
  const sale = aSale({ itemKey: '1' });
  await store.market.applyRows([{ kind: 'sale', sale }], now + 9);
  const third = await restate('M', now + 3);
  // Rows imported in the future are included.
  expect([first, second, third].map(({ id, at }) => [id, at - now])).toEqual([
    [1, 2],
    [2, 1],
    [3, 9],
  ]);
  expect((await store.market.findHistoryState()).restatements).toEqual([first, second, third]);
  expect(await store.market.listRestatements()).toEqual([first, second, third]);
});

test('a restatement covers every row in the store, also one from a clock that was ahead', async () => {
  const sale = aSale({ itemKey: '1', soldAt: now - 1000 });
  const earlier = { ...sale, sourceId: 'earlier' };
  await store.market.applyRows([{ kind: 'sale', sale: earlier }], now + 2);
  await store.market.applyRows([{ kind: 'sale', sale }], now + 5);
  const options = { fromMonth: 24_000, reason: 'A source took sales back.' };
  expect((await store.market.restateHistory({ ...options, at: now })).at).toBe(now + 5);
  await store.market.applyRows([{ kind: 'retract', source: 'shop', sourceId: 'a' }], now + 9);
  expect((await store.market.restateHistory({ ...options, at: now })).at).toBe(now + 9);
  expect((await store.market.restateHistory({ ...options, at: now + 99 })).at).toBe(now + 99);
});
