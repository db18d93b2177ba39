/**
 * Decisions about history: when months become final, what they contain, and that they do not
 * change.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { HistoryPoint } from '../../src/contract/history.ts';
import { parseInstant, parseMonth } from '../../src/kernel/time.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;

beforeEach(async () => {
  world = await startWorld('2026-06-20T00:00:00Z');
  await world.addAccount('caller@example.com');
  key = await world.addKey('caller@example.com');
});

afterEach(() => world.close());

const released: FeedLine = {
  kind: 'set',
  set_number: '100',
  title: 'Month Mill',
  theme: 'Mills',
  release_date: '2026-01-20',
};

function sale(id: string, day: string, price: number, condition = 'sealed'): FeedLine {
  return {
    kind: 'sale',
    source: 'shop',
    source_id: id,
    item_type: 'set',
    item: '100',
    condition,
    price,
    sold_at: `${day}T12:00:00Z`,
  };
}

async function history(condition = 'sealed'): Promise<HistoryPoint[]> {
  const response = await world.call(`/set/100/history?condition=${condition}`, key);
  const body = (await response.json()) as { data: { history: HistoryPoint[] } };
  return body.data.history;
}

async function months(condition = 'sealed') {
  return (await history(condition)).map((p) => [p.month, p.value_usd, p.sales_count, p.event]);
}

/** Sets the clock and publishes due items, as `serve` does. */
async function moveTo(instant: string): Promise<void> {
  world.now = parseInstant(instant) ?? 0;
  while ((await world.publisher.publishDue(100)) > 0);
}

const seal = () => world.store.market.sealHistory(world.now);

test('history starts at the release, is null before the first sale, and carries values over months without sales', async () => {
  await world.load([released, sale('a', '2026-03-10', 50)]);
  expect(await months()).toEqual([
    ['2026-01', null, 0, 'released'],
    ['2026-02', null, 0, null],
    ['2026-03', 50, 1, null],
    ['2026-04', 50, 0, null],
    ['2026-05', 50, 0, null],
  ]);
  expect(await months('used')).toEqual([
    ['2026-01', null, 0, 'released'],
    ['2026-02', null, 0, null],
    ['2026-03', null, 0, null],
    ['2026-04', null, 0, null],
    ['2026-05', null, 0, null],
  ]);
});

test('history starts at the first sale if that is before the release', async () => {
  await world.load([released, sale('a', '2025-12-30', 50)]);
  expect((await history())[0]?.month).toBe('2025-12');
});

test('an unreleased set without sales has no history', async () => {
  await world.load([{ ...released, release_date: '2026-09-01' }]);
  expect(await history()).toEqual([]);
});

test('a month becomes final at 00:00 UTC on the 8th of the next month', async () => {
  await world.load([released, sale('a', '2026-06-10', 50)]);
  await moveTo('2026-07-07T23:59:59.999Z');
  expect((await history()).at(-1)?.month).toBe('2026-05');
  await moveTo('2026-07-08T00:00:00Z');
  expect((await months()).at(-1)).toEqual(['2026-06', 50, 1, null]);
});

test('events: released, retired, and jumps supported by sales', async () => {
  const cheap = ['02', '06', '10', '14'].map((day) => sale(`c${day}`, `2026-02-${day}`, 50));
  const dear = ['02', '06', '10', '14', '18', '22'].map((day) =>
    sale(`d${day}`, `2026-05-${day}`, 90),
  );
  await world.load([{ ...released, retire_date: '2026-04-30' }, ...cheap, ...dear]);
  expect((await history()).map((point) => point.event)).toEqual([
    'released',
    null,
    null,
    'retired',
    'price_jump_up',
  ]);
});

