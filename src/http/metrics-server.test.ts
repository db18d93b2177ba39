/** What a monitor reads of a running server. */
import { expect, test } from 'bun:test';
import { Metrics } from './metrics.ts';
import { startMetrics } from './metrics-server.ts';

/** What the metrics say of being ready. */
async function readyOf(facts: { isCountable: boolean; isLeaving: boolean }): Promise<string> {
  const cache = { entries: 1, characters: 2, hits: 3, misses: 4 };
  const shown = startMetrics({
    host: '127.0.0.1',
    port: 0,
    metrics: new Metrics(true),
    store: {
      market: {
        publishStamp: () => 1,
        countStale: async () => 0,
        countDue: async () => 0,
      },
      isReplicaUsed: () => null,
    },
    clock: () => 0,
    build: {},
    findServerFacts: () => ({
      inFlight: 0,
      isLeaving: facts.isLeaving,
      isCountable: async () => facts.isCountable,
      caches: { documents: cache, answers: cache },
    }),
  });
  try {
    const text = await (await fetch(shown.url)).text();
    return text.split('\n').find((line) => line.startsWith('brickmark_ready ')) ?? '';
  } finally {
    await shown.stop();
  }
}

test('a server is ready while it can count calls and was not asked to end', async () => {
  const ready = (isCountable: boolean, isLeaving: boolean) => readyOf({ isCountable, isLeaving });
  expect(await ready(true, false)).toBe('brickmark_ready 1');
  expect(await ready(true, true)).toBe('brickmark_ready 0');
  expect(await ready(false, false)).toBe('brickmark_ready 0');
});
