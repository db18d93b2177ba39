/** A server killed after it applied entries of a device, and before it answered. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { commandNow, makeWorkplace, untilReady, type Workplace } from '../support/cli.ts';
import { password } from '../support/passwords.ts';
import { childrenOf, signal } from '../support/processes.ts';
import { Visitor } from '../support/site.ts';
import { stock } from '../support/stocked.ts';
import { onTables } from '../support/tables.ts';
import { until } from '../support/until.ts';

const email = 'a@example.com';
const now = Date.parse(commandNow);
const perRequest = 50;

let place: Workplace;

beforeAll(async () => {
  place = makeWorkplace();
  const set = { kind: 'set', set_number: '1000', title: 'Hut', theme: 'Huts' };
  await stock(place, { accounts: [{ email, plan: 'reseller', password }], lines: [set] });
});

afterAll(() => place.close());

async function openServer() {
  const server = await place.serve();
  await untilReady(server);
  const visitor = new Visitor(server.url);
  await visitor.submit(await visitor.get('/sign-in'), '/sign-in', { email, password });
  return { server, visitor };
}

const purchases = () =>
  Array.from({ length: perRequest }, () => ({
    id: crypto.randomUUID(),
    kind: 'purchase',
    madeAt: now,
    number: '1000',
    type: 'set',
    quantity: 1,
    priceCents: 10_00,
    condition: 'sealed',
    date: '2026-11-14',
  }));

/** Resolves to null if there was no answer. */
async function send(visitor: Visitor, entries: ReturnType<typeof purchases>) {
  const { account, token } = JSON.parse((await visitor.get('/device/session')).html);
  const fields = { token, account: String(account), sent_at: String(now) };
  const typed = { ...fields, entries: JSON.stringify(entries) };
  const answer = await visitor.post('/device/entries', typed).catch(() => null);
  return answer?.status === 200 ? JSON.parse(answer.html).results : null;
}

async function countOf(table: 'sent_form' | 'lot'): Promise<number> {
  const sql = `SELECT count(*) AS n FROM private.${table}`;
  const [row] = await onTables<{ n: number | string }>(place.data, sql);
  return Number(row?.n);
}

test('entries are applied once if they are sent again to the next server', async () => {
  for (let sent = perRequest; ; sent += perRequest) {
    const entries = purchases();
    const { server, visitor } = await openServer();
    const answered = send(visitor, entries);
    await until(async () => (await countOf('sent_form')) > sent - perRequest);
    // The process that applies them, in the middle of it.
    for (const pid of childrenOf(server.pid)) signal(pid, 'SIGKILL');
    await server.kill('SIGKILL');
    const wasLost = (await answered) === null;
    expect(await countOf('lot')).toBe(await countOf('sent_form'));
    const next = await openServer();
    const again = entries.map(({ id }) => ({ id, reason: null }));
    expect(await send(next.visitor, entries)).toEqual(again);
    expect([await countOf('sent_form'), await countOf('lot')]).toEqual([sent, sent]);
    await next.server.kill('SIGTERM');
    // A fast server may have answered before it was killed.
    if (wasLost) return;
  }
});
