/** Downloads: slots, the least rate, and their release. */
import { afterEach, expect, test } from 'bun:test';
import { until } from '../../../test/support/until.ts';
import { Downloads } from './downloads.ts';

const alone = new AbortController().signal;
const of = (account: number, network = `n${account}`) => ({ account, network });
const ended: (() => void)[] = [];

afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** Pieces of 1,000 bytes, one for each that is read, and whether they were given up. */
function endless() {
  const state = { isGivenUp: false };
  async function* make() {
    try {
      for (;;) yield 'x'.repeat(1_000);
    } finally {
      state.isGivenUp = true;
    }
  }
  return { pieces: make(), state };
}

/** A clock that stands still, with checks all the time. */
function makeDownloads() {
  const time = { ms: 0 };
  const limits = { bytesPerSecond: 1_000, afterMs: 10_000, creditMs: 60_000, checkMs: 1 };
  return { time, downloads: new Downloads(limits, () => time.ms) };
}

test('a file arrives whole, and its slot is free afterwards', async () => {
  const { downloads } = makeDownloads();
  async function* pieces() {
    yield 'a';
    yield 'é';
  }
  for (let time = 0; time < 2; time++) {
    const stream = await downloads.begin(of(1), pieces(), alone);
    expect(await new Response(stream).text()).toBe('aé');
  }
});

test('an account has one download, a network three, and newcomers always find a slot', async () => {
  const { downloads } = makeDownloads();
  const begin = async (account: number, network: string) => {
    const stream = await downloads.begin(of(account, network), endless().pieces, alone);
    if (stream) ended.push(() => stream.cancel());
    return stream !== null;
  };
  expect(await begin(1, 'n')).toBe(true);
  expect(await begin(1, 'o')).toBe(false);
  for (const account of [2, 3]) expect(await begin(account, 'n')).toBe(true);
  expect(await begin(5, 'n')).toBe(false);
  expect(await begin(5, 'o')).toBe(true);
});

test('one that is read too slowly is cut off, and its slot is free', async () => {
  const { time, downloads } = makeDownloads();
  const { pieces, state } = endless();
  const stream = await downloads.begin(of(1), pieces, alone);
  const reader = stream?.getReader();
  await reader?.read();
  time.ms = 10_500;
  await Bun.sleep(20);
  expect(await downloads.begin(of(1), endless().pieces, alone)).toBeNull();
  time.ms = 15_000;
  await until(() => state.isGivenUp);
  const next = async () => reader?.read();
  await expect(next()).rejects.toThrow('read too slowly');
  const again = await downloads.begin(of(1), endless().pieces, alone);
  await again?.cancel();
});

test('reading fast at first is credited for a pause of a limited time', async () => {
  const { time, downloads } = makeDownloads();
  const { pieces, state } = endless();
  const stream = await downloads.begin(of(1), pieces, alone);
  const reader = stream?.getReader();
  for (let piece = 0; piece < 1_000; piece++) await reader?.read();
  time.ms = 59_000;
  await Bun.sleep(20);
  expect(state.isGivenUp).toBe(false);
  time.ms = 62_000;
  await until(() => state.isGivenUp);
});

test('one that is read fast enough goes on for as long as it takes', async () => {
  const { time, downloads } = makeDownloads();
  const stream = await downloads.begin(of(1), endless().pieces, alone);
  const reader = stream?.getReader();
  for (let second = 0; second < 60; second++) {
    time.ms += 1_000;
    expect((await reader?.read())?.value?.length).toBe(1_000);
  }
  await Bun.sleep(20);
  expect((await reader?.read())?.done).toBe(false);
  await reader?.cancel();
});

test('the slot is free when the browser leaves, or a piece fails', async () => {
  const { downloads } = makeDownloads();
  const leaving = new AbortController();
  await downloads.begin(of(1), endless().pieces, leaving.signal);
  leaving.abort();
  const next = await downloads.begin(of(1), endless().pieces, alone);
  await next?.cancel();
  // biome-ignore lint/correctness/useYield: it fails before its first piece.
  async function* failing(): AsyncGenerator<string> {
    throw new Error('no');
  }
  const stream = await downloads.begin(of(1), failing(), alone);
  await expect(new Response(stream).text()).rejects.toThrow('no');
  const last = await downloads.begin(of(1), endless().pieces, alone);
  expect(last).not.toBeNull();
  await last?.cancel();
});
