/**
 * The cost of pages for large accounts: `npm run bench:pages`. One account has 5,000 lots of 2,000
 * sets, 1,000 sales and a watchlist of 500 items; another has 100,000 lots and as many sales. Each
 * page is requested again and again, those that read all lots also after an edit of one. `-- --only
 * TEXT` measures only pages with a text in their address, `-- --large` only the large account,
 * which takes longer.
 */

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoMarket, makeDemoWorld } from '../simulator/market/demo-world.ts';
import { parseInstant } from '../src/kernel/time.ts';
import { valueEngine } from '../src/market/values/engine.ts';
import { inventorySorts } from '../src/portfolio/lots/inventory.ts';
import { changeLot } from '../src/portfolio/lots/own-lots.work.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { keysById } from '../test/support/keys-by-id.ts';
import { type Site, startSite, type Visitor } from '../test/support/site.ts';
import { type FeedLine, noon } from '../test/support/world.ts';
import { benchFolder } from './store.ts';
import { median } from './wrk.ts';

/** The documented limits of every page. */
const goals = { cpuMs: 50, bytes: 150_000, stretchMs: 50 };

const size = { sets: 3_000, minifigs: 300, salesPerSet: 12, salesPerMinifig: 2, offerYears: 0.25 };
const accounts = {
  five: { email: 'five@brickmark.example', lots: 5_000, sets: 2_000, sales: 1_000 },
  large: { email: 'large@brickmark.example', lots: 100_000, sets: 3_000, sales: 100_000 },
};
type Collector = (typeof accounts)[keyof typeof accounts];
const watched = 500;
const dayMs = 86_400_000;
const today = Math.floor((parseInstant(noon) ?? 0) / dayMs) * dayMs;
const dayBefore = (days: number) => new Date(today - days * dayMs).toISOString().slice(0, 10);

/** Measured requests per page, and warm-up requests before them. */
const rounds = 9;
const warmRounds = 6;

/** Pages that read all lots or sales. */
const largePages = [
  '/today',
  '/portfolio?range=1d',
  '/portfolio?range=30d',
  '/portfolio?range=90d',
  '/portfolio?range=1y',
  '/portfolio?range=all',
  '/inventory?view=all',
  '/inventory?sort=name',
  '/inventory?sort=-gain_pct',
  '/inventory?q=a',
  '/inventory.csv',
  '/inventory/prices?view=all&all=1',
  '/sales',
  '/sales/new',
  '/retail',
  '/inventory/collections',
  '/device/data',
];

const args = process.argv.slice(2);
const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '') : '';
const folder = join(benchFolder, 'pages');
const mark = join(folder, 'ready');
const isNew = !existsSync(mark);
if (isNew) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const site = await startSite({}, valueEngine, async () => openSqliteStore(folder));
try {
  if (isNew) await fill(site);
  writeFileSync(mark, '');
  if (args.includes('--large')) await measureLarge(site);
  else await measureFive(site);
} finally {
  await site.close();
}

async function measureFive({ world, signedIn }: Site): Promise<void> {
  const visitor = await signedIn(accounts.five.email);
  const asked = (await pagesOf(visitor)).filter((path) => path.includes(only));
  console.log(`${'5,000 lots'.padEnd(56)}CPU ms  most    kB   longest stretch, ms`);
  for (const path of asked) {
    const isFile = /[.]csv|^.device.c/.test(path);
    report(path, await measure(visitor, path), isFile);
  }
  await measureEdited(world, visitor, accounts.five);
  if (only === '') await measureAnalytics(world);
}

async function measureLarge({ world, signedIn }: Site): Promise<void> {
  const visitor = await signedIn(accounts.large.email);
  console.log(`${'100,000 lots'.padEnd(56)}CPU ms  most    kB   longest stretch, ms`);
  for (const path of largePages) {
    if (path.includes(only)) report(path, await measure(visitor, path, 3), true);
  }
  await measureEdited(world, visitor, accounts.large);
}

