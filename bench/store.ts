/** The store that the benchmark serves: a full-size made-up catalog and fifty keys. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoMarket } from '../src/simulate/demo-world.ts';

/** Where the benchmark keeps its files between runs. */
export const benchFolder = join(import.meta.dir, '..', '.bench');
export const dataFolder = join(benchFolder, 'data');

const brickmark = join(import.meta.dir, '..', 'bin', 'brickmark');
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

/** A collection as large as any that we have heard of. */
const lotCount = 5_000;
const saleCount = 1_000;
const collector = 'collector@brickmark.example';

/** What requests are made of. */
export interface BenchStore {
  readonly keys: readonly string[];
  /** Keys of the one account that has a large collection. */
  readonly collectorKeys: readonly string[];
  readonly sets: readonly string[];
  readonly minifigs: readonly string[];
}

/** Makes the store, or takes the one of an earlier run. */
export async function prepareStore(say: (text: string) => void): Promise<BenchStore> {
  const manifest = join(benchFolder, 'store.json');
  if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, 'utf8'));
  say(`Making a catalog of ${size.sets} sets and ${size.minifigs} minifigs …`);
  rmSync(benchFolder, { recursive: true, force: true });
  mkdirSync(benchFolder);
  const feed = join(benchFolder, 'catalog.ndjson');
  const numbers = writeFeed(feed);
  await command('import', 'feed', feed);
  const collectorKeys = await makeAccount(collector);
  await makeCollection(numbers.sets);
  const store: BenchStore = { ...numbers, keys: await makeKeys(), collectorKeys };
  writeFileSync(`${manifest}.new`, JSON.stringify(store));
  renameSync(`${manifest}.new`, manifest);
  return store;
}

function writeFeed(path: string): Pick<BenchStore, 'sets' | 'minifigs'> {
  const sets: string[] = [];
  const minifigs: string[] = [];
  const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const writer = Bun.file(path).writer();
  for (const line of demoMarket({ seed: benchSeed, today, size })) {
    writer.write(`${line}\n`);
    const set = /^\{"kind":"set","set_number":"([^"]+)"/.exec(line)?.[1];
    const minifig = /^\{"kind":"minifig","minifig_number":"([^"]+)"/.exec(line)?.[1];
    if (set) sets.push(set);
    if (minifig) minifigs.push(minifig);
  }
  writer.end();
  return { sets, minifigs };
}

async function makeKeys(): Promise<string[]> {
  const keys: string[] = [];
  for (let account = 0; account < keyCount / keysPerAccount; account++) {
    keys.push(...(await makeAccount(`bench${account}@brickmark.example`)));
  }
  return keys;
}

async function makeAccount(email: string): Promise<string[]> {
  const keys: string[] = [];
  await command('account', 'add', email, '--plan', 'reseller');
  for (let key = 0; key < keysPerAccount; key++) {
    const made = await command('key', 'add', email, '--allowance', endlessAllowance);
    keys.push(JSON.parse(made).key);
  }
  return keys;
}

/** Lots of thousands of sets over three years, and sales of some of them. */
async function makeCollection(sets: readonly string[]): Promise<void> {
  const lines = [
    { kind: 'brickfolio', account: collector, name: 'Warehouse' },
    ...Array.from({ length: lotCount }, (_, index) => lotLine(sets, index, 20 + index / 100)),
    ...Array.from({ length: saleCount }, (_, index) => ({
      kind: 'ledger_sale',
      account: collector,
      source_id: `sale-${index}`,
      lot: `lot-${index * 5}`,
      set_number: setOfLot(sets, index * 5),
      condition: conditionOfLot(index * 5),
      platform: 'ebay',
      sale_date: dayBefore(index % 300),
      quantity: 1,
      gross_proceeds_usd: 60,
    })),
  ];
  const path = join(benchFolder, 'collection.ndjson');
  writeFileSync(path, lines.map((line) => JSON.stringify(line)).join('\n'));
  await command('import', 'feed', path);
}

/** Buys the first lot again at another price, which makes every answer kept for it stale. */
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

/** Runs a command of Brickmark on the benchmark's store; its JSON. */
export function command(...words: string[]): Promise<string> {
  return commandIn(dataFolder, ...words);
}

/** Runs a command of Brickmark on a store; its JSON. */
export async function commandIn(data: string, ...words: string[]): Promise<string> {
  const child = Bun.spawn([brickmark, ...words, '--json', '--data', data], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`'${words.join(' ')}' failed.`);
  return text;
}
