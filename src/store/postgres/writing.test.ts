/** One process writes to the market at a time: commands wait for the lock, servers do not. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { PostgresServer } from '../../../test/support/postgres-server.ts';
import { until } from '../../../test/support/until.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { type Client, openClient } from './client.ts';
import { marketWriting } from './writing.ts';

let server: PostgresServer;
let client: Client;
/** Ends the write in progress of each test. */
let finish: () => void;
let first: Promise<void>;

beforeAll(async () => {
  server = await PostgresServer.launch();
});
afterAll(() => server.remove());

beforeEach(async () => {
  client = openClient(server.url(), { max: 3, statementMs: 0, name: 'writing' });
  const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  finish = ended.resolve;
  const write = marketWriting(client, true);
  first = write(() => {
    started.resolve();
    return ended.promise;
  });
  await started.promise;
});
afterEach(async () => {
  finish();
  await first;
  await client.close();
});

/** The number of connections waiting for a lock. */
async function countWaiting(): Promise<number> {
  const [row] = await client.query<{ n: number }>(
    'SELECT count(*) AS n FROM pg_locks WHERE NOT granted',
  );
  return row?.n ?? 0;
}

test('a command waits until the previous one has written', async () => {
  const write = marketWriting(client, true);
  let isWriting = false;
  const second = write(async () => {
    isWriting = true;
  });
  await until(async () => (await countWaiting()) !== 0);
  expect(isWriting).toBe(false);
  finish();
  await second;
  expect(isWriting).toBe(true);
});

test('a command whose wait times out gets a StoreBusyError', async () => {
  const hurried = (sql: string) => sql.replace(/lock_timeout = [1-9]\d*/, 'lock_timeout = 20');
  const hasty: Client = {
    ...client,
    transaction: (work) =>
      client.transaction((tx) =>
        work({ ...tx, run: (sql, values) => tx.run(hurried(sql), values) }),
      ),
  };
  const write = marketWriting(hasty, true);
  await expect(write(async () => {})).rejects.toThrow(StoreBusyError);
});

test('a server does not wait', async () => {
  const write = marketWriting(client, false);
  await expect(write(async () => {})).rejects.toThrow(StoreBusyError);
  finish();
  await first;
  expect(await write(async () => 'written')).toBe('written');
});