test('before sealing, a late sale changes its month; after sealing it does not', async () => {
  await world.load([released, sale('a', '2026-03-10', 50)]);
  await world.load([sale('b', '2026-04-10', 80)]);
  const before = await history();
  expect(before[3]).toMatchObject({ month: '2026-04', sales_count: 1 });
  expect(await seal()).toBe(true);
  await world.load([sale('c', '2026-04-11', 500), sale('d', '2026-02-11', 500)]);
  expect(await history()).toEqual(before);
  await moveTo('2026-07-09T00:00:00Z');
  const after = await history();
  expect(after.slice(0, 5)).toEqual(before);
  expect(after[5]?.month).toBe('2026-06');
});

test('a sealed month uses the rows known at its cutoff, however late it is computed', async () => {
  await world.load([released, sale('a', '2026-03-10', 50)]);
  await seal();
  world.now = parseInstant('2026-07-20T00:00:00Z') ?? 0;
  await world.load([sale('late', '2026-06-15', 90)]);
  expect((await months()).at(-1)).toEqual(['2026-06', 50, 0, null]);
});

test('a sale corrected after the cutoff stays in the month it was known in', async () => {
  await world.load([released, sale('a', '2026-03-10', 50), sale('b', '2026-06-10', 60)]);
  await seal();
  world.now = parseInstant('2026-07-09T00:00:00Z') ?? 0;
  await world.load([sale('b', '2026-06-10', 61)]);
  expect((await months()).at(-1)?.slice(0, 3)).toEqual(['2026-06', 61, 1]);
});

test('a sale that waits for an exchange rate is known when the rate is', async () => {
  const abroad = (id: string, day: string) => ({ ...sale(id, day, 80), currency: 'EUR' });
  await world.load([released, sale('a', '2026-03-10', 50), abroad('b', '2026-04-10')]);
  const open = await months();
  expect(open.at(-2)).toEqual(['2026-04', 50, 0, null]);
  const rate = (date: string) => ({ kind: 'fx', date, currency: 'EUR', usd_per_unit: 1 });
  await seal();
  await world.load([abroad('c', '2026-06-10'), abroad('d', '2026-06-11')]);
  await moveTo('2026-07-07T00:00:00Z');
  await world.load([rate('2026-06-04')]);
  await moveTo('2026-07-09T00:00:00Z');
  // The rate of June 4 was in time for both sales of June; that of April came too late.
  await world.load([rate('2026-04-10'), rate('2026-06-10')]);
  expect((await months()).slice(0, -1)).toEqual(open);
  expect((await months()).at(-1)).toEqual(['2026-06', 80, 2, 'price_jump_up']);
  await world.load([abroad('e', '2026-07-05')]);
  await moveTo('2026-08-09T00:00:00Z');
  expect((await months()).at(-1)?.[2]).toBe(0);
});

test('a restatement recomputes from its month on, and is public', async () => {
  await world.load([released, sale('a', '2026-02-10', 50)]);
  await seal();
  await world.load([sale('b', '2026-03-10', 80), sale('c', '2026-04-10', 80)]);
  const reason = 'The shop sent April again';
  const fromMonth = parseMonth('2026-04') ?? 0;
  await world.store.market.restateHistory({ fromMonth, reason, at: world.now });
  await world.publisher.publishStale();
  expect((await months()).map(([month, , count]) => [month, count])).toEqual([
    ['2026-01', 0],
    ['2026-02', 1],
    ['2026-03', 0],
    ['2026-04', 1],
    ['2026-05', 0],
  ]);
  const record = await (await fetch(`${world.url}/restatements.json`)).json();
  expect(record).toEqual({
    restatements: [
      { id: 1, from_month: '2026-04', reason, recorded_at: '2026-06-20T00:00:00.000Z' },
    ],
  });
  const restated = await history();
  await world.load([sale('d', '2026-04-20', 500)]);
  expect(await history()).toEqual(restated);
});

test('history cannot be sealed while rows are unpublished', async () => {
  await world.ingest([released]);
  expect(await seal()).toBe(false);
  await world.publisher.publishStale();
  expect(await seal()).toBe(true);
});
