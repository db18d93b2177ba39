/** Batches of the Plus API: the answers of single calls, in order, all or nothing. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { smallMarket } from '../support/market.ts';
import { batch, startWorld, type World } from '../support/world.ts';

let world: World;
let key: string;

beforeAll(async () => {
  world = await startWorld();
  await world.load(smallMarket);
  await world.addAccount('ann@example.com');
  key = await world.addKey('ann@example.com');
});

afterAll(() => world.close());

const plus = '/api/plus/v1';

interface Answer {
  readonly data: Readonly<Record<string, unknown>>;
  readonly error: { readonly message: string };
  readonly meta: { readonly rate_limit: { readonly remaining: number } };
}

async function read(path: string, body?: object, as = key): Promise<Answer> {
  const answer = await world.call(path, as, body && batch(body));
  return (await answer.json()) as Answer;
}

const dataOf = async (path: string) => (await read(path)).data;

test('a batch of histories has those of single calls, in order, each once', async () => {
  const { data } = await read(`${plus}/history/batch`, {
    sets: ['6002', '404404', '75192-1', '75192', '7001'],
    condition: 'used',
  });
  const single = async (number: string) => ({
    ...(await dataOf(`/set/${number}/history?condition=used`)),
    found: true,
  });
  expect(data).toEqual({
    sets: [
      await single('6002'),
      { set_number: '404404', found: false },
      await single('75192'),
      await single('7001'),
    ],
    summary: { requested: 4, found: 3 },
  });
  const sealed = await read(`${plus}/history/batch`, { sets: ['75192'] });
  const usual = { ...(await dataOf('/set/75192/history')), found: true };
  expect(sealed.data.sets).toEqual([usual]);
});

test('a batch of evidence has that of single calls, under the numbers asked for', async () => {
  const { data } = await read(`${plus}/evidence/batch`, {
    sets: ['75192', 'nothing'],
    minifigs: ['fig-000001', 'CAS404'],
  });
  expect(data).toEqual({
    sets: [
      { ...(await dataOf(`${plus}/set/75192/evidence`)), found: true },
      { set_number: 'nothing', found: false },
    ],
    minifigs: [
      { ...(await dataOf(`${plus}/minifig/cas001/evidence`)), found: true },
      { minifig_number: 'CAS404', found: false },
    ],
    summary: { requested: 4, found: 2 },
  });
});

test('a batch of max buy prices has those of single calls, by condition and grade', async () => {
  const { data } = await read(`${plus}/max-buy/batch`, {
    items: [
      { set: '75192' },
      { set: '75192-1', condition: 'sealed' },
      { set: '75192', condition: 'used' },
      { set: '75192', grade: 'damaged_box' },
      { minifig: 'cas001' },
      { minifig: 'cas404' },
    ],
    share: 0.65,
    margin_pct: 12.5,
    channel: 'bricklink',
  });
  const terms = 'share=0.65&margin_pct=12.5&channel=bricklink';
  const single = async (query: string) => ({
    ...(await dataOf(`${plus}/max-buy?${query}&${terms}`)),
    found: true,
  });
  expect(data).toEqual({
    items: [
      await single('set=75192'),
      await single('set=75192&condition=used'),
      await single('set=75192&grade=damaged_box'),
      await single('minifig=cas001'),
      { item_type: 'minifig', number: 'cas404', found: false },
    ],
    summary: { requested: 5, found: 4 },
  });
});

const bodies: readonly (readonly [path: string, body: object])[] = [
  ['history', { sets: ['75192', '404404', '6002'] }],
  ['evidence', { sets: ['75192', '404404'], minifigs: ['cas001'] }],
  ['max-buy', { items: [{ set: '75192' }, { set: '404404' }, { minifig: 'cas001' }] }],
];

test.each(bodies)('a batch of %s costs one call per item, all or nothing', async (path, body) => {
  const scarce = await world.addKey('ann@example.com', { allowance: 5 });
  const first = await read(`${plus}/${path}/batch`, body, scarce);
  expect(first.meta.rate_limit.remaining).toBe(2);
  const second = await read(`${plus}/${path}/batch`, body, scarce);
  expect(second.error.message).toContain('needs 3 of the daily allowance of 5 calls and 2 are');
  const { meta } = await read('/catalog/themes', undefined, scarce);
  expect(meta.rate_limit.remaining).toBe(1);
});

const numbers = Array.from({ length: 101 }, (_, index) => String(index));

test.each<[string, object, string]>([
  ['history', { sets: numbers }, '101 unique items; at most 100'],
  ['history', { sets: [] }, "'sets' must not be empty"],
  ['history', { sets: ['1'], condition: 'new' }, "'condition' must be one of sealed, used"],
  ['history', { sets: ['1'], minifigs: ['a'] }, "Unknown property 'minifigs'"],
  ['evidence', { sets: numbers.slice(1), minifigs: ['a'] }, '101 unique items; at most 100'],
  ['evidence', {}, 'names no set and no minifig'],
  ['max-buy', { items: numbers.map((set) => ({ set })) }, '101 unique items; at most 100'],
  ['max-buy', { items: [{ set: '1', minifig: 'a' }] }, "In 'items.0', give exactly one of"],
  ['max-buy', { items: [{ set: '1' }], share: 0.99 }, "'share' must be a number from 0.5 to 0.95"],
])('a batch of %s refuses %p at no cost', async (path, body, message) => {
  const before = await read('/catalog/themes');
  const { error } = await read(`${plus}/${path}/batch`, body);
  expect(error.message).toContain(message);
  const after = await read('/catalog/themes');
  expect(after.meta.rate_limit.remaining).toBe(before.meta.rate_limit.remaining - 1);
});

test('an instant in a body is explained as one in a body, not in a URL', async () => {
  const body = { sets: ['75192'], from: '2026-11-01T00:00:00%2B02:00' };
  const { error } = await read(`${plus}/retail-history/batch`, body);
  expect(error.message).toBe(
    "In the body, 'from' must be an instant such as 2026-11-15T12:00:00Z, as a string; " +
      'got "2026-11-01T00:00:00%2B02:00".',
  );
});
