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

/** What requests are made of. */
export interface BenchStore {
  readonly keys: readonly string[];
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
  const store: BenchStore = { ...numbers, keys: await makeKeys() };
  writeFileSync(`${manifest}.new`, JSON.stringify(store));
  renameSync(`${manifest}.new`, manifest);
  return store;
}

function writeFeed(path: string): Omit<BenchStore, 'keys'> {
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
    const email = `bench${account}@brickmark.example`;
    await command('account', 'add', email, '--plan', 'reseller');
    for (let key = 0; key < keysPerAccount; key++) {
      const made = await command('key', 'add', email, '--allowance', endlessAllowance);
      keys.push(JSON.parse(made).key);
    }
  }
  return keys;
}

/** Runs a command of Brickmark on the benchmark's store; its JSON. */
export async function command(...words: string[]): Promise<string> {
  const child = Bun.spawn([brickmark, ...words, '--json', '--data', dataFolder], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`'${words.join(' ')}' failed.`);
  return text;
}
