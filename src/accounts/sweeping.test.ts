/** Sweeping beside a server: in slices, patient, and ended at once when it is asked to end. */
import { expect, test } from 'bun:test';
import { until } from '../../test/support/until.ts';
import { StoreBusyError } from '../domain/store.ts';
import { startSweeping } from './sweeping.ts';

const now = Date.UTC(2026, 10, 15, 12);

/** Sweeps with a store that gives these answers, then nothing; what it was asked and told. */
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
  // Longer than its pauses: whatever it would still ask, it has asked. It rests for an hour, and
  // the suite would wait for that if it could not be ended.
  await Bun.sleep(120);
  await stop();
  return { asked, failures };
}

test('it goes on while there is something, in slices, and rests when there is not', async () => {
  const { asked, failures } = await sweepWith([300, 12, 0], 3);
  expect(asked).toEqual([100, 100, 100]);
  expect(failures).toEqual([]);
});

test('a store that is being written to is asked again soon, and that is no failure', async () => {
  const { asked, failures } = await sweepWith([new StoreBusyError('busy'), 5, 0], 3);
  expect(asked).toHaveLength(3);
  expect(failures).toEqual([]);
});

test('a failure is told, and nothing is hammered', async () => {
  const error = new Error('away');
  const { asked, failures } = await sweepWith([error, 5], 1);
  expect(asked).toHaveLength(1);
  expect(failures).toEqual([['sweeping', error]]);
});
