/** Large responses arrive completely, also several on one connection. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { batch, startWorld, type World } from '../support/world.ts';

const numbers = Array.from({ length: 100 }, (_, index) => String(9000 + index));
const title = (number: string) => `Château ${number} — ${'é'.repeat(300)}`;

let world: World;
let key: string;

beforeAll(async () => {
  world = await startWorld();
  await world.load(
    numbers.map((number) => ({
      kind: 'set',
      set_number: number,
      title: title(number),
      theme: 'Châteaux',
    })),
  );
  await world.addAccount('caller@example.com');
  key = await world.addKey('caller@example.com', { allowance: 1_000_000 });
});

afterAll(() => world.close());

test.each([1, 10, 20, 30, 100])('a batch of %d is valid JSON to the last byte', async (count) => {
  const sets = numbers.slice(0, count);
  for (let round = 0; round < 3; round++) {
    const response = await world.call('/catalog/batch', key, batch({ sets }));
    const { data } = (await response.json()) as { data: { sets: { title: string }[] } };
    expect(response.status).toBe(200);
    expect(data.sets.map((set) => set.title)).toEqual(sets.map(title));
  }
});

test('concurrent responses are not mixed up', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const path = `/catalog/sets/search?q=ch%C3%A2teau&limit=60&offset=${index}`;
      const body = (await (await world.call(path, key)).json()) as {
        data: { results: { set_number: string }[] };
      };
      return body.data.results[0]?.set_number;
    }),
  );
  expect(answers).toEqual(numbers.slice(0, 40));
});

test('HEAD has the headers of a large response and no body', async () => {
  const path = '/catalog/sets/search?q=ch%C3%A2teau&limit=100';
  const head = await world.call(path, key, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(head.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(head.headers.get('x-ratelimit-limit')).toBe('1000000');
  expect((await world.call(path, key)).status).toBe(200);
});

test('a client that disconnects during a large response does not affect others', async () => {
  const path = '/catalog/sets/search?q=ch%C3%A2teau&limit=100';
  for (let round = 0; round < 20; round++) {
    const leaving = new AbortController();
    const request = world.call(path, key, { signal: leaving.signal }).catch(() => null);
    await Bun.sleep(round % 4);
    leaving.abort();
    await request;
  }
  expect((await world.call(path, key)).status).toBe(200);
  expect(world.failures).toEqual([]);
});
