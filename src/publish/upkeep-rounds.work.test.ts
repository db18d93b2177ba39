/** Rounds of upkeep: their store calls and reports. */
import { expect, test } from 'bun:test';
import { until } from '../../test/support/until.ts';
import { StoreBusyError } from '../kernel/store-errors.ts';
import { minuteMs, secondMs } from '../kernel/time.ts';
import { startUpkeep } from './upkeep.work.ts';

type Work = Parameters<typeof startUpkeep>[0];

/** Upkeep of an empty store, with all its calls. */
function run(given: {
  readonly isDue?: boolean;
  readonly isHolder?: boolean;
  readonly publishDue?: Work['publisher']['publishDue'];
}) {
  const { isDue = true, isHolder = true, publishDue = async () => 1 } = given;
  const done: string[] = [];
  const clock = { now: Date.UTC(2026, 10, 15) };
  const started = clock.now;
  const store = {
    listDue: async () => (isDue ? [1] : []),
    takeLease: async ({ name, holder, at, until: end }) => {
      done.push(`${holder} took ${name} at ${(at - started) / secondMs} for ${end - at}`);
      return isHolder;
    },
    pruneEvents: async () => {
      done.push(`pruned at ${(clock.now - started) / secondMs}`);
      return 0;
    },
  } as Partial<Work['store']> as Work['store'];
  const stop = startUpkeep({
    store,
    publisher: { publishDue } as Partial<Work['publisher']> as Work['publisher'],
    clock: () => clock.now,
    holder: 'me',
    events: {
      onRound: (items) => done.push(`round ${items}`),
      onPublished: (items) => done.push(`published ${items}`),
      onFailure: (error) => done.push(String(error)),
    },
  });
  const ended = async (line: string, times = 1) => {
    await until(() => done.filter((each) => each === line).length >= times);
    await stop();
    return done;
  };
  return { done, clock, ended };
}

test.concurrent('nothing is written while nothing is due', async () => {
  expect(await run({ isDue: false }).ended('round 0')).toEqual(['round 0']);
});

test.concurrent('without the lease, nothing is published or reported', async () => {
  const publishDue = () => Promise.reject(new Error('It published.'));
  const done = await run({ isHolder: false, publishDue }).ended('round 0');
  expect(done).toEqual(['me took upkeep at 0 for 15000', 'round 0']);
});

test.concurrent('four items are published at once, and reported after a minute', async () => {
  const limits: number[] = [];
  const { clock, ended } = run({
    publishDue: async (limit) => {
      limits.push(limit);
      clock.now += minuteMs / 2;
      return limits.length;
    },
  });
  const done = await ended('published 6');
  expect(limits.slice(0, 3)).toEqual([4, 4, 4]);
  const reports = done.filter((line) => /^(round|published)/.test(line)).slice(0, 4);
  expect(reports).toEqual(['round 1', 'round 2', 'round 3', 'published 6']);
});

test.concurrent('events are pruned after the first minute, and then every hour', async () => {
  const { clock, ended } = run({
    publishDue: async () => {
      clock.now += minuteMs;
      return 1;
    },
  });
  const done = await ended('pruned at 3660');
  const pruned = done.filter((line) => line.startsWith('pruned'));
  expect(pruned.slice(0, 2)).toEqual(['pruned at 60', 'pruned at 3660']);
});

test.concurrent('a busy store is not a failure', async () => {
  let calls = 0;
  const publishDue = async () => {
    if (++calls === 1) throw new StoreBusyError('An import is writing.');
    if (calls === 2) throw new Error('It is broken.');
    return 1;
  };
  const done = await run({ publishDue }).ended('round 1');
  const reports = done.filter((line) => !line.startsWith('me took'));
  expect(reports.slice(0, 2)).toEqual(['Error: It is broken.', 'round 1']);
});

test.concurrent('the lease is renewed after a third of its time', async () => {
  const { clock, done, ended } = run({
    publishDue: async (_limit, pause) => {
      clock.now += 5 * secondMs;
      await pause?.();
      clock.now += 1;
      await pause?.();
      clock.now += 5 * secondMs + 1;
      await pause?.();
      return 1;
    },
  });
  await ended('round 1');
  const seconds = done.flatMap((line) => / at ([\d.]+) /.exec(line)?.[1] ?? []).map(Number);
  expect(seconds.slice(0, 3)).toEqual([0, 5.001, 10.002]);
});
