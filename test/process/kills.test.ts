/**
 * A server killed at random moments: what it granted is counted after the restart, and the store
 * is whole. The short form runs with the suite; `npm run kills` does 200 (KILLS sets the number).
 */
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';

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

/** Calls until the server is gone; how many calls were answered. */
async function callUntilKilled(server: Served): Promise<number> {
  const counts = await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let answered = 0; ; answered++) {
        const status = await server.get(`/set/${1000 + ((client + answered) % 50)}`, key).then(
          (response) => response.arrayBuffer().then(() => response.status),
          () => 0,
        );
        if (status !== 200) return answered;
      }
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function usedToday(): Promise<number> {
  const { keys } = await place.json<{ keys: { used_today: number }[] }>([
    ...['key', 'list', 'a@example.com'],
  ]);
  return keys[0]?.used_today ?? -1;
}

function integrity(name: string): unknown {
  const db = new Database(join(place.folder, 'data', name));
  const result = db.query('PRAGMA integrity_check').all();
  db.close();
  return result;
}

test(`${kills} kills: nothing granted is forgotten, and the store is whole`, async () => {
  let granted = 0;
  for (let kill = 1; kill <= kills; kill++) {
    const server = await place.serve();
    setTimeout(() => server.kill('SIGKILL'), 60 + ((kill * 7919) % 250));
    granted += await callUntilKilled(server);
    const used = await usedToday();
    expect(used).toBeGreaterThanOrEqual(granted);
    // A call that was charged but not answered may stay charged; none is given away.
    expect(used).toBeLessThanOrEqual(granted + kill * clients);
  }
  expect(granted).toBeGreaterThan(kills * 20);
  expect(integrity('accounts.db')).toEqual([{ integrity_check: 'ok' }]);
  expect(integrity('market.db')).toEqual([{ integrity_check: 'ok' }]);
});
