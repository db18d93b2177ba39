/** Transactions on a PostgreSQL that freezes: given up as soon as a statement, and undone. */
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

/** Adds a row in a transaction, in the middle of which something is done. */
const add = (between: (ask: () => Promise<unknown>) => Promise<unknown>) =>
  client.transaction(async (tx) => {
    await tx.run('INSERT INTO counter VALUES (1)');
    await between(() => tx.query('SELECT 1'));
  });

/** Whether work is given up while the server is frozen, which goes on only after that. */
async function isGivenUp(work: Promise<unknown>): Promise<boolean> {
  const isDone = await work.then(
    () => true,
    () => false,
  );
  server.resume();
  return !isDone;
}

test('one that cannot begin is never begun', async () => {
  await count();
  server.pause();
  expect(await isGivenUp(add(async () => {}))).toBe(true);
  expect(await count()).toBe(0);
});

test('one whose statement is not answered is undone', async () => {
  const work = add(async (ask) => {
    server.pause();
    await ask();
  });
  expect(await isGivenUp(work)).toBe(true);
  expect(await count()).toBe(0);
});

test('one whose end is not answered is told as a failure, whatever becomes of it', async () => {
  const work = add(async () => server.pause());
  expect(await isGivenUp(work)).toBe(true);
  expect(await count()).toBeLessThanOrEqual(1);
});

test('what waits behind slow statements on every connection is told in time, and never done', async () => {
  const before = await count();
  const slow = Array.from({ length: 8 }, () =>
    client.query('SELECT pg_sleep(0.9)').catch(() => null),
  );
  await Bun.sleep(100);
  await expect(add(async () => {})).rejects.toThrow();
  await Promise.all(slow);
  await Bun.sleep(500);
  expect(await count()).toBe(before);
});
