/**
 * The largest supported store: 300,000 sets, 3,000,000 sales and 8,800,000 retail observations,
 * imported, published and served, with the memory, disk space and time of each step: `npm run
 * bench:scale`, or `npm run bench:scale -- 30` for a thirtieth.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeCatalog } from '../simulator/market/catalog.ts';
import {
  offerLine,
  rateLine,
  retractLine,
  saleLine,
  setLine,
} from '../simulator/market/feed-lines.ts';
import { Rates } from '../simulator/market/fx.ts';
import { marketSales } from '../simulator/market/market-sales.ts';
import { makeOffers } from '../simulator/market/offers.ts';
import { makeWorld, type World } from '../simulator/market/world.ts';
import {
  dayMs,
  formatInstant,
  hourMs,
  monthOf,
  nextMonthStart,
} from '../src/domain/kernel/time.ts';
import type { Offer } from '../src/domain/market/source-rows.ts';
import { runMeasured } from '../test/support/measured.ts';
import { startBrickmark } from './servers.ts';
import { benchFolder } from './store.ts';

const full = { sets: 300_000, sales: 3_000_000, watchedSets: 500 };
/** Hourly observations of a watched set for two years. */
const looksPerSet = 17_520;
/** Sales that are imported later and published at once. */
const laterSales = 200_000;
const seed = 16;
const requests = 2_000;
/** The timeout of learning a new month. */
const learningMsMax = 30 * 60_000;

const part = 1 / Number(process.argv[2] ?? 1);
if (!(part > 0 && part <= 1)) {
  console.error('Name the part to run: 30 for a thirtieth, nothing for all of it.');
  process.exit(2);
}
const brickmark = join(import.meta.dir, '..', 'bin', 'brickmark');
const folder = join(benchFolder, 'scale');
const data = join(folder, 'data');
const size = {
  sets: Math.round(full.sets * part),
  sales: Math.round(full.sales * part),
  later: Math.round(laterSales * part),
  watchedSets: Math.max(1, Math.round(full.watchedSets * part)),
};
const today = Math.floor(Date.now() / dayMs) * dayMs;

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const files = await writeFeeds();
console.log('| step | peak memory | store on disk | time | processor time |');
console.log('|---|---|---|---|---|');
await step(`import ${size.sets} sets`, ['import', 'feed', files.catalog, '--no-value']);
await step(`import ${size.sales} sales`, ['import', 'feed', ...files.sales, '--no-value']);
const looks = size.watchedSets * looksPerSet;
await step(`import ${looks} looks`, ['import', 'feed', files.looks, '--no-value']);
await step('learn, value and publish all of it', ['value']);
await step(`import ${size.later} more sales, valued`, ['import', 'feed', files.later]);
await step('value again, nothing new', ['value']);
await serve();
await serveNewMonth();
rmSync(folder, { recursive: true, force: true });

/** Runs a command and prints its memory and time. */
async function step(name: string, words: readonly string[]): Promise<void> {
  const start = performance.now();
  const took = await runMeasured([brickmark, ...words, '--json', '--data', data]);
  if (took.status !== 0) throw new Error(`'${words.join(' ')}' failed: ${took.stderr}`);
  printRow(name, {
    bytes: took.memory,
    seconds: (performance.now() - start) / 1000,
    processorSeconds: took.cpuSeconds,
  });
}

