/** A sync that is killed repeatedly stays within its budget, and ends with the same rows. */
// @runs SQLite, PostgreSQL (rest): slow there
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs, formatInstant, hourMs, minuteMs, parseInstant } from '../../src/kernel/time.ts';
import { commandNow, makeWorkplace, type Workplace } from '../support/cli.ts';
import { type LiveSources, sourceSecrets, startLiveSources } from '../support/live-sources.ts';
import { programCommand } from '../support/program.ts';
import { makeMarket, marketSale, marketSet } from '../support/source-market.ts';
import { everythingStored, onTablesEach } from '../support/tables.ts';

const start = parseInstant(commandNow) ?? 0;
const callsPerDay = 7;

/** The call of a process at which it is killed, while waiting or after the response. */
const kills = [
  [1, 'waiting'],
  [1, 'answered'],
  [2, 'waiting'],
  [2, 'waiting'],
  [2, 'answered'],
] as const;

let place: Workplace;
let live: LiveSources;
let now: number;
/** The outcome of the next call. */
let onCall: () => 'answer' | 'answer and kill' | 'kill';
let kill: () => void;

beforeEach(() => begin());
afterEach(() => end());

/** A new store and sources without calls. */
function begin(): void {
  now = start;
  onCall = () => 'answer';
  place = makeWorkplace();
  mkdirSync(place.data, { recursive: true });
  const sets = ['10401', '10402', '10403', '10404'].map((number) => marketSet({ number }));
  const sales = sets.flatMap(({ number }) =>
    [1, 2, 3].map((days) => marketSale({ itemKey: number, soldAt: start - days * dayMs })),
  );
  live = startLiveSources({
    market: makeMarket({ sets, sales }),
    clock: () => now,
    callsPerDay: { bricklink: callsPerDay },
    every: '30d',
    wrap: (_, handler) => async (request) => {
      const next = onCall();
      if (next === 'kill') {
        kill();
        await new Promise(() => {});
      }
      if (next === 'answer and kill') setTimeout(kill, 20);
      return handler(request);
    },
  });
  writeFileSync(join(place.data, 'sources.toml'), live.settings(['brickset', 'bricklink']));
}

async function end(): Promise<void> {
  await place.close();
  await live.stop();
}

const rows = () =>
  onTablesEach(place.data, {
    sales: `SELECT i.key, s.source_id, s.price_cents, s.condition FROM sale s
      JOIN item i ON i.id = s.item_id ORDER BY i.key, s.source_id`,
    records: `SELECT i.key, c.source, c.body FROM catalog_record c
      JOIN item i ON i.id = c.item_id ORDER BY i.key, c.source`,
    documents: 'SELECT kind, key FROM document ORDER BY kind, key',
  });

const calls = () => live.calls.filter(({ source }) => source === 'bricklink').length;

/** Runs due rounds on three days, without faults. */
async function finish(): Promise<void> {
  for (const days of [0, 1, 2]) {
    now = start + hourMs + days * 26 * hourMs;
    const ran = await place.run(['sync', '--once'], {
      now: formatInstant(now),
      env: { ...sourceSecrets, BRICKMARK_DATA: place.data },
    });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    expect(calls()).toBeLessThanOrEqual(callsPerDay * (days + 1));
  }
}

async function runAndKill(at: number, when: (typeof kills)[number][1]): Promise<void> {
  const child = Bun.spawn([...(await programCommand()), 'sync', '--once'], {
    cwd: place.folder,
    env: {
      ...(await place.env(formatInstant(now))),
      ...sourceSecrets,
      BRICKMARK_DATA: place.data,
    },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  let count = 0;
  kill = () => child.kill('SIGKILL');
  onCall = () => {
    if (++count < at) return 'answer';
    // A fast process may make its next call before it is killed.
    return count > at || when === 'waiting' ? 'kill' : 'answer and kill';
  };
  await child.exited;
  expect(child.signalCode).toBe('SIGKILL');
  onCall = () => 'answer';
}

test('killed five times, while waiting and while importing', async () => {
  for (const [at, when] of kills) {
    await runAndKill(at, when);
    now += minuteMs;
  }
  expect(calls()).toBeLessThanOrEqual(callsPerDay);
  await finish();
  const killed = await rows();
  expect(killed.sales).toHaveLength(12);
  expect(killed.documents).toHaveLength(4);
  for (const [name, bytes] of await everythingStored(place.data)) {
    const found = Object.values(sourceSecrets).filter((secret) => bytes.includes(secret));
    expect([name, found]).toEqual([name, []]);
  }
  await end();
  begin();
  await finish();
  expect(killed).toEqual(await rows());
});
