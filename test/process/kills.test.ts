/**
 * A server killed at random moments: what it granted is counted after the restart, and the store
 * is whole. The short form runs with the suite; `npm run kills` does 200 (KILLS sets the number).
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

/** Calls until the server is gone, which is killed a moment after so many answers; their number. */
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

/** What SQLite finds wrong with its files; PostgreSQL's own files were not in danger. */
async function damage(): Promise<unknown[]> {
  if (isPostgres) return [];
  const found = await Promise.all(
    ['main', 'private'].map((file) =>
      onTables<{ integrity_check: string }>(place.data, `PRAGMA ${file}.integrity_check`),
    ),
  );
  return found.flat().filter((row) => row.integrity_check !== 'ok');
}

test(`${kills} kills: nothing granted is forgotten, and the store is whole`, async () => {
  let granted = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const server = await place.serve();
    // Counted, not timed, since a busy machine answers fewer calls in the same time.
    granted += await callUntilKilled(server, 21 + ((kill * 7919) % 100), (kill * 7919) % 17);
    const used = await usedToday();
    expect(used).toBeGreaterThanOrEqual(granted);
    // A call that was charged but not answered may stay charged; none is given away.
    expect(used).toBeLessThanOrEqual(granted + kill * clients);
  }
  expect(granted).toBeGreaterThan(kills * 20);
  expect(await damage()).toEqual([]);
});
