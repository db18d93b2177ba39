/**
 * A publishing process is killed at random moments while prices change: the log has the events of
 * everything published, once and in order, and no position is assigned twice, not even after a
 * restore. A short run is part of the suite; `npm run kills` does 200 (KILLS sets the number).
 */
// @runs SQLite, PostgreSQL (rest): slow there
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../simulator/market/random.ts';
import type { SetRecord } from '../../src/contract/set.ts';
import { formatInstant, hourMs, parseInstant } from '../../src/kernel/time.ts';
import type { EventPage } from '../../src/market/events/events.ts';
import { makePublisher } from '../../src/publish/publisher.work.ts';
import type { Store } from '../../src/store/store.ts';
import { commandNow, makeWorkplace, type Workplace } from '../support/cli.ts';
import { keepStore } from '../support/engines.ts';
import { plainEngine } from '../support/plain-engine.ts';
import { programCommand } from '../support/program.ts';
import { publishSettings } from '../support/publish-settings.ts';
import { onTables } from '../support/tables.ts';
import { type FeedLine, importFeed } from '../support/world.ts';

const kills = Number(process.env.KILLS ?? 2);
/** More sets than one transaction publishes. */
const setCount = 510;
const retailer = 'retailer_a';

let killed: Workplace;
let calm: Workplace;

beforeAll(async () => {
  killed = makeWorkplace();
  calm = makeWorkplace();
  const first = makeWorkplace();
  await first.json(['import', 'feed', '-'], { stdin: feedOf([...sets(), ...offers(0)]) });
  const open = await keepStore(first.data);
  for (const { data } of [killed, calm]) await (await open(data)).close();
  await first.close();
});

afterAll(async () => {
  await killed.close();
  await calm.close();
});

const start = parseInstant(commandNow) ?? 0;
const stepAt = (step: number) => start + step * hourMs;
const numberOf = (index: number) => String(1000 + index);
const feedOf = (lines: readonly FeedLine[]) => lines.map((line) => JSON.stringify(line)).join('\n');

function sets(): FeedLine[] {
  return Array.from({ length: setCount }, (_, index) => ({
    kind: 'set',
    set_number: numberOf(index),
    title: `Hut ${index}`,
    theme: 'Huts',
    msrp_usd: 50,
    release_date: '2025-01-01',
  }));
}

/** The offers of an hour: nearly all prices differ, and some sets are out of stock. */
function offers(step: number, at: number = stepAt(step)): FeedLine[] {
  return Array.from({ length: setCount }, (_, index) => {
    const random = new Random(19, 'offers', step * setCount + index);
    return {
      kind: 'offer',
      retailer,
      set_number: numberOf(index),
      observed_at: formatInstant(at),
      price: 30 + Math.floor(random.fraction() * 40),
      seller_type: 'retailer',
      in_stock: random.fraction() < 0.9,
    };
  });
}

interface EventRow {
  readonly position: number;
  readonly key: string;
  readonly kind: string;
  readonly before: string;
  readonly after: string;
}

const eventsOf = async ({ data }: Pick<Workplace, 'data'>): Promise<EventRow[]> => {
  const sql = 'SELECT position, key, kind, before, after FROM event ORDER BY position';
  const rows = await onTables<EventRow>(data, sql);
  return rows.map((row) => ({ ...row, position: Number(row.position) }));
};

async function countEvents(): Promise<number> {
  const sql = 'SELECT count(*) AS count FROM event';
  const [row] = await onTables<{ count: number }>(killed.data, sql);
  return Number(row?.count);
}

/**
 * Imports the prices of an hour in a process that is killed, either between its first and last
 * events or at a random moment. Returns whether it was killed.
 */
async function runAndKill(step: number, random: Random, isPublishing: boolean) {
  const before = await countEvents();
  const child = Bun.spawn([...(await programCommand()), 'import', 'feed', `${step}.ndjson`], {
    cwd: killed.folder,
    env: await killed.env(formatInstant(stepAt(step))),
    stdout: 'ignore',
    stderr: 'ignore',
  });
  if (!isPublishing) await Bun.sleep(100 + random.fraction() * 600);
  else while (child.exitCode === null && (await countEvents()) === before) await Bun.sleep(1);
  child.kill('SIGKILL');
  await child.exited;
  return child.signalCode === 'SIGKILL';
}

