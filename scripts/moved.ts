/**
 * The long form of the test of `move` (`npm run moved`): moves a full catalog, a million sales and
 * a thousand accounts to PostgreSQL, and compares all responses of both to requests that change
 * nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoCollection, demoMarket, makeDemoWorld } from '../simulator/market/demo-world.ts';
import { createKey } from '../src/accounts/keys/api-keys.work.ts';
import { allEndpoints } from '../src/contract/all-endpoints.ts';
import type { Endpoint } from '../src/contract/endpoint.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { makeWorkplace, type Served } from '../test/support/cli.ts';
import { type ApiCall, everyRequest, type Known } from '../test/support/every-request.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { withPrefix } from '../test/support/world.ts';

const size = {
  sets: Number(process.env.MOVED_SETS ?? 25_000),
  minifigs: 5_000,
  salesPerSet: 41,
  salesPerMinifig: 1,
  offerYears: 0.2,
};
const accounts = Number(process.env.MOVED_ACCOUNTS ?? 1_000);
/** Accounts with compared private responses. */
const askedAccounts = 50;
const seed = 7;
const atOnce = 16;

const today = Math.floor(Date.now() / 86_400_000) * 86_400_000;
const now = new Date(today + 43_200_000).toISOString();
const place = makeWorkplace();
const data = join(place.folder, 'data');
const server = await PostgresServer.launch();
const folder = mkdtempSync(join(tmpdir(), 'brickmark-moved-'));
try {
  const catalog = await writeMarket(join(folder, 'market.ndjson'));
  say(`importing ${catalog.sales} sales of ${catalog.sets.length} sets`);
  await place.json(['import', 'feed', join(folder, 'market.ndjson')], { now });
  await place.json(['history', 'seal'], { now });
  say(`making ${accounts} accounts`);
  const keys = await makeAccounts(join(folder, 'private.ndjson'));
  await place.json(['import', 'feed', join(folder, 'private.ndjson')], { now });
  const moved = await place.json<{ rows: number; seconds: number }>(['move', '--to', server.url()]);
  say(`moved ${moved.rows} rows in ${moved.seconds} s`);
  // Requests follow each other faster than those of a client.
  const env = { BRICKMARK_PLUS_RATE: '100000' };
  const sides = [
    await place.serve({ now, env }),
    await place.serve({ now, env, flags: ['--database', server.url()] }),
  ] as const;
  process.exitCode = (await compareAll(sides, catalog, keys)) === 0 ? 0 : 1;
} finally {
  await place.close();
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function writeMarket(path: string) {
  const [sets, minifigs]: [string[], string[]] = [[], []];
  let sales = 0;
  const writer = Bun.file(path).writer();
  for (const record of demoMarket(makeDemoWorld({ seed, today, size }))) {
    writer.write(`${JSON.stringify(record)}\n`);
    if (record.kind === 'set') sets.push(String(record.set_number));
    if (record.kind === 'minifig') minifigs.push(String(record.minifig_number));
    if (record.kind === 'sale') sales++;
  }
  await writer.end();
  return { sets, minifigs, sales };
}

/** Each account has the demo's collection; returns the keys of the first ones. */
async function makeAccounts(path: string): Promise<string[]> {
  const store = openSqliteStore(data);
  const writer = Bun.file(path).writer();
  const keys: string[] = [];
  const demo = makeDemoWorld({ seed, today });
  const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  const at = Date.parse(now);
  for (let index = 0; index < accounts; index++) {
    const email = `account${index}@brickmark.example`;
    const account = { email, plan: 'reseller', isOperator: false, passwordHash: null } as const;
    await store.accounts.addAccount({ ...account, at });
    const options = { email, name: 'Key', allowance: 1_000_000_000, expiresAt: null, at };
    const made = await createKey(store.accounts, options, random);
    if ('key' in made && index < askedAccounts) keys.push(made.key);
    for (const record of demoCollection(demo, email)) {
      writer.write(`${JSON.stringify(record)}\n`);
    }
  }
  await writer.end();
  await store.close();
  return keys;
}

type Sides = readonly [Served, Served];

async function compareAll(
  sides: Sides,
  { sets, minifigs }: Pick<Known, 'sets' | 'minifigs'>,
  keys: readonly string[],
): Promise<number> {
  const rows: Known['rows'][number][] = [];
  for (const set of sets.slice(0, 2_000)) {
    const text = await ask(sides[0], { path: `/set/${set}/retail-prices` }, keys[0] ?? '');
    const { data: row } = JSON.parse(text.slice('200 '.length)) as {
      data: Known['rows'][number] | null;
    };
    if (row) rows.push(row);
  }
  let different = 0;
  for (const [index, key] of keys.entries()) {
    // Public data is requested once.
    const known = { sets: index === 0 ? sets : [], minifigs: index === 0 ? minifigs : [], rows };
    for (const [name, asked] of everyRequest({ ...known, brickfolios: [2 * index + 1] })) {
      const { effect }: Endpoint = allEndpoints[name];
      // What is created differs in its time, and one side got more calls than the other.
      if (effect || name === 'getUsage') continue;
      const found = await compare(sides, asked, key);
      if (index === 0) say(`${name}: ${asked.length} requests, ${found} different`);
      different += found;
    }
  }
  say(`${keys.length} accounts asked; ${different} answers differ`);
  return different;
}

async function compare(sides: Sides, asked: readonly ApiCall[], key: string): Promise<number> {
  let [next, different] = [0, 0];
  const client = async () => {
    for (let one = asked[next++]; one; one = asked[next++]) {
      const [here, there] = await Promise.all([ask(sides[0], one, key), ask(sides[1], one, key)]);
      if (here === there) continue;
      different++;
      say(`  ${one.path}\n    ${here.slice(0, 200)}\n    ${there.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return different;
}

/** Status and body without `meta`, which varies. */
async function ask(side: Served, { path, init = {} }: ApiCall, key: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, ...init.headers };
  const response = await fetch(`${side.url}${withPrefix(path)}`, { ...init, headers });
  const text = await response.text();
  const end = text.lastIndexOf(',"meta":');
  return `${response.status} ${end < 0 ? text : text.slice(0, end)}}`;
}
