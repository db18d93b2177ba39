/** Daily values: what single calls returned at the end of each day, until the month is final. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;

beforeAll(async () => {
  world = await startWorld('2026-10-30T12:00:00Z');
  await world.addAccount('ann@example.com');
  key = await world.addKey('ann@example.com');
});

afterAll(() => world.close());

async function read<Data>(path: string): Promise<Data> {
  const answer = await world.call(path, key);
  return ((await answer.json()) as { data: Data }).data;
}

interface Daily {
  readonly set_number?: string;
  readonly minifig_number?: string;
  readonly condition: string;
  readonly final: boolean;
  readonly days: readonly { readonly date: string; readonly value_usd: number | null }[];
}

const daily = (path: string) => read<Daily>(`/api/plus/v1${path}`);

const sale = (item_type: 'set' | 'minifig', item: string, price: number) => ({
  kind: 'sale',
  source: 'shop',
  source_id: `${item} ${price} ${world.now}`,
  item_type,
  item,
  condition: item_type === 'set' ? 'sealed' : 'used',
  price,
  currency: 'USD',
  sold_at: new Date(world.now - 1).toISOString(),
});

/** Records a sale of each item, and returns the values that single calls have then. */
async function sell(at: string, price: number) {
  world.now = Date.parse(at);
  await world.load([sale('set', '1', price), sale('minifig', 'a1', price / 10)]);
  const set = await read<{ new_value_usd: number }>('/set/1');
  const minifig = await read<{ current_value_usd: number }>('/minifig/a1');
  return { set: set.new_value_usd, minifig: minifig.current_value_usd };
}

test('each day has the value that was returned at its end, until its month is final', async () => {
  await world.load([
    { kind: 'set', set_number: '1', title: 'One', theme: 'Castle' },
    { kind: 'minifig', minifig_number: 'a1', name: 'Knight', aliases: ['fig-1'] },
  ]);
  expect(await daily('/set/1/daily-values')).toEqual({
    set_number: '1',
    condition: 'sealed',
    final: false,
    days: [],
  });
  await sell('2026-10-31T10:00:00Z', 50);
  const first = await sell('2026-10-31T20:00:00Z', 60);
  const second = await sell('2026-11-02T20:00:00Z', 90);
  expect(second).not.toEqual(first);
  world.now = Date.parse('2026-11-03T09:00:00Z');
  const dates = ['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-03'];
  const values = [first, first, second, second];
  expect(await daily('/set/1-1/daily-values')).toEqual({
    set_number: '1',
    condition: 'sealed',
    final: false,
    days: dates.map((date, index) => ({ date, value_usd: values[index]?.set ?? null })),
  });
  expect(await daily('/minifig/fig-1/daily-values')).toEqual({
    minifig_number: 'a1',
    condition: 'used',
    final: false,
    days: dates.map((date, index) => ({ date, value_usd: values[index]?.minifig ?? null })),
  });
  // October is final, and in the history.
  world.now = Date.parse('2026-11-08T00:00:00Z');
  await world.publisher.publishDue(10);
  const { days } = await daily('/set/1/daily-values');
  expect(days.slice(0, 2)).toEqual([
    { date: '2026-11-01', value_usd: first.set },
    { date: '2026-11-02', value_usd: second.set },
  ]);
  expect(days).toHaveLength(8);
  const { history } = await read<{ history: { month: string }[] }>('/set/1/history');
  expect(history.at(-1)?.month).toBe('2026-10');
});

test('an item that does not exist is a 404', async () => {
  const answer = await world.call('/api/plus/v1/set/404404/daily-values', key);
  expect([answer.status, (await answer.text()).includes("no set '404404'")]).toEqual([404, true]);
});
