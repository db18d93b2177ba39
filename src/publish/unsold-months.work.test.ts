/** Months without any sale: not stored individually, but returned as if they were. */
// @runs SQLite, PostgreSQL: publishes with the store
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { openWorld, type StoredWorld } from '../../test/support/stored-world.ts';
import { serveWorld } from '../../test/support/world.ts';
import { formatMonth } from '../kernel/time.ts';
import type { Series } from '../market/history/history.ts';
import { valueEngine } from '../market/values/engine.ts';

const castle = {
  kind: 'set',
  set_number: '6080',
  title: 'Castle',
  theme: 'Castles',
  msrp_usd: 50,
  pieces: 700,
  release_date: '2024-03-10',
  retire_date: '2026-01-20',
};
const sale = {
  kind: 'sale',
  source: 'shop',
  source_id: '1',
  item_type: 'set',
  item: '6080',
  condition: 'used',
  price: 80,
  sold_at: '2026-05-05T12:00:00Z',
};

let world: StoredWorld;

beforeEach(async () => {
  world = await openWorld('2026-11-15T12:00:00Z', valueEngine);
  await world.load([castle]);
});

afterEach(() => world.close());

async function seriesOf(condition: 'sealed' | 'used'): Promise<Series> {
  const options = { at: world.now, withSeries: true };
  const [item] = await world.store.market.loadInputs([1], options);
  const series = item?.series[condition];
  if (!series) throw new Error('There are no months.');
  return series;
}

async function history() {
  const { firstMonth, points } = await seriesOf('sealed');
  return points.map(({ valueCents, salesCount, event }, index) =>
    [formatMonth(firstMonth + index), valueCents, salesCount, event].join(' '),
  );
}

const months = async () => (await world.publisher.verify(1))?.months;

test('unsold months are returned from the release to the last final month, with events', async () => {
  const returned = await history();
  expect(returned).toHaveLength(32);
  expect(returned[0]).toBe('2024-03  0 released');
  expect(returned[22]).toBe('2026-01  0 retired');
  expect(returned.at(-1)).toBe('2026-10  0 ');
  await world.addAccount('a@b.example');
  const key = await world.addKey('a@b.example');
  const { call } = await serveWorld(world);
  const { data } = (await (await call('/set/6080/history?condition=used', key)).json()) as {
    data: { history: object[] };
  };
  expect(data.history).toHaveLength(32);
  expect(data.history[22]).toEqual({
    month: '2026-01',
    value_usd: null,
    range_low: null,
    range_high: null,
    sales_count: 0,
    event: 'retired',
  });
});

test('unsold months have no recorded inputs, and can still be verified', async () => {
  expect(new Set((await seriesOf('sealed')).provenance)).toEqual(new Set(['unsold']));
  expect(await months()).toMatchObject({ checked: 64, matches: 64 });
});

test('sealed unsold months stay when dates change, and new ones follow', async () => {
  await world.store.market.sealHistory(world.now);
  const before = await history();
  world.now = Date.parse('2026-12-09T12:00:00Z');
  await world.load([{ ...castle, release_date: '2023-01-01', retire_date: '2025-05-05' }]);
  expect(await history()).toEqual([...before, '2026-11  0 ']);
  expect(await months()).toMatchObject({ checked: 66, matches: 66 });
});

test('a sale that arrives after sealing does not change unsold months, a restatement does', async () => {
  await world.store.market.sealHistory(world.now);
  const before = await history();
  world.now = Date.parse('2026-12-09T12:00:00Z');
  await world.load([sale]);
  expect((await history()).slice(0, -1)).toEqual(before);
  expect(await months()).toMatchObject({ checked: 66, matches: 66 });
  const restated = { fromMonth: 2026 * 12, reason: 'A late source', at: world.now };
  await world.store.market.restateHistory(restated);
  await world.publisher.publishStale();
  const { points, provenance } = await seriesOf('used');
  expect(points.findIndex(({ valueCents }) => valueCents !== null)).toBe(26);
  expect(provenance.map((made) => made === 'unsold')).toEqual(points.map((_, at) => at < 26));
  expect(await months()).toMatchObject({ checked: 66, matches: 66 });
});

test('a sale that is not published yet counts as changed inputs', async () => {
  await world.ingest([sale]);
  const found = await months();
  expect(found?.inputsChanged).toHaveLength(12);
  expect(found?.differs).toEqual([]);
});
