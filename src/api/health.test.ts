/** Readiness: checked once a second for all callers, and logged when it changes. */
import { expect, test } from 'bun:test';
import { makeLog } from '../http/log.ts';
import { Readiness } from './health.ts';

/** A store that fails or hangs on demand, with its queries and the log. */
function watched() {
  const state = {
    isBroken: false,
    isUnreadable: false,
    isSilent: false,
    checks: [] as number[],
    stamps: 0,
    ms: 0,
  };
  const written: string[] = [];
  const log = makeLog({ level: 'requests', clock: () => 0, write: (text) => written.push(text) });
  const readiness = new Readiness({
    market: {
      publishStamp: async () => {
        state.stamps++;
        if (state.isUnreadable) throw new Error('The market is away.');
        return 1;
      },
    },
    accounts: {
      checkCountable: async (at) => {
        state.checks.push(at ?? -1);
        if (state.isBroken) throw new Error('The disk is full.');
        if (state.isSilent) await new Promise(() => {});
      },
    },
    clock: () => 7,
    elapsed: () => state.ms,
    log,
  });
  const events = () => {
    log.flush();
    const lines = written.flatMap((text) => text.trimEnd().split('\n'));
    return lines
      .map((line) => JSON.parse(line))
      .map(({ level, event, fault }) => [level, event, fault?.message].filter(Boolean).join(' '));
  };
  return { readiness, state, events };
}

test('the result is shared for a second, so the store is checked once', async () => {
  const { readiness, state } = watched();
  expect(await Promise.all([readiness.check(), readiness.check()])).toEqual([true, true]);
  state.isBroken = true;
  state.ms += 1_000;
  expect(await readiness.check()).toBe(true);
  // One write with the time of the clock, and one read of the market.
  expect(state.checks).toEqual([7]);
  expect(state.stamps).toBe(1);
});

test('a store failure is logged once, and so is its recovery', async () => {
  const { readiness, state, events } = watched();
  state.isBroken = true;
  expect(await readiness.check()).toBe(false);
  state.ms += 1_001;
  expect(await readiness.check()).toBe(false);
  expect(state.checks).toHaveLength(2);
  state.isBroken = false;
  state.ms += 1_001;
  expect(await readiness.check()).toBe(true);
  state.ms += 1_001;
  expect(await readiness.check()).toBe(true);
  expect(events()).toEqual(['error store The disk is full.', 'warn store']);
});

test('a store that takes two seconds is not ready', async () => {
  const { readiness, state, events } = watched();
  state.isSilent = true;
  const first = readiness.check();
  state.ms += 1_001;
  const second = readiness.check();
  expect(await Promise.all([first, second])).toEqual([false, false]);
  expect(state.checks).toHaveLength(1);
  expect(events()).toEqual(['error store The store did not answer within 2 seconds.']);
});

test('a market that cannot be read is not ready', async () => {
  const { readiness, state, events } = watched();
  state.isUnreadable = true;
  expect(await readiness.check()).toBe(false);
  expect(state.checks).toEqual([]);
  expect(events()).toEqual(['error store The market is away.']);
});
