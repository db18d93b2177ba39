/**
 * The cost of event streams for a server while prices change: `npm run bench:streams`, or `npm run
 * bench:streams -- STREAMS SETS`. Half of the streams are limited to holdings. Every stream must
 * get exactly its events of the log.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKey } from '../src/accounts/keys/api-keys.work.ts';
import { activeKeysMax, keyStreamsMax } from '../src/contract/limits.ts';
import { formatInstant } from '../src/kernel/time.ts';
import { makePublisher } from '../src/publish/publisher.work.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { plainEngine } from '../test/support/plain-engine.ts';
import { publishSettings } from '../test/support/publish-settings.ts';
import { type CrowdMember, openCrowd, usageOf } from '../test/support/stream-crowd.ts';
import { type FeedLine, importFeed } from '../test/support/world.ts';
import { startBrickmark } from './servers.ts';

const streams = Number(process.argv[2] ?? 1_000);
const sets = Number(process.argv[3] ?? 2_000);
const rounds = 20;
const setsPerRound = 100;
const heldSets = 50;

const folder = mkdtempSync(join(tmpdir(), 'brickmark-streams-'));
const store = openSqliteStore(folder, { waits: true });
const publisher = makePublisher(
  store.market,
  { engine: plainEngine, ...publishSettings },
  Date.now,
);
const numberOf = (index: number) => String(10_000 + (index % sets));

try {
  await load(Array.from({ length: sets }, (_, index) => setLines(index)).flat());
  const members = await addMembers();
  const server = await startBrickmark(folder, ['--no-sync']);
  try {
    await measure(server, members);
  } finally {
    await server.stop();
  }
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

/** A stream, and its sets; null for all. */
interface Member extends CrowdMember {
  readonly held: ReadonlySet<string> | null;
}

async function measure(
  { url, pid }: { readonly url: string; readonly pid: number },
  members: readonly Member[],
): Promise<void> {
  const before = usageOf(pid);
  const crowd = await openCrowd(url, members);
  const opened = usageOf(pid);
  const [from] = await readLog(null);
  const delays: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await load(
      Array.from({ length: setsPerRound }, (_, index) => offer(round * 37 + index, round)),
    );
    const publishedAt = performance.now();
    const [, keys] = await readLog(from);
    const wanted = members.map(({ held }) => keys.filter((key) => held?.has(key) ?? true).length);
    const isTold = () => wanted.every((count, index) => crowd.counts[index] === count);
    while (!isTold() && performance.now() - publishedAt < 10_000) await Bun.sleep(20);
    if (!isTold()) throw new Error(`Not every stream was told what it should, round ${round}.`);
    delays.push(Math.max(0, crowd.lastAt() - publishedAt));
  }
  const after = usageOf(pid);
  const events = crowd.counts.reduce((sum, count) => sum + count, 0);
  delays.sort((a, b) => a - b);
  const [mb, ms] = [
    (value = 0) => `${value.toFixed(0)} MB`,
    (value = 0) => `${value.toFixed(0)} ms`,
  ];
  say(`${members.length} streams, ${sets} sets, ${rounds} rounds of ${setsPerRound} prices`);
  say(`memory: ${mb(before.rssMb)} before, ${mb(opened.rssMb)} open, ${mb(after.peakMb)} at most`);
  say(`processor: ${(opened.cpuSeconds - before.cpuSeconds).toFixed(2)} s to open them,`);
  say(`  ${(after.cpuSeconds - opened.cpuSeconds).toFixed(2)} s to write ${events} events`);
  say(`told after publishing: ${ms(delays[rounds >> 1])} (median), ${ms(delays.at(-1))} at most`);
  say(`connections lost: ${crowd.countEnded()}`);
  crowd.close();
}

/** The latest position, and the keys of all events after `after`. */
async function readLog(after: number | null): Promise<[latest: number, keys: string[]]> {
  const keys: string[] = [];
  for (let next = after; ; ) {
    const query = { after: next, kinds: null, items: null, limit: 5_000 };
    const page = await store.market.listEvents(query);
    if ('oldest' in page) throw new Error('Nothing is removed so soon.');
    keys.push(...page.events.map(({ key }) => key ?? ''));
    next = page.next;
    if (!page.hasMore) return [next, keys];
  }
}

/** Accounts with the maximum number of keys, and keys with the maximum number of streams. */
async function addMembers(): Promise<Member[]> {
  const members: Member[] = [];
  for (let account = 0; members.length < streams; account++) {
    const email = `a${account}@example.com`;
    const at = Date.now();
    const facts = { email, plan: 'reseller', isOperator: false, passwordHash: null, at } as const;
    await store.accounts.addAccount(facts);
    const held = Array.from({ length: heldSets }, (_, index) => numberOf(account * 7 + index * 3));
    await load([{ kind: 'brickfolio', account: email, name: 'Shelf' }]);
    await load(held.map((set_number) => holding(email, set_number)));
    for (let place = 0; place < activeKeysMax; place++) {
      const asked = { email, name: 'Bench', allowance: 1_000, expiresAt: null, at };
      const made = await createKey(store.accounts, asked, (count) =>
        crypto.getRandomValues(new Uint8Array(count)),
      );
      if ('refusal' in made) throw new Error(made.refusal);
      const { key } = made;
      for (let stream = 0; stream < keyStreamsMax; stream++) {
        members.push(
          stream % 2 === 0
            ? { key, query: '', held: null }
            : { key, query: 'scope=holdings', held: new Set(held) },
        );
      }
    }
  }
  return members.slice(0, streams);
}

async function load(lines: readonly FeedLine[]): Promise<void> {
  const { rejects } = await importFeed(store, lines, Date.now);
  if (rejects.length > 0) throw new Error(JSON.stringify(rejects[0]));
  await publisher.publishStale();
}

function setLines(index: number): FeedLine[] {
  const set_number = numberOf(index);
  const set = { kind: 'set', set_number, title: `Set ${set_number}`, theme: `Theme ${index % 60}` };
  return [set, offer(index, -1)];
}

function offer(index: number, round: number): FeedLine {
  return {
    kind: 'offer',
    retailer: 'retailer_a',
    set_number: numberOf(index),
    observed_at: formatInstant(Date.now() - (round < 0 ? 60_000 : 0)),
    price: 100 - round,
    in_stock: true,
    seller_type: 'retailer',
  };
}

function holding(account: string, set_number: string): FeedLine {
  return {
    kind: 'holding',
    account,
    source_id: set_number,
    brickfolio: 'Shelf',
    set_number,
    quantity: 1,
    condition: 'sealed',
    purchase_price_usd: 50,
    purchase_date: '2026-01-01',
  };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
