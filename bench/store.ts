/** The store of the benchmark: a full-size generated catalog and fifty keys. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoMarket, makeDemoWorld } from '../simulator/market/demo-world.ts';
import { type Build, thisBuild } from './builds.ts';

/** Kept between runs. */
export const benchFolder = thisBuild.folder;
export const dataFolder = dataOf(thisBuild);

const size = {
  sets: 26_000,
  minifigs: 17_000,
  salesPerSet: 4,
  salesPerMinifig: 1,
  offerYears: 0.2,
};
const keyCount = 50;
const keysPerAccount = 5;
const endlessAllowance = '1000000000';
const benchSeed = 7;

/** A large but realistic collection. */
const lotCount = 5_000;
const saleCount = 1_000;
export const collector = 'collector@brickmark.example';

/** The largest possible account, with a password. */
const heavyLots = 100_000;
const heavySales = 100_000;
export const heavy = { email: 'heavy@brickmark.example', password: 'a heavy collection' };

/** The data that requests are made of. */
export interface BenchStore {
  readonly keys: readonly string[];
  /** Keys of the account with the large collection. */
  readonly collectorKeys: readonly string[];
  /** Keys of the largest possible account. */
  readonly heavyKeys: readonly string[];
  readonly sets: readonly string[];
  readonly minifigs: readonly string[];
}

/** Creates the store of a build, or reuses that of an earlier run. */
export async function prepareStore(
  say: (text: string) => void,
  build = thisBuild,
): Promise<BenchStore> {
  const manifest = join(build.folder, 'store.json');
  if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8'));
  say(`Making a catalog of ${size.sets} sets and ${size.minifigs} minifigs for ${build.name} …`);
  rmSync(build.folder, { recursive: true, force: true });
  mkdirSync(build.folder);
  const feed = join(build.folder, 'catalog.ndjson');
  const numbers = writeFeed(feed);
  await commandOf(build, ['import', 'feed', feed]);
  const collectorKeys = await makeAccount(build, collector);
  await makeCollection(build, collector, numbers.sets, { lots: lotCount, sales: saleCount });
  const heavyKeys = await makeAccount(build, heavy.email, heavy.password);
  say(`Making an account with ${heavyLots} lots and ${heavySales} sales …`);
  await makeCollection(build, heavy.email, numbers.sets, { lots: heavyLots, sales: heavySales });
  const store: BenchStore = { ...numbers, keys: await makeKeys(build), collectorKeys, heavyKeys };
  writeFileSync(`${manifest}.new`, JSON.stringify(store));
  renameSync(`${manifest}.new`, manifest);
  return store;
}

function writeFeed(path: string): Pick<BenchStore, 'sets' | 'minifigs'> {
  const sets: string[] = [];
  const minifigs: string[] = [];
  const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const writer = Bun.file(path).writer();
  for (const record of demoMarket(makeDemoWorld({ seed: benchSeed, today, size }))) {
    writer.write(`${JSON.stringify(record)}\n`);
    if (record.kind === 'set') sets.push(String(record.set_number));
    if (record.kind === 'minifig') minifigs.push(String(record.minifig_number));
  }
  writer.end();
  return { sets, minifigs };
}

async function makeKeys(build: Build): Promise<string[]> {
  const keys: string[] = [];
  for (let account = 0; account < keyCount / keysPerAccount; account++) {
    keys.push(...(await makeAccount(build, `bench${account}@brickmark.example`)));
  }
  return keys;
}

async function makeAccount(build: Build, email: string, password?: string): Promise<string[]> {
  const keys: string[] = [];
  const words = ['account', 'add', email, '--plan', 'reseller'];
  if (password === undefined) await commandOf(build, words);
  else await commandOf(build, [...words, '--password-stdin'], password);
  for (let key = 0; key < keysPerAccount; key++) {
    const made = await commandOf(build, ['key', 'add', email, '--allowance', endlessAllowance]);
    keys.push(JSON.parse(made).key);
  }
  return keys;
}

/** Lots of many sets over three years, and sales of some of them. */
async function makeCollection(
  build: Build,
  account: string,
  sets: readonly string[],
  { lots, sales }: { readonly lots: number; readonly sales: number },
): Promise<void> {
  const step = lots / sales;
  const lines = [
    { kind: 'brickfolio', account, name: 'Warehouse' },
    ...Array.from({ length: lots }, (_, index) => ({
      ...lotLine(sets, index, 20 + (index % lotCount) / 100),
      account,
    })),
    ...Array.from({ length: sales }, (_, index) => ({
      kind: 'ledger_sale',
      account,
      source_id: `sale-${index}`,
      lot: `lot-${index * step}`,
      set_number: setOfLot(sets, index * step),
      condition: conditionOfLot(index * step),
      platform: 'ebay',
      sale_date: dayBefore(index % 300),
      quantity: 1,
      gross_proceeds_usd: 60,
    })),
  ];
  const path = join(build.folder, 'collection.ndjson');
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  await commandOf(build, ['import', 'feed', path]);
}

/** Imports the first lot with another price, which invalidates cached responses. */
export async function changeCollection(sets: readonly string[], price: number): Promise<void> {
  const path = join(benchFolder, 'change.ndjson');
  writeFileSync(path, JSON.stringify(lotLine(sets, 0, price)));
  await command('import', 'feed', path);
}

const setOfLot = (sets: readonly string[], index: number) => sets[(index * 7919) % sets.length];
const conditionOfLot = (index: number) => (index % 3 === 0 ? 'used' : 'sealed');
const dayBefore = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

function lotLine(sets: readonly string[], index: number, price: number) {
  return {
    kind: 'holding',
    account: collector,
    source_id: `lot-${index}`,
    brickfolio: 'Warehouse',
    set_number: setOfLot(sets, index),
    condition: conditionOfLot(index),
    quantity: 1 + (index % 4),
    purchase_price_usd: price,
    purchase_date: dayBefore(300 + ((index * 37) % 800)),
  };
}

/** Runs a command on the benchmark's store; returns its JSON output. */
export function command(...words: string[]): Promise<string> {
  return commandIn(dataFolder, ...words);
}

/** Runs a command on a store; returns its JSON output. */
export function commandIn(data: string, ...words: string[]): Promise<string> {
  return run(data, words, '');
}

/** The same with standard input. */
export function run(data: string, words: readonly string[], stdin: string): Promise<string> {
  return runProgram(thisBuild.program, data, words, stdin);
}

/** Runs a command of a build on its store of the benchmark. */
function commandOf(build: Build, words: readonly string[], stdin = ''): Promise<string> {
  return runProgram(build.program, dataOf(build), words, stdin);
}

export function dataOf(build: Build): string {
  return join(build.folder, 'data');
}

async function runProgram(
  program: string,
  data: string,
  words: readonly string[],
  stdin: string,
): Promise<string> {
  const child = Bun.spawn([program, ...words, '--json', '--data', data], {
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`'${words.join(' ')}' failed.`);
  return text;
}
