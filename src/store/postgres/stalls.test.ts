/**
 * Transactions on a PostgreSQL server that freezes time out like single statements, and are rolled
 * back.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PostgresServer } from '../../../test/support/postgres-server.ts';
import { type Client, openClient } from './client.ts';

const statementMs = 1_000;

let server: PostgresServer;
let client: Client;

beforeAll(async () => {
  server = await PostgresServer.launch();
  client = openClient(server.url(), { max: 2, statementMs, name: 'stalls' });
  await client.script('CREATE TABLE counter (n bigint NOT NULL)');
});

afterAll(async () => {
  await client.close();
  await server.remove();
});

const count = async () => (await client.query('SELECT * FROM counter')).length;

/** Inserts a row in a transaction, and does something in between. */
const add = (between: (ask: () => Promise<unknown>) => Promise<unknown>) =>
  client.transaction(async (tx) => {
    await tx.run('INSERT INTO counter VALUES (1)');
    await between(() => tx.query('SELECT 1'));
  });

/** Whether work fails while the server is frozen; resumes the server afterwards. */
async function isGivenUp(work: Promise<unknown>): Promise<boolean> {
  const isDone = await work.then(
    () => true,
    () => false,
  );
  server.resume();
  return !isDone;
}

test('a transaction that cannot begin never begins', async () => {
  await count();
  server.pause();
  expect(await isGivenUp(add(async () => {}))).toBe(true);
  expect(await count()).toBe(0);
});

test('a transaction with an unanswered statement is rolled back', async () => {
  const work = add(async (ask) => {
    server.pause();
    await ask();
  });
  expect(await isGivenUp(work)).toBe(true);
  expect(await count()).toBe(0);
});

test('a transaction with an unanswered commit fails, whatever its outcome', async () => {
  const work = add(async () => server.pause());
  expect(await isGivenUp(work)).toBe(true);
  expect(await count()).toBeLessThanOrEqual(1);
});

test('a transaction queued behind slow statements times out, and never runs', async () => {
  const before = await count();
  const slow = Array.from({ length: 12 }, () =>
    client.query('SELECT pg_sleep(0.9)').catch(() => null),
  );
  await Bun.sleep(100);
  await expect(add(async () => {})).rejects.toThrow();
  await Promise.all(slow);
  await Bun.sleep(500);
  expect(await count()).toBe(before);
});
