/** Series of items, written with their documents, by item and condition. */
import { expect, test } from 'bun:test';
import { aPublishedItem, aSeries, aSet } from '../../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import type { MonthOrigin, Series } from './history.ts';

const shared = shareStore();

const months = (valueCents: number): Series =>
  aSeries(24_000, [{ valueCents, lowCents: 1, highCents: 9, salesCount: 1, event: null }]);

async function publish(id: number, series: { sealed: Series | null; used: Series | null }) {
  const [item] = await shared.store.market.loadInputs([id], { at: now, withSeries: false });
  const made = aPublishedItem({ id, version: item?.version ?? 0, series });
  expect(await shared.store.market.publish([made])).toBe(1);
}

const valuesOf = async (id: number) => {
  const [item] = await shared.store.market.loadInputs([id], { at: now, withSeries: true });
  const value = (series: Series | null | undefined) => series?.points[0]?.valueCents ?? null;
  return [value(item?.series.sealed), value(item?.series.used)];
};

test('series that an item no longer has are deleted, others stay', async () => {
  const { market } = shared.store;
  await market.applyRows(
    ['1', '2'].map((number) => ({
      kind: 'set' as const,
      source: 'feed',
      facts: aSet({ number }),
    })),
    now,
  );
  await publish(1, { sealed: months(2), used: months(3) });
  await publish(2, { sealed: months(4), used: months(5) });
  await publish(1, { sealed: months(6), used: null });
  expect([await valuesOf(1), await valuesOf(2)]).toEqual([
    [6, null],
    [4, 5],
  ]);
  await publish(2, { sealed: null, used: months(7) });
  expect([await valuesOf(1), await valuesOf(2)]).toEqual([
    [6, null],
    [null, 7],
  ]);
  expect((await market.findSeries('1', 'sealed'))?.series?.points[0]?.valueCents).toBe(6);
  expect(await market.findSeries('2', 'sealed')).toEqual({ number: '2', series: null });
  expect(await market.findSeries('3', 'sealed')).toBeNull();
});

test('provenance of months is stored', async () => {
  const { market } = shared.store;
  const facts = aSet({ number: '3' });
  await market.applyRows([{ kind: 'set', source: 'feed', facts }], now);
  const [id = 0] = await market.listStale(0, 9);
  const point = { valueCents: 1, lowCents: 1, highCents: 1, salesCount: 1, event: null };
  const made = { inputHash: 7, parameters: '2026-10-3f9a2c1b' };
  const series = (...provenance: readonly MonthOrigin[]): Series => ({
    ...aSeries(24_000, [point, point]),
    provenance,
  });
  const kept = async () => {
    const [item] = await market.loadInputs([id], { at: now, withSeries: true });
    return [item?.series.sealed?.provenance, item?.series.used?.provenance];
  };
  await publish(id, { sealed: series('unsold', 'unsold'), used: series(made, 'unsold') });
  expect(await kept()).toEqual([
    ['unsold', 'unsold'],
    [made, 'unsold'],
  ]);
  await publish(id, { sealed: series(made, made), used: series('unsold', made) });
  expect(await kept()).toEqual([
    [made, made],
    ['unsold', made],
  ]);
});