/** Serves the store: the time of the first response, and the memory of the process. */
async function serve(): Promise<void> {
  const key = await makeKey();
  const start = performance.now();
  const server = await startBrickmark(data);
  try {
    const headers = { Authorization: `Bearer ${key}` };
    const get = async (path: string) => {
      const response = await fetch(`${server.url}/api/v1${path}`, { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} was answered with ${response.status}.`);
    };
    await get(`/set/${files.numbers[0]}`);
    const seconds = (performance.now() - start) / 1000;
    for (let index = 0; index < requests; index++) {
      const number = files.numbers[(index * 7919) % files.numbers.length];
      await get(`/set/${number}`);
      await get(`/set/${number}/history?condition=sealed`);
    }
    await get('/catalog/sets/search?q=castle');
    printRow(`serve: the first answer, then ${2 * requests} more and a search`, {
      bytes: peakOf(server.pid),
      seconds,
      processorSeconds: null,
    });
  } finally {
    await server.stop();
  }
}

/** Serves at the start of a new month: the memory of the server until parameters are learned. */
async function serveNewMonth(): Promise<void> {
  const at = nextMonthStart(Date.now()) + hourMs;
  const start = performance.now();
  process.env.BRICKMARK_NOW = formatInstant(at);
  const server = await startBrickmark(data);
  try {
    let bytes = 0;
    while (!(await isLearned(at)) && performance.now() - start < learningMsMax) {
      bytes = Math.max(bytes, peakOf(server.pid));
      await Bun.sleep(500);
    }
    printRow('serve while a new month is learned', {
      bytes: Math.max(bytes, peakOf(server.pid)),
      seconds: (performance.now() - start) / 1000,
      processorSeconds: null,
    });
  } finally {
    delete process.env.BRICKMARK_NOW;
    await server.stop();
  }
}

async function isLearned(at: number): Promise<boolean> {
  const { Database } = await import('bun:sqlite');
  const db = new Database(join(data, 'market.db'), { readonly: true });
  const row = db.query<{ month: number }, []>('SELECT max(month) AS month FROM parameters').get();
  db.close();
  return row !== null && row.month >= monthOf(at);
}

async function makeKey(): Promise<string> {
  const run = async (...words: string[]) => {
    const child = Bun.spawn([brickmark, ...words, '--json', '--data', data], { stdout: 'pipe' });
    return JSON.parse(await new Response(child.stdout).text());
  };
  await run('account', 'add', 'scale@brickmark.example', '--plan', 'reseller');
  const made = await run('key', 'add', 'scale@brickmark.example', '--allowance', '1000000');
  return made.key;
}

function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

function printRow(
  name: string,
  took: {
    readonly bytes: number;
    readonly seconds: number;
    readonly processorSeconds: number | null;
  },
): void {
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;
  const seconds = (value: number | null) => (value === null ? '' : `${value.toFixed(1)} s`);
  const disk = readdirSync(data).reduce((sum, file) => sum + statSync(join(data, file)).size, 0);
  console.log(
    `| ${name} | ${megabytes(took.bytes)} | ${megabytes(disk)} | ${seconds(took.seconds)} | ` +
      `${seconds(took.processorSeconds)} |`,
  );
}

/** Writes the generated market as feeds, with sales in files by month. */
async function writeFeeds() {
  const world = makeWorld({
    seed,
    today,
    size: {
      sets: size.sets,
      salesPerSet: (1.02 * (size.sales + size.later)) / size.sets,
      minifigs: 0,
      salesPerMinifig: 0,
      offerYears: 2,
    },
  });
  const catalog = makeCatalog(world);
  const rates = new Rates(world);
  const path = (name: string) => join(folder, `${name}.ndjson`);
  const catalogFile = Bun.file(path('catalog')).writer();
  for (const rate of rates.list()) catalogFile.write(`${rateLine(rate)}\n`);
  for (const { facts } of catalog.sets) catalogFile.write(`${setLine(facts)}\n`);
  await catalogFile.end();
  const sales = await writeSales(world, catalog, rates, path);
  const looksFile = Bun.file(path('looks')).writer();
  const watched = catalog.sets.filter((set) => makeOffers(world, set).length > 0);
  for (const set of watched.slice(0, size.watchedSets)) {
    for (const look of hourlyLooks(world, makeOffers(world, set))) {
      looksFile.write(`${offerLine(look)}\n`);
    }
    await looksFile.flush();
  }
  await looksFile.end();
  const numbers = catalog.sets.map(({ facts }) => facts.number);
  return { catalog: path('catalog'), looks: path('looks'), numbers, ...sales };
}

async function writeSales(
  world: World,
  catalog: ReturnType<typeof makeCatalog>,
  rates: Rates,
  path: (name: string) => string,
): Promise<{ readonly sales: readonly string[]; readonly later: string }> {
  const writers = new Map<number, ReturnType<ReturnType<typeof Bun.file>['writer']>>();
  const monthFile = (month: number) => path(`sales-${month}`);
  const writerOf = (month: number) => {
    const writer = writers.get(month) ?? Bun.file(monthFile(month)).writer();
    writers.set(month, writer);
    return writer;
  };
  const laterWriter = Bun.file(path('later')).writer();
  let [written, later] = [0, 0];
  for (const made of marketSales(world, catalog, rates)) {
    // The sales of some items are kept for later.
    const isLater = later * size.sales < written * size.later;
    for (const { sale, isRetracted } of made) {
      const writer = isLater ? laterWriter : writerOf(monthOf(sale.soldAt));
      writer.write(`${saleLine(sale)}\n`);
      if (isRetracted) writer.write(`${retractLine(sale)}\n`);
    }
    if (isLater) later += made.length;
    else written += made.length;
  }
  await laterWriter.end();
  for (const writer of writers.values()) await writer.end();
  return { sales: [...writers.keys()].sort((a, b) => a - b).map(monthFile), later: path('later') };
}

/** Hourly observations of a retailer, which repeat its latest offer. */
function* hourlyLooks(world: World, offers: readonly Offer[]): Generator<Offer> {
  const [first] = offers;
  if (!first) return;
  const own = offers.filter(({ retailer }) => retailer === first.retailer);
  let next = 0;
  for (let hour = looksPerSet; hour > 0; hour--) {
    const observedAt = world.today - hour * hourMs;
    while ((own[next + 1]?.observedAt ?? Number.POSITIVE_INFINITY) <= observedAt) next++;
    yield { ...(own[next] ?? first), observedAt };
  }
}