/** Every page of an account, with its options. */
async function pagesOf(visitor: Visitor): Promise<string[]> {
  const list = (await visitor.get('/inventory?rows=200')).html;
  const lots = [...new Set([...list.matchAll(/href="\/lots\/(\d+)"/g)].map(([, id]) => id))];
  const set = /\/pictures\/set\/([^?"]+)/.exec(list)?.[1] ?? '';
  const theme = /<option>([^<&]+)/.exec(list.slice(list.indexOf('name="theme"')))?.[1];
  const [lot] = lots;
  const sale = /href="(\/sales\/\d+)"/.exec((await visitor.get('/sales')).html)?.[1] ?? '';
  const lists = (await visitor.get('/watchlist')).html;
  const watchList = /href="(\/watchlist\/\d+)/.exec(lists)?.[1];
  const collections = (await visitor.get('/inventory/collections')).html;
  const edit = /href="(\/collections\/\d+\/edit)/.exec(collections)?.[1];
  const ranges = ['1d', '7d', '30d', '90d', 'ytd', '1y', 'all'];
  return [
    ...ranges.flatMap((range) =>
      ['', '&show=gain', '&show=return'].map((show) => `/portfolio?range=${range}${show}`),
    ),
    '/today',
    '/inventory?view=all',
    '/inventory?rows=200',
    '/inventory?rows=200&page=20',
    ...inventorySorts.map((sort) => `/inventory?sort=${sort}`),
    '/inventory?sort=-value&rows=200',
    '/inventory?q=castle',
    '/inventory?q=a&rows=200',
    `/inventory?theme=${encodeURIComponent(theme ?? '')}`,
    '/inventory?condition=used',
    '/inventory?value=estimated',
    '/inventory?value=none',
    '/inventory?show=sold',
    '/inventory?columns=cost,value',
    '/inventory.csv',
    `/inventory/prices?view=all&lots=${lots.join(',')}`,
    '/inventory/prices?view=all&all=1',
    '/inventory/date?view=all&all=1',
    '/inventory/delete?view=all&all=1',
    '/inventory/add',
    '/inventory/import',
    '/inventory/collections',
    edit ?? '/collections/1/edit',
    `/lots/${lot}`,
    `/lots/${lot}/edit`,
    `/lots/${lot}/sell`,
    '/sales',
    '/sales?page=5',
    '/sales.csv',
    '/sales/new',
    `/sales/new?set=${set}`,
    `/sales/new?lots=${lots.slice(0, 20).join(',')}`,
    sale,
    '/watchlist',
    watchList ?? '/watchlist',
    '/alerts',
    '/alerts/new',
    '/market',
    '/market?q=castle',
    '/market?q=ca',
    '/themes',
    `/themes/${encodeURIComponent(theme ?? '')}`,
    '/deals',
    '/retail',
    '/evaluate',
    '/scorecard',
    `/sets/${set}`,
    '/search.json?q=castle',
    '/search.json?q=ca&kind=held',
    '/account',
    '/account/buying',
    '/device/catalog',
    '/keys',
    '/usage',
    '/webhooks',
    '/docs',
  ];
}

interface Cost {
  readonly cpuMs: number;
  readonly mostMs: number;
  readonly bytes: number;
  readonly stretchMs: number;
  readonly status: number;
}

/**
 * The CPU time of this process for a request, including its own client, and the longest time that
 * the event loop was blocked.
 */
async function measure(
  visitor: Visitor,
  path: string,
  times = rounds,
  before: () => Promise<unknown> = async () => {},
): Promise<Cost> {
  let bytes = 0;
  let status = 0;
  const ask = async () => {
    const seen = await visitor.get(path);
    bytes = Buffer.byteLength(seen.html);
    status = seen.status;
  };
  for (let round = 0; round < Math.min(warmRounds, times); round++) {
    await before();
    await paced(ask);
  }
  const costs: number[] = [];
  for (let round = 0; round < times; round++) {
    await before();
    costs.push(await paced(() => cpuMsOf(process.cpuUsage, ask)));
  }
  const stretches: number[] = [];
  for (let round = 0; round < 3; round++) {
    await before();
    stretches.push(await paced(() => longestStretch(ask)));
  }
  return {
    cpuMs: median(costs),
    mostMs: Math.max(...costs),
    bytes,
    stretchMs: median(stretches),
    status,
  };
}

/** Stays below the limit of pages per second. */
async function paced<T>(work: () => Promise<T>): Promise<T> {
  const result = await work();
  await Bun.sleep(25);
  return result;
}

type Usage = (since?: NodeJS.CpuUsage) => NodeJS.CpuUsage;

async function cpuMsOf(usage: Usage, work: () => Promise<void>): Promise<number> {
  const start = usage();
  await work();
  const { user, system } = usage(start);
  return (user + system) / 1_000;
}

/** The longest CPU time between two turns of the event loop. */
async function longestStretch(work: () => Promise<void>): Promise<number> {
  let isDone = false;
  let longest = 0;
  let before = threadMs();
  const turn = () => {
    const now = threadMs();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  return longest;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function report(path: string, cost: Cost, isLarge: boolean): void {
  const { cpuMs, mostMs, bytes, stretchMs, status } = cost;
  const isGood = isLarge
    ? stretchMs <= goals.stretchMs
    : cpuMs <= goals.cpuMs && bytes <= goals.bytes;
  const columns = [cpuMs.toFixed(1), mostMs.toFixed(0), (bytes / 1_000).toFixed(0)];
  const shown = path.length > 54 ? `${path.slice(0, 53)}…` : path;
  console.log(
    `${shown.padEnd(56)}${columns.map((text) => text.padStart(6)).join('')}` +
      `${stretchMs.toFixed(1).padStart(8)}${isGood ? '' : '  MISSED'}` +
      `${status === 200 ? '' : `  answered with ${status}`}`,
  );
}

/** Pages that read all lots, each after an edit of one, so that nothing in memory is current. */
async function measureEdited(
  { store, now }: Site['world'],
  visitor: Visitor,
  { email, lots }: Collector,
): Promise<void> {
  const isLarge = lots > accounts.five.lots;
  const edit = await lotEditor(store.accounts, email, now);
  for (const path of largePages) {
    if (!path.includes(only)) continue;
    const cost = await measure(visitor, path, isLarge ? 3 : rounds, edit);
    report(`${path}, after an edit`, cost, isLarge || path.includes('.csv'));
  }
}

/** Returns what changes the price of a lot by a cent. */
async function lotEditor(
  store: Site['world']['store']['accounts'],
  email: string,
  at: number,
): Promise<() => Promise<void>> {
  const accountId = (await store.findAccount(email, at))?.id ?? 0;
  const [{ id = 0 } = {}] = await store.listInventory(accountId, { after: 0, limit: 1 });
  return async () => {
    const lot = await store.findLot(accountId, id);
    if (lot === null) throw new Error('There is no lot.');
    const action = { accounts: store, accountId, at, formId: crypto.randomUUID() };
    const priceCents = lot.priceCents === 20_00 ? 20_01 : 20_00;
    const result = await changeLot(action, lot, { priceCents });
    if (!result.ok) throw new Error(result.reason);
  };
}

/** The API's analytics after an edit each time, so that nothing is cached. */
async function measureAnalytics({ store, addKey, call, now }: Site['world']): Promise<void> {
  const { email } = accounts.five;
  // Revokes keys of earlier runs, since an account has at most five.
  for (const { id } of (await store.accounts.listKeys(email, now)) ?? []) {
    await keysById(store.accounts).revokeKey(id, now);
  }
  const edit = await lotEditor(store.accounts, email, now);
  const key = await addKey(email, { allowance: 100_000 });
  for (const period of ['30d', '90d', '1y']) {
    const costs: number[] = [];
    for (let round = 0; round < warmRounds + rounds; round++) {
      await edit();
      const ask = async () => {
        await (await call(`/brickfolio/analytics?period=${period}`, key)).text();
      };
      const cost = await cpuMsOf(process.cpuUsage, ask);
      if (round >= warmRounds) costs.push(cost);
    }
    const name = `GET /brickfolio/analytics?period=${period}`;
    console.log(`${name.padEnd(56)}${median(costs).toFixed(1).padStart(6)}`);
  }
}

async function fill({ world, addAccount }: Site): Promise<void> {
  const lines: FeedLine[] = [];
  const sets: string[] = [];
  for (const row of demoMarket(makeDemoWorld({ seed: 7, today, size }))) {
    lines.push(row);
    if (row.kind === 'set') sets.push(String(row.set_number));
  }
  console.error(`Making a market of ${sets.length} sets …`);
  await world.load(lines);
  for (const account of Object.values(accounts)) {
    console.error(`Making an account with ${account.lots} lots and ${account.sales} sales …`);
    const id = await addAccount(account.email, { plan: 'reseller' });
    const rows = ownLines(account, sets.slice(0, account.sets));
    for (let from = 0; from < rows.length; from += 20_000) {
      const { rejects } = await world.ingest(rows.slice(from, from + 20_000));
      if (rejects.length > 0) throw new Error(JSON.stringify(rejects[0]));
    }
    await watch(world.store.accounts, id, sets);
  }
}

function ownLines({ email: account, lots, sales }: Collector, sets: readonly string[]): FeedLine[] {
  const step = lots / sales;
  const of = (index: number) => ({
    set_number: sets[(index * 7) % sets.length],
    condition: index % 4 === 0 ? 'used' : 'sealed',
  });
  return [
    { kind: 'brickfolio', account, name: 'Shelf' },
    { kind: 'brickfolio', account, name: 'Warehouse' },
    ...Array.from({ length: lots }, (_, index) => ({
      kind: 'holding',
      account,
      source_id: `lot-${index}`,
      brickfolio: index % 3 === 0 ? 'Shelf' : 'Warehouse',
      ...of(index),
      quantity: 1 + (index % 3),
      purchase_price_usd: 20 + (index % 90),
      purchase_date: dayBefore(300 + ((index * 13) % 2_200)),
    })),
    ...Array.from({ length: sales }, (_, index) => ({
      kind: 'ledger_sale',
      account,
      source_id: `sale-${index}`,
      lot: `lot-${index * step}`,
      ...of(index * step),
      platform: 'ebay',
      sale_date: dayBefore(index % 300),
      quantity: 1,
      gross_proceeds_usd: 80,
    })),
  ];
}

async function watch(
  store: Site['world']['store']['accounts'],
  accountId: number,
  sets: readonly string[],
): Promise<void> {
  const at = today;
  const list = await store.addWatchList(accountId, { name: 'Wanted', at });
  if (typeof list === 'string') throw new Error(list);
  const items = sets.slice(-watched).map((number, index) => ({
    kind: 'set' as const,
    key: number,
    number,
    targetCents: index % 3 === 0 ? 5_000 : null,
    note: '',
  }));
  await store.saveWatchedItems(accountId, list.id, { items, at });
}
