/** Sweeping while a server runs: in slices, with pauses, and stopped at once. */
import { expect, test } from 'bun:test';
import { until } from '../../../test/support/until.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { startSweeping } from './sweeping.work.ts';

const now = Date.UTC(2026, 10, 15, 12);

/** Sweeps a store with these results, then none; returns its calls and the log. */
async function sweepWith(answers: readonly (number | Error)[], rounds: number) {
  const asked: number[] = [];
  const failures: unknown[] = [];
  const sweep = async (at: number, limit: number) => {
    expect(at).toBe(now);
    asked.push(limit);
    const answer = answers[asked.length - 1] ?? 0;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const log = { failure: (event: string, error: unknown) => failures.push([event, error]) };
  const stop = startSweeping({ sweep }, { clock: () => now, log });
  await until(() => asked.length >= rounds);
  // Longer than its short pauses, so that all calls were made. It then pauses for an hour, and the
  // suite would hang if it could not be stopped.
  await Bun.sleep(120);
  await stop();
  return { asked, failures };
}

test('sweeping continues in slices while there are rows, and pauses otherwise', async () => {
  const { asked, failures } = await sweepWith([300, 12, 0], 3);
  expect(asked).toEqual([100, 100, 100]);
  expect(failures).toEqual([]);
});

test('a busy store is retried soon, and is not a failure', async () => {
  const { asked, failures } = await sweepWith([new StoreBusyError('busy'), 5, 0], 3);
  expect(asked).toHaveLength(3);
  expect(failures).toEqual([]);
});

test('a failure is logged, and retried only after a pause', async () => {
  const error = new Error('away');
  const { asked, failures } = await sweepWith([error, 5], 1);
  expect(asked).toHaveLength(1);
  expect(failures).toEqual([['sweeping', error]]);
});
