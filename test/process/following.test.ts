/** The programs of docs/events.md that follow the stream miss nothing, whoever is killed. */
import { Database } from 'bun:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatInstant, minuteMs, parseInstant } from '../../src/domain/kernel/time.ts';
import { commandNow, makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { describeLanguages, type RunningExample, startExample } from '../support/doc-programs.ts';
import { freePort } from '../support/ports.ts';
import { stock } from '../support/stocked.ts';
import { latestPosition, listEvents } from '../support/subscribers.ts';
import { until } from '../support/until.ts';

const patienceMs = 30_000;
const start = parseInstant(commandNow) ?? 0;
let minutes = 0;

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
  [key = ''] = await stock(place, { accounts: [account], lines: [set, offer()] });
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

const serve = () => place.serve({ flags: ['--port', String(port)] });

/** A price that nobody has asked before. */
function offer() {
  const at = start + minutes * minuteMs;
  const price = 50 + minutes++;
  const facts = { price, seller_type: 'retailer', in_stock: true };
  const observed_at = formatInstant(at);
  return { kind: 'offer', retailer: 'retailer_a', set_number: '1000', observed_at, ...facts };
}

async function changePrice(): Promise<void> {
  const now = formatInstant(start + minutes * minuteMs);
  await place.json(['import', 'feed', '-'], { stdin: JSON.stringify(offer()), now });
}

interface Kept {
  /** How far the program is; null: it has not begun. */
  readonly position: number | null;
  readonly events: readonly unknown[];
}

/** What a program kept: lines, or rows of SQLite. */
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
  const untilKept = (count: number) => until(() => readKept().events.length === count, patienceMs);

  test('goes on where it was after a crash of its own, and of the server', async () => {
    const from = await latestPosition({ url: server.url, key });
    const first = await follow();
    await until(() => readKept().position === from, patienceMs);
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

  test('ends when its key is no good, for that does not pass', async () => {
    const { exited, printed } = await follow('bmk_no');
    expect(await exited).toBe(1);
    expect(printed()).toContain('401');
  });
});
