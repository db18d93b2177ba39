/** Retries only after errors that certainly rolled back, four attempts at most. */
import { expect, test } from 'bun:test';
import { SQL } from 'bun';
import { retried } from './retried.ts';

/** An error of PostgreSQL with this code. */
const failing = (errno: string) =>
  new SQL.PostgresError('failed', { errno, code: 'ERR_POSTGRES_SERVER_ERROR' } as never);

/** The number of attempts of work that fails some times before it succeeds. */
async function triesOf(error: Error, failures: number): Promise<[tries: number, isDone: boolean]> {
  let tries = 0;
  const work = async () => {
    if (tries++ < failures) throw error;
    return 'done';
  };
  const isDone = await retried(work).then(
    (outcome) => outcome === 'done',
    () => false,
  );
  return [tries, isDone];
}

test.each(['40P01', '40001', '23503'])(
  'after %s it is retried, four attempts in all',
  async (errno) => {
    expect(await triesOf(failing(errno), 0)).toEqual([1, true]);
    expect(await triesOf(failing(errno), 3)).toEqual([4, true]);
    expect(await triesOf(failing(errno), 4)).toEqual([4, false]);
  },
);

test('work that may have been committed is not retried', async () => {
  expect(await triesOf(failing('57014'), 1)).toEqual([1, false]);
  expect(await triesOf(new Error('lost'), 1)).toEqual([1, false]);
});
