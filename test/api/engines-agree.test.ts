/** SQLite and PostgreSQL give identical responses for the same world, byte for byte. */
// @runs SQLite: opens both engines itself
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { demoCollection, demoMarket, makeDemoWorld } from '../../simulator/market/demo-world.ts';
import { allEndpoints, type EndpointName } from '../../src/contract/all-endpoints.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { valueEngine } from '../../src/market/values/engine.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import type { Store } from '../../src/store/store.ts';
import { openDatabase } from '../support/engines.ts';
import { type ApiCall, everyRequest, type Known, readKnown } from '../support/every-request.ts';
import { smallCollection, smallMarket } from '../support/market.ts';
import { PostgresDatabases } from '../support/postgres-databases.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { type FeedLine, importFeed, startWorld, type World } from '../support/world.ts';

const start = '2026-10-20T12:00:00Z';
const end = Date.parse('2026-11-15T12:00:00Z');
const size = { sets: 20, minifigs: 15, years: 2, salesPerSet: 25 };
const people = ['rich@example.com', 'small@example.com', 'empty@example.com'] as const;

interface Side {
  readonly world: World;
  readonly keys: readonly string[];
}

let server: PostgresServer;
let databases: PostgresDatabases;
let sqlite: Side;
let postgres: Side;
let requests: ReadonlyMap<EndpointName, readonly ApiCall[]>;

beforeAll(async () => {
  server = await PostgresServer.launch();
  databases = new PostgresDatabases(server.url());
  const onPostgres = async (folder: string) => openDatabase(await databases.of(folder));
  sqlite = await build(async (folder) => openSqliteStore(folder));
  postgres = await build(onPostgres);
  const known: Known[] = [];
  // Reads on both sides, so that both have counted the same calls before the comparison.
  for (const { world, keys } of [sqlite, postgres])
    known.push(await readKnown(world, keys[0] ?? ''));
  requests = new Map(everyRequest(known[0] as Known));
});

afterAll(async () => {
  await sqlite?.world.close();
  await postgres?.world.close();
  await databases?.close();
  await server?.remove();
});

/** Half of the rows are imported before history is sealed, half after a month has become final. */
async function build(open: (folder: string) => Promise<Store>): Promise<Side> {
  const world = await startWorld(start, valueEngine, open);
  const { store, publisher } = world;
  const load = async (lines: readonly (object | string)[]) => {
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    return (await importFeed(store, texts, () => world.now)).rejected;
  };
  const today = Date.parse('2026-11-15');
  const place = makeDemoWorld({ seed: 3, today, size });
  const market = [...demoMarket(place)];
  const isLater = ({ kind, sold_at, observed_at, date }: FeedLine) =>
    kind === 'retract' || /^2026-1[01]/.test(String(sold_at ?? observed_at ?? date));
  expect(await load(market.filter((record) => !isLater(record)))).toBe(0);
  await publisher.publishStale();
  await store.market.sealHistory(world.now);
  world.now = end;
  expect(await load(market.filter(isLater))).toBe(0);
  await load(smallMarket);
  await publisher.publishStale();
  await publisher.publishStale();
  for (const email of people) await world.addAccount(email);
  const [rich, small] = people;
  expect(await load([...demoCollection(place, rich)])).toBe(0);
  expect(await load(smallCollection(small))).toBe(0);
  const keys: string[] = [];
  await world.makeBulkFiles();
  for (const email of people) keys.push(await world.addKey(email, { allowance: 1_000_000 }));
  return { world, keys };
}

/** Publications are numbered by their time. */
const bulkPosition = /\b\d{13}-\d+\b/g;

/** The whole response except values that are random per response. */
async function wire({ world, keys }: Side, who: number, { path, init }: ApiCall): Promise<string> {
  // Compressed length depends on the random request ID.
  const headers = { ...init?.headers, 'Accept-Encoding': 'identity' };
  const response = await world.call(path, keys[who] ?? '', { ...init, headers });
  const requestId = response.headers.get('x-request-id') ?? '';
  const body = await response.text();
  const isTagOfPosition = (name: string) => name === 'etag' && body.search(bulkPosition) >= 0;
  const shown = [...response.headers].filter(([name]) => name !== 'date' && !isTagOfPosition(name));
  const text = `${response.status} ${JSON.stringify(shown)} ${body}`;
  return text.replaceAll(requestId, '').replaceAll(bulkPosition, '');
}

const everyone = Object.keys(allEndpoints) as EndpointName[];

describe.each(everyone)('%s', (name) => {
  const { scope, mayMiss, kind }: Endpoint = allEndpoints[name];

  test('gets the same bytes from SQLite and PostgreSQL, including errors', async () => {
    const statuses = new Set<string>();
    for (const who of scope === 'caller' ? people.keys() : [0]) {
      for (const request of requests.get(name) ?? []) {
        const [expected, answer] = await Promise.all([
          wire(sqlite, who, request),
          wire(postgres, who, request),
        ]);
        if (answer !== expected) expect([request, answer]).toEqual([request, expected]);
        statuses.add(expected.slice(0, 3));
      }
    }
    const misses = mayMiss ? ['404'] : [];
    const answers = kind === 'stream' ? [] : ['200'];
    expect([...statuses]).toEqual(expect.arrayContaining([...answers, '400', ...misses]));
  });
});

test('restatements, keys and accounts are the same', async () => {
  const summary = async ({ world }: Side) => {
    const keys = await Promise.all(
      people.map((email) => world.store.accounts.listKeys(email, world.now)),
    );
    return {
      restatements: await (await fetch(`${world.url}/restatements.json`)).text(),
      accounts: await world.store.accounts.listAccounts(world.now),
      keys: keys.map((list) => list?.map((key) => ({ ...key, prefix: '' }))),
      parameters: await world.store.market.findParameters(),
    };
  };
  expect(await summary(postgres)).toEqual(await summary(sqlite));
});

test('there were no failures on either side', () => {
  expect([sqlite.world.failures, postgres.world.failures]).toEqual([[], []]);
});
