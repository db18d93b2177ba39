/**
 * The cost of evaluating alert rules while prices change: `npm run bench:alerts`, or `npm run
 * bench:alerts -- SETS`. 1,000 rules of 200 accounts with all scopes and conditions, and bursts in
 * which every price changes. All figures are CPU time, which other programs do not affect.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../simulator/market/random.ts';
import type { TokenHash } from '../src/accounts/sign-in/session.ts';
import type { AlertCondition, AlertRuleFacts } from '../src/alerts/conditions/alert-rule.ts';
import { type AlertDeps, alertStep } from '../src/alerts/conditions/alerts.work.ts';
import { alertEvents } from '../src/alerts/conditions/is-met.ts';
import { findMatches } from '../src/alerts/conditions/matches.work.ts';
import { usualSettings } from '../src/buying/prices/buying-settings.ts';
import { toItem } from '../src/buying/prices/resale-item.work.ts';
import { dayMs, formatInstant, minuteMs } from '../src/kernel/time.ts';
import { makePublisher } from '../src/publish/publisher.work.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { AlertOwner } from '../test/support/alerts.ts';
import { applyRows, rowsOf } from '../test/support/own-rows.ts';
import { sellingEngine } from '../test/support/plain-engine.ts';
import { builtInTables, publishSettings } from '../test/support/publish-settings.ts';
import { type FeedLine, importFeed } from '../test/support/world.ts';

const sets = Number(process.argv[2] ?? 5_000);
const accounts = 200;
const rulesPerAccount = 5;
const lotsPerAccount = 30;
const watchedPerAccount = 50;

/** Conditions other than price targets. */
const conditions: readonly AlertCondition[] = [
  { kind: 'price_of_max_buy', percent: 100 },
  { kind: 'price_of_value', percent: 45 },
  { kind: 'all_time_low' },
  { kind: 'price_amount', cents: 20_00 },
  { kind: 'margin', percent: 50 },
  { kind: 'back_in_stock' },
  { kind: 'value_up', percent: 20 },
];

let now = Date.UTC(2026, 10, 15, 12);
const folder = mkdtempSync(join(tmpdir(), 'brickmark-alerts-'));
const store = openSqliteStore(folder);
const settings = { engine: sellingEngine, ...publishSettings };
const publisher = makePublisher(store.market, settings, () => now);
const deps = {
  market: store.market,
  accounts: store.accounts,
  clock: () => now,
  baseUrl: 'https://b.example',
  makeToken: () => {
    const token = crypto.randomUUID();
    return { token, hash: Bun.SHA256.hash(token) as Uint8Array as TokenHash };
  },
  findTables: () => builtInTables,
  readResale: (record) => toItem('set', record).resale.sealed,
  retailerNames: publishSettings.retailerNames,
} satisfies AlertDeps;

