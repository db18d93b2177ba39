/** A month begins while a server runs: the process for upkeep learns, then ends. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { helperOf, signal, untilGone } from '../support/processes.ts';
import { stock } from '../support/stocked.ts';
import { until } from '../support/until.ts';

const set = { kind: 'set', set_number: '1000', title: 'Hut', theme: 'Huts', msrp_usd: 50 };
const sale = {
  kind: 'sale',
  source: 'shop',
  source_id: 'a',
  item_type: 'set',
  item: '1000',
  condition: 'sealed',
  price: 60,
  sold_at: '2026-10-10T12:00:00Z',
};

let place: Workplace;
let key: string;

beforeEach(async () => {
  place = makeWorkplace();
  const account = { email: 'a@example.com', plan: 'reseller', allowance: 1_000_000 } as const;
  [key = ''] = await stock(place, { accounts: [account], lines: [set, sale] });
});

afterEach(() => place.close());

const serveInDecember = () =>
  place.serve({ now: '2026-12-01T00:00:30Z', env: { BRICKMARK_LOG: 'requests' } });

/** Waits until it runs the program: stopped before that, it would block the server, too. */
async function learningProcess({ pid }: Served): Promise<number> {
  const started = () => helperOf(pid, 'upkeep');
  await until(() => started() !== null);
  return started() ?? 0;
}

test('the learning process starts once, and responses have values with the learned parameters', async () => {
  const server = await serveInDecember();
  const child = await learningProcess(server);
  await until(() => server.errors().includes('"month":"2026-12"'));
  await untilGone([child]);
  const document = async () => (await server.get('/set/1000', key)).text();
  await until(async () => (await document()).includes('"calculated_at":"2026-12-01T'));
  expect(await server.kill('SIGTERM')).toBe(0);
});

test('the learning process ends with the server', async () => {
  const server = await serveInDecember();
  const child = await learningProcess(server);
  // Stopped, so that it cannot end by itself.
  signal(child, 'SIGSTOP');
  expect(await server.kill('SIGTERM')).toBe(0);
  await untilGone([child]);
});
