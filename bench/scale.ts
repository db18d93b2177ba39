/**
 * The largest supported store: 300,000 sets, 3,000,000 sales and 8,800,000 retail observations,
 * imported, published and served, with the memory, disk space and time of each step: `npm run
 * bench:scale`, or `npm run bench:scale -- 30` for a thirtieth.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatInstant, hourMs, monthOf, nextMonthStart } from '../src/kernel/time.ts';
import { peakOf, runMeasured } from '../test/support/measured.ts';
import { writeMarket } from './market-feeds.ts';
import { startBrickmark } from './servers.ts';
import { benchFolder } from './store.ts';

const full = { sets: 300_000, sales: 3_000_000, watchedSets: 500 };
/** Hourly observations of a watched set for two years. */
const looksPerSet = 17_520;
/** Sales that are imported later and published at once. */
const laterSales = 200_000;
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
  looksPerSet,
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const files = await writeMarket(folder, size);
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
