/**
 * A server killed at random moments: all granted calls are counted after the restart, and the store
 * is intact. A short run is part of the suite; `npm run kills` does 200 (KILLS sets the number).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { isPostgres } from '../support/engines.ts';
import { onTables } from '../support/tables.ts';

const kills = Number(process.env.KILLS ?? 4);
const clients = 8;

let place: Workplace;
let key: string;

beforeAll(async () => {
  place = makeWorkplace();
  const sets = Array.from({ length: 50 }, (_, index) =>
    JSON.stringify({ kind: 'set', set_number: String(1000 + index), title: 'Hut', theme: 'Huts' }),
  );
  await place.json(['import', 'feed', '-'], { stdin: sets.join('\n') });
  await place.json(['account', 'add', 'a@example.com', '--plan', 'reseller']);
  const add = ['key', 'add', 'a@example.com', '--allowance', '100000000'];
  ({ key } = await place.json<{ key: string }>(add));
});

afterAll(() => place.close());

/**
 * Calls until the server is killed, shortly after `answers` responses; returns the granted calls.
 */
async function callUntilKilled(server: Served, answers: number, momentMs: number): Promise<number> {
  let granted = 0;
  const callOn = async (client: number) => {
    for (let round = client; ; round++) {
      const status = await server.get(`/set/${1000 + (round % 50)}`, key).then(
        (response) => response.arrayBuffer().then(() => response.status),
        () => 0,
      );
      if (status !== 200) return;
      granted++;
      if (granted === answers) setTimeout(() => server.kill('SIGKILL'), momentMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => callOn(client)));
  return granted;
}

async function usedToday(): Promise<number> {
  const { keys } = await place.json<{ keys: { used_today: number }[] }>([
    'key',
    'list',
    'a@example.com',
  ]);
  return keys[0]?.used_today ?? -1;
}

/** The result of SQLite's integrity check; PostgreSQL itself was not killed. */
async function damage(): Promise<unknown[]> {
  if (isPostgres) return [];
  const found = await Promise.all(
    ['main', 'private'].map((file) =>
      onTables<{ integrity_check: string }>(place.data, `PRAGMA ${file}.integrity_check`),
    ),
  );
  return found.flat().filter((row) => row.integrity_check !== 'ok');
}

test(`${kills} kills: no granted call is lost, and the store is intact`, async () => {
  let granted = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const server = await place.serve();
    // By number of responses, not by time, since a busy machine is slower.
    granted += await callUntilKilled(server, 21 + ((kill * 7919) % 100), (kill * 7919) % 17);
    const used = await usedToday();
    expect(used).toBeGreaterThanOrEqual(granted);
    // A call may be charged without a response, but never granted without a charge.
    expect(used).toBeLessThanOrEqual(granted + kill * clients);
  }
  expect(granted).toBeGreaterThan(kills * 20);
  expect(await damage()).toEqual([]);
});
