/**
 * The programs of docs/events.md with a real server: followers of the stream miss no event when
 * they or the server are killed, and receivers accept deliveries.
 */
import { Database } from 'bun:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatInstant, hourMs, secondMs } from '../../src/kernel/time.ts';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import {
  describeLanguages,
  type RunningExample,
  readInbox,
  startExample,
} from '../support/doc-programs.ts';
import { freePort } from '../support/ports.ts';
import { addWebhook, deliverySettings } from '../support/receiver.ts';
import { stock } from '../support/stocked.ts';
import { latestPosition, listEvents } from '../support/subscribers.ts';
import { until } from '../support/until.ts';

/** Near the current time, since receivers reject old signatures. */
const start = Date.now() - hourMs;
let seconds = 0;

let place: Workplace;
let key: string;
let port: number;
let server: Served;
let folder: string;
let running: RunningExample[];

beforeAll(async () => {
  place = makeWorkplace();
  const account = { email: 'a@example.com', plan: 'reseller', allowance: 1_000_000 } as const;
  const set = { kind: 'set', set_number: '1000', title: 'Café 🧱', theme: 'Huts' };
  [key = ''] = await stock(place, { accounts: [account], lines: [set] });
  await changePrice();
  port = await freePort();
  server = await serve();
});

afterAll(() => place.close());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-follower-'));
  running = [];
});

afterEach(async () => {
  for (const each of running) await each.kill();
  rmSync(folder, { recursive: true });
});

const serve = () =>
  place.serve({
    now: formatInstant(Date.now()),
    flags: ['--port', String(port)],
    env: deliverySettings(place),
  });

/** Changes the price to a new one, some time later. */
async function changePrice(): Promise<void> {
  const now = formatInstant(start + ++seconds * secondMs);
  const facts = { price: 50 + seconds, seller_type: 'retailer', in_stock: true };
  const about = { kind: 'offer', retailer: 'retailer_a', set_number: '1000', observed_at: now };
  await place.json(['import', 'feed', '-'], { stdin: JSON.stringify({ ...about, ...facts }), now });
}

interface Kept {
  /** The last position; null before the first event. */
  readonly position: number | null;
  readonly events: readonly unknown[];
}

/** The stored events: lines, or rows of SQLite. */
function readKept(): Kept {
  const path = join(folder, 'kept');
  if (!existsSync(path)) return { position: null, events: [] };
  const text = readFileSync(path, 'utf8');
  if (text.startsWith('SQLite')) return readRows(path);
  const lines = text.split('\n').slice(0, -1);
  const kept = lines.map((line): { position: number; event?: unknown } => JSON.parse(line));
  const events = kept.flatMap(({ event }) => (event === undefined ? [] : [event]));
  return { position: kept.at(-1)?.position ?? null, events };
}

function readRows(path: string): Kept {
  using db = new Database(path, { readonly: true });
  db.run('PRAGMA busy_timeout = 5000');
  const tables = db.query("SELECT 1 FROM sqlite_master WHERE type = 'table'").all();
  if (tables.length < 2) return { position: null, events: [] };
  const rows = db.query<{ event: string }, []>('SELECT event FROM event ORDER BY position').all();
  const row = db.query<{ position: number }, []>('SELECT position FROM follower').get();
  return { position: row?.position ?? null, events: rows.map(({ event }) => JSON.parse(event)) };
}

describeLanguages('the follower', (language) => {
  const follow = async (withKey = key) => {
    const started = await startExample([...language.command('follow', folder), 'kept'], {
      folder,
      env: { BRICKMARK_URL: server.url, BRICKMARK_KEY: withKey },
    });
    running.push(started);
    return started;
  };
  const untilKept = (count: number) => until(() => readKept().events.length === count);

  test('resumes after its own crash and after one of the server', async () => {
    const from = await latestPosition({ url: server.url, key });
    const first = await follow();
    await until(() => readKept().position === from);
    await changePrice();
    await untilKept(1);
    await first.kill();
    await changePrice();
    await follow();
    await untilKept(2);
    await server.kill('SIGKILL');
    await changePrice();
    server = await serve();
    await untilKept(3);
    expect(readKept().events).toEqual(await listEvents({ url: server.url, key }, from));
  });

  test('ends if its key is invalid, since a retry would not help', async () => {
    const { exited, printed } = await follow('bmk_no');
    expect(await exited).toBe(1);
    expect(printed()).toContain('401');
  });
});

describeLanguages('the receiver', (language) => {
  test('accepts deliveries of a real server, and rejects those for another receiver', async () => {
    const from = await latestPosition({ url: server.url, key });
    const ports = [await freePort(), await freePort()];
    const hooks = [];
    for (const each of ports) {
      const address = `http://127.0.0.1:${each}/`;
      const hook = { accountId: 1, address, at: start, kinds: ['retail.price'] } as const;
      hooks.push(await addWebhook(place, hook));
    }
    const [{ secret = '' } = {}] = hooks;
    for (const [index, each] of ports.entries()) {
      const command = language.command('receiver', folder);
      const env = { BRICKMARK_WEBHOOK_SECRET: secret };
      running.push(
        await startExample([...command, String(each), `inbox${index}`], { folder, env }),
      );
    }
    await changePrice();
    await changePrice();
    const [own, other] = ports.map((_, index) => join(folder, `inbox${index}`));
    await until(() => readInbox(own ?? '').length === 2);
    const events = await listEvents({ url: server.url, key }, from, '&kinds=retail.price');
    const messages = readInbox(own ?? '').map(({ message }) => message);
    expect(messages.map(({ data }) => data)).toEqual(events);
    expect(messages.map(({ type }) => type)).toEqual(['retail.price', 'retail.price']);
    expect(readInbox(other ?? '')).toEqual([]);
  });
});
