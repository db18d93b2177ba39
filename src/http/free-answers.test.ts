/** Answers that cost nothing: how many are given at once, and to whom. */
import { expect, test } from 'bun:test';
import { FreeAnswers, laterMs } from './free-answers.ts';

/** Whether the next answer is given at once. */
const isNow = (free: FreeAnswers, network: string, kind: 'health' | 'other') =>
  free.give(network, kind, new Response()) instanceof Response;

/** The number of immediate responses among `count`. */
const countNow = (free: FreeAnswers, count: number, network: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => isNow(free, network(index), 'other')).filter(Boolean)
    .length;

test('each network has 300 at once and 50 per second', () => {
  let now = 0;
  const free = new FreeAnswers(() => now);
  const take = (count: number, network: string) =>
    Array.from({ length: count }, () => free.mayHave(network)).filter(Boolean).length;
  expect(take(400, 'a')).toBe(300);
  expect(take(400, 'b')).toBe(300);
  now += 1_000;
  expect(take(400, 'a')).toBe(50);
});

test('all networks together have 200 at once, with a separate share for health checks', () => {
  let now = 0;
  const free = new FreeAnswers(() => now);
  expect(countNow(free, 250, (index) => `n${index}`)).toBe(200);
  expect(isNow(free, 'm', 'other')).toBe(false);
  expect(isNow(free, 'm', 'health')).toBe(true);
  now += 100;
  expect(countNow(free, 250, (index) => `n${index}`)).toBe(30);
});

test('more frequent requests are answered a second later, on a closing connection', async () => {
  const free = new FreeAnswers(() => 0);
  while (free.mayHave('a'));
  const startedAt = performance.now();
  const answer = await free.give('a', 'other', new Response('no'));
  expect(performance.now() - startedAt).toBeGreaterThan(laterMs - 50);
  expect(answer.headers.get('Connection')).toBe('close');
  expect(await answer.text()).toBe('no');
});

test('at most 4096 are delayed; the next are answered without delay', async () => {
  const free = new FreeAnswers(() => 0);
  const held = Array.from({ length: 4_096 }, () => free.later(new Response()));
  const first = Promise.race(held).then(() => null);
  const answer = await Promise.race([first, free.later(new Response())]);
  expect(answer?.headers.get('Connection')).toBe('close');
  await Promise.all(held);
  // Answered requests free their place.
  const again = performance.now();
  await free.later(new Response());
  expect(performance.now() - again).toBeGreaterThan(laterMs - 50);
});
