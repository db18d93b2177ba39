/** Only readings run without a transaction. `tsc` fails if an expected error is missing. */
import { expect, test } from 'bun:test';
import type { postgresReading } from '../postgres/engine.ts';
import {
  type Engine,
  insertRows,
  lock,
  methods,
  type Operation,
  query,
  type Reading,
  run,
  runRows,
  together,
} from './operation.ts';
import { tables } from './tables.ts';

const write = () => run('DELETE FROM private.notice');
const lockRow = () => runRows('SELECT 1 FROM private.notice FOR UPDATE');
const read = () => query<{ id: number }>('SELECT id FROM private.notice');

function* writeTwice(): Operation<number> {
  return (yield* write()) + (yield* write());
}

function* readTwice(): Reading<number> {
  return (yield* read()).length + (yield* read()).length;
}

function* readThenWrite(): Operation<void> {
  if ((yield* read()).length > 0) yield* write();
}

/** Runs a writing one, so it is none. */
function* mislabelled(): Reading<number> {
  // @ts-expect-error
  return yield* write();
}

/** Never called: the compiler checks it. */
async function checked(engine: Engine, replica: ReturnType<typeof postgresReading>): Promise<void> {
  await engine.run(readTwice);
  await engine.snapshot(readTwice);
  await engine.transaction(readTwice);
  await engine.transaction(writeTwice);
  await engine.run(() => together([read(), readTwice()]));
  methods(engine.run, { readTwice });
  methods(engine.transaction, { readTwice, writeTwice });
  // @ts-expect-error
  await engine.run(writeTwice);
  // @ts-expect-error
  await engine.run(write);
  // @ts-expect-error
  await engine.run(readThenWrite);
  // @ts-expect-error
  await engine.run(lockRow);
  // @ts-expect-error
  await engine.run(() => lock('notices'));
  // @ts-expect-error
  await engine.run(() => insertRows(tables.notice, [{ id: 1 }]));
  // @ts-expect-error
  await engine.run(() => together([read(), write()]));
  // @ts-expect-error
  await engine.run(function* () {
    yield* write();
  });
  // @ts-expect-error
  await engine.snapshot(writeTwice);
  // @ts-expect-error
  await replica.run(write);
  // @ts-expect-error
  methods(engine.run, { readTwice, writeTwice });
  // @ts-expect-error
  methods(engine.snapshot, { writeTwice });
  // @ts-expect-error
  const transaction: Engine['transaction'] = engine.run;
  await transaction(mislabelled);
}

test('what writes or locks cannot be passed to run or snapshot', () => {
  expect(checked).toBeFunction();
});