try {
  await load((index) => [setLine(index), saleLine(index), ...firstOffers(index)]);
  await addRules();
  await measureMatches();
  await measureIdle();
  await measureBurst('prices up or down by as much as 10 %', upOrDown);
  await measureBurst('the same once more', (index) => upOrDown(index + sets));
  await measureBurst('every set at half its price', () => 0.5);
  await measureBurst('every set at its first price again', () => 1);
  await measureLook();
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

async function load(lines: (index: number) => FeedLine[]): Promise<void> {
  const all = Array.from({ length: sets }, (_, index) => lines(index)).flat();
  const { rejects } = await importFeed(store, all, () => now);
  if (rejects.length > 0) throw new Error(JSON.stringify(rejects[0]));
  await publisher.publishStale();
}

function numberOf(index: number): string {
  return String(100_000 + index);
}

function worthOf(index: number): number {
  return Math.round(20 * 20 ** new Random(19, 'alerts', index).fraction());
}

function setLine(index: number): FeedLine {
  const number = numberOf(index);
  const box = { width_in: 10, height_in: 12, depth_in: 3, weight_lbs: 2 };
  const facts = { title: `Set ${number}`, theme: `Theme ${index % 60}`, pieces: 500, box };
  return { kind: 'set', set_number: number, release_date: '2024-01-01', ...facts };
}

function saleLine(index: number): FeedLine {
  const item = numberOf(index);
  const facts = { item_type: 'set', item, condition: 'sealed', price: worthOf(index) };
  const sold = { currency: 'USD', sold_at: formatInstant(now - dayMs) };
  return { kind: 'sale', source: 'shop', source_id: item, ...facts, ...sold };
}

/** The current offer, and a much lower one a year ago, so that not every price is a new low. */
function firstOffers(index: number): FeedLine[] {
  const lowest = { ...offerLine(index, 0.6), observed_at: formatInstant(now - 365 * dayMs) };
  return [lowest, offerLine(index, 1)];
}

function upOrDown(index: number): number {
  return 0.9 + new Random(19, 'moves', index).fraction() * 0.2;
}

/** Between 0.7 and 1.2 of the value, times a factor. */
function offerLine(index: number, factor: number): FeedLine {
  const share = 0.7 + new Random(19, 'asked', index).fraction() * 0.5;
  return {
    kind: 'offer',
    retailer: 'retailer_a',
    set_number: numberOf(index),
    observed_at: formatInstant(now),
    price: Math.round(worthOf(index) * share * factor * 100) / 100,
    seller_type: 'retailer',
    in_stock: true,
  };
}

async function addRules(): Promise<void> {
  for (let account = 0; account < accounts; account++) {
    const email = `owner-${account}@example.com`;
    const facts = { plan: 'reseller', isOperator: false, passwordHash: null, at: now } as const;
    const id = (await store.accounts.addAccount({ email, ...facts }))?.id ?? 0;
    const random = new Random(19, 'accounts', account);
    const some = (count: number) =>
      Array.from({ length: count }, () => Math.floor(random.fraction() * sets));
    const rows = rowsOf(email);
    const lots = some(lotsPerAccount).map((index, lot) =>
      rows.lot(`lot-${lot}`, { number: numberOf(index), priceCents: worthOf(index) * 60 }),
    );
    await applyRows(store.accounts, [rows.brickfolio('Shelf'), ...lots], now);
    // Each account has a different margin, so that no result can be shared.
    const marginBasisPoints = 1_000 + account * 10;
    await store.accounts.saveBuyingSettings(id, { ...usualSettings, marginBasisPoints });
    const owner = new AlertOwner(store.accounts, id, now);
    const channelId = await owner.email();
    const targets = some(watchedPerAccount).map((index) => [numberOf(index), worthOf(index) * 50]);
    const listId = await owner.list('Wanted', Object.fromEntries(targets));
    const list = { kind: 'list', listId } as const;
    await owner.rule({ scope: list, condition: { kind: 'price_target' }, channelIds: [channelId] });
    for (let rule = 1; rule < rulesPerAccount; rule++) {
      const scope = scopesOf(account, list)[rule % 4] ?? list;
      const condition = conditions[(account + rule) % conditions.length] ?? conditions[0];
      if (condition) await owner.rule({ scope, condition, channelIds: [channelId] });
    }
  }
}

function scopesOf(account: number, list: AlertRuleFacts['scope']): AlertRuleFacts['scope'][] {
  return [
    list,
    { kind: 'all' },
    { kind: 'holdings' },
    { kind: 'theme', theme: `Theme ${account % 60}` },
  ];
}

async function measureMatches(): Promise<void> {
  const asked: Readonly<Record<string, AlertCondition>> = {
    'a price of at most a cent': { kind: 'price_amount', cents: 1 },
    'a price of at most the max buy price': { kind: 'price_of_max_buy', percent: 100 },
  };
  for (const [name, condition] of Object.entries(asked)) {
    const rule = { scope: { kind: 'all' }, condition } as const;
    let found = 0;
    const cpu = await cpuOf(async () => {
      const matches = await findMatches(deps, 1, rule, now);
      found = matches === 'too many' ? Number.POSITIVE_INFINITY : matches.reported.length;
    });
    console.log(`${name}, over ${sets} sets: ${cpu.toFixed(0)} ms, ${found} match`);
  }
}

async function measureIdle(): Promise<void> {
  while (await alertStep(deps));
  const rounds = 200;
  const cpu = await cpuOf(async () => {
    for (let round = 0; round < rounds; round++) await alertStep(deps);
  });
  console.log(`a step with nothing to do: ${(cpu / rounds).toFixed(2)} ms`);
}

async function measureBurst(name: string, factor: (index: number) => number): Promise<void> {
  now += minuteMs;
  const { position } = await store.accounts.findAlertProgress();
  await load((index) => [offerLine(index, factor(index))]);
  let events = 0;
  for (let after = position ?? 0; ; ) {
    const page = await store.market.listEvents({
      after,
      kinds: alertEvents,
      items: null,
      limit: 250,
    });
    if ('oldest' in page) throw new Error('The log is gone.');
    events += page.events.length;
    if (!page.hasMore) break;
    after = page.next;
  }
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  let most = before;
  const longest = { ms: 0 };
  const cpu = await cpuOf(async () => {
    for (let hasMore = true; hasMore; ) {
      const step = await cpuOf(async () => {
        hasMore = await alertStep(deps);
      });
      longest.ms = Math.max(longest.ms, step);
      most = Math.max(most, process.memoryUsage().rss);
    }
  });
  let reported = 0;
  for (let id = 1; id <= accounts; id++) {
    reported += (await store.accounts.listNotifications(id, { before: null, limit: 5_000 })).length;
  }
  const rules = accounts * rulesPerAccount;
  const [seconds, grown] = [cpu / 1_000, (most - before) / 2 ** 20];
  console.log(
    `${name}: ${events} events, ${rules} rules: ${seconds.toFixed(2)} s, ` +
      `the longest step ${longest.ms.toFixed(0)} ms, ${grown.toFixed(0)} MB more; ` +
      `${reported} notifications so far`,
  );
}

async function measureLook(): Promise<void> {
  now += dayMs;
  let steps = 0;
  const cpu = await cpuOf(async () => {
    while (await alertStep(deps)) steps++;
  });
  console.log(`the daily look at ${sets} sets: ${(cpu / 1_000).toFixed(2)} s in ${steps} steps`);
}

/** CPU time in milliseconds. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