/** The events of each item, in order. */
function byItem(events: readonly EventRow[]): Map<string, object[]> {
  const grouped = Map.groupBy(events, ({ key }) => key);
  return new Map(
    [...grouped].map(([key, rows]) => [key, rows.map(({ position: _, ...event }) => event)]),
  );
}

/** The published price of each set. */
async function publishedPrices(): Promise<string[]> {
  const sql = 'SELECT key, body FROM document ORDER BY key';
  const documents = await onTables<{ key: string; body: string }>(killed.data, sql);
  return documents.flatMap(({ key, body }) => {
    const { retailers: rows }: Pick<SetRecord, 'retailers'> = JSON.parse(body);
    return rows.map((row) => `${key} ${row.current_price}`);
  });
}

function eventPrices(events: readonly EventRow[]): string[] {
  const last = new Map(offers(0).map((offer) => [offer.set_number, offer.price]));
  for (const { key, kind, after } of events) {
    if (kind === 'retail.price') last.set(key, JSON.parse(after).priceCents / 100);
  }
  return [...last].map(([key, price]) => `${key} ${price}`);
}

const isGrowing = (positions: readonly number[]) =>
  positions.every((position, index) => index === 0 || position > (positions[index - 1] ?? 0));

test(`${kills} kills: the log is the same as without them`, async () => {
  const random = new Random(19, 'kills', 0);
  let steps = 0;
  for (let count = 0; count < kills; ) {
    const step = ++steps;
    const feed = feedOf(offers(step));
    writeFileSync(join(killed.folder, `${step}.ndjson`), feed);
    // Sometimes the import of the same prices is killed several times.
    do count += (await runAndKill(step, random, count % 2 === 0)) ? 1 : 0;
    while (count < kills && random.fraction() < 0.5);
    const now = formatInstant(stepAt(step));
    for (const place of [killed, calm]) {
      await place.json(['import', 'feed', '-'], { stdin: feed, now });
    }
  }
  const [events, expected] = [await eventsOf(killed), await eventsOf(calm)];
  expect(byItem(events)).toEqual(byItem(expected));
  expect(events.length).toBeGreaterThan(setCount * steps);
  expect(isGrowing(events.map(({ position }) => position))).toBe(true);
  expect(eventPrices(events)).toEqual(await publishedPrices());
});

/** Publishes the offers of an hour; returns the positions of all events. */
async function publishOffers(store: Store, step: number, at: number): Promise<number[]> {
  const { rejects } = await importFeed(store, offers(step, at), () => at);
  expect(rejects).toEqual([]);
  const settings = { engine: plainEngine, ...publishSettings };
  await makePublisher(store.market, settings, () => at).publishStale();
  const asked = { after: 0, kinds: null, items: null, limit: 1_000_000 };
  const positions: number[] = [];
  for (let page: EventPage | null = null; page?.hasMore !== false; ) {
    const found = await store.market.listEvents({ ...asked, after: page?.next ?? 0 });
    if ('oldest' in found) throw new Error('Events are missing.');
    positions.push(...found.events.map(({ position }) => position));
    page = found;
  }
  await store.close();
  return positions;
}

test('positions after a restore are above all that were ever assigned', async () => {
  const kept = (await eventsOf(calm)).length;
  const open = await keepStore(calm.data);
  const later = stepAt(1_000);
  const given = await publishOffers(await open(join(calm.folder, 'before')), 1_000, later);
  // Fewer milliseconds have passed than there were events since the backup.
  const restored = await open(join(calm.folder, 'restored'));
  const positions = await publishOffers(restored, 1_001, later + 1);
  expect(given.length).toBeGreaterThan(kept + setCount / 2);
  expect(positions.length).toBeGreaterThan(kept + setCount / 2);
  expect(positions[kept]).toBeGreaterThan(given.at(-1) ?? 0);
  expect(isGrowing(positions)).toBe(true);
});
