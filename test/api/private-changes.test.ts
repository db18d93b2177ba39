/** Changes show in the next private response of their owner, and in no other. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { makePublisher, type Publisher } from '../../src/publish/publisher.work.ts';
import type { Store } from '../../src/store/store.ts';
import { openTestStore } from '../support/engines.ts';
import {
  addPerson,
  dataBytes,
  ledgerSale,
  lot,
  type Person,
  setWorth,
  shelf,
} from '../support/person.ts';
import { plainEngine } from '../support/plain-engine.ts';
import { publishSettings } from '../support/publish-settings.ts';
import { until } from '../support/until.ts';
import { type FeedLine, importFeed, startWorld, type World } from '../support/world.ts';

let world: World;
/** The same store, opened as another process would. */
let elsewhere: Store;
let publisher: Publisher;
let ann: Person;
let bob: Person;

const offer = { kind: 'offer', retailer: 'retailer_a', set_number: '100' };

beforeEach(async () => {
  world = await startWorld();
  await world.load([
    ...setWorth('100', { sealed: 100 }),
    { ...offer, observed_at: '2026-11-01T00:00:00Z', price: 90 },
  ]);
  ann = await addPerson(world, 'ann@example.com', [shelf, lot('a', 2)]);
  bob = await addPerson(world, 'bob@example.com', [shelf, lot('a', 5), ledgerSale('s', 1)]);
  elsewhere = await openTestStore(world.folder);
  const settings = { engine: plainEngine, ...publishSettings };
  publisher = makePublisher(elsewhere.market, settings, () => world.now);
});

afterEach(async () => {
  await elsewhere.close();
  await world.close();
});

/** Imports lines in the other process; throws if one is rejected. */
async function importElsewhere(...lines: readonly FeedLine[]): Promise<void> {
  expect((await importFeed(elsewhere, lines, () => world.now)).rejects).toEqual([]);
}

/** Publishes in the other process; on PostgreSQL the server may take a second to notice. */
async function publishElsewhere(): Promise<void> {
  await publisher.publishStale();
  const stamp = await elsewhere.market.publishStamp();
  await until(async () => (await world.store.market.publishStamp()) === stamp);
}

const annHas = (line: FeedLine) => ({ account: 'ann@example.com', ...line });

const paths = [
  '/brickfolio',
  '/brickfolio/analytics?period=30d',
  '/brickfolio/entries',
  '/salesledger',
  '/brickfolio/retail-watch',
  '/set/100/retail-prices',
  '/retail-prices?set=100',
];

/** Every response to a person, so that all are cached. */
const answersOf = (who: Person) => Promise.all(paths.map((path) => who.data(path)));

/** The values in all responses. */
async function seen(who: Person) {
  const { brickfolios } = await who.brickfolios();
  const { summary, value_history } = await who.analytics('30d');
  const { entries } = await who.entries();
  const [watched] = await who.get<{ paid: number }[]>('/brickfolio/retail-watch');
  const found = await who.get<{ paid?: number } | null>('/retail-prices?set=100');
  const units = entries.reduce((sum, entry) => sum + entry.quantity, 0);
  expect(brickfolios.map((b) => b.owned_item_count)).toEqual(units === 0 ? [0] : [units]);
  expect(summary.total_items).toBe(units);
  expect(value_history.at(-1)?.total_value_usd).toBe(summary.total_current_value_usd);
  expect(brickfolios[0]?.total_current_value_usd).toBe(summary.total_current_value_usd);
  expect(watched?.paid).toBe(found?.paid as number);
  return { units, value: summary.total_current_value_usd, paid: watched?.paid };
}

test('a new lot and a new sale show at once, to their owner only', async () => {
  const [, before] = [await answersOf(ann), await answersOf(bob)];
  expect(await seen(ann)).toEqual({ units: 2, value: 200, paid: 60 });
  await importElsewhere(annHas(lot('b', 1, { purchase_price_usd: 20 })));
  expect(await seen(ann)).toEqual({ units: 3, value: 300, paid: 46.67 });
  await importElsewhere(annHas(ledgerSale('s', 2)));
  expect(await seen(ann)).toEqual({ units: 1, value: 100, paid: 20 });
  expect((await ann.sales()).sales).toMatchObject([{ quantity: 2, profit_loss_usd: -30 }]);
  expect(await answersOf(bob)).toEqual(before);
});

test('selling the last unit removes the set from the retail watch, and its paid', async () => {
  await answersOf(ann);
  await importElsewhere(annHas(ledgerSale('s', 2)));
  expect(await seen(ann)).toEqual({ units: 0, value: 0, paid: undefined });
  expect(await ann.get<object[]>('/brickfolio/retail-watch')).toEqual([]);
});

test('a correction of a lot, a sale or a collection shows at once', async () => {
  await importElsewhere(annHas(ledgerSale('s', 1)));
  await answersOf(ann);
  await importElsewhere(
    annHas(ledgerSale('s', 1, { payment_fees_usd: 1.25 })),
    annHas(lot('a', 4, { status: 'listed' })),
    annHas({ ...shelf, description: 'Dusty.' }),
  );
  expect((await ann.sales()).sales[0]?.net_proceeds_usd).toBe(88.75);
  expect((await ann.entries()).entries[0]).toMatchObject({ quantity: 3, status: 'listed' });
  expect((await ann.brickfolios()).brickfolios[0]?.description).toBe('Dusty.');
});

test('a new value shows once it is published, to every account with the set', async () => {
  const before = [await answersOf(ann), await answersOf(bob)];
  await importElsewhere(...setWorth('100', { sealed: 150 }));
  expect([await answersOf(ann), await answersOf(bob)]).toEqual(before);
  await publishElsewhere();
  expect(await seen(ann)).toEqual({ units: 2, value: 300, paid: 60 });
  expect(await seen(bob)).toEqual({ units: 4, value: 600, paid: 60 });
});

test('a new title and a new retail price show once they are published', async () => {
  await Promise.all([answersOf(ann), answersOf(bob)]);
  await importElsewhere(
    { kind: 'set', set_number: '100', title: 'Renamed', theme: 'Boats' },
    { ...offer, observed_at: '2026-11-15T11:00:00Z', price: 70 },
  );
  await publishElsewhere();
  for (const who of [ann, bob]) {
    expect((await who.entries()).entries[0]).toMatchObject({ title: 'Renamed', theme: 'Boats' });
    for (const path of ['/brickfolio/retail-watch', '/set/100/retail-prices']) {
      const [row] = [await who.get<object | object[]>(path)].flat();
      expect(row).toMatchObject({ name: 'Renamed', retailer_a: { price: 70, lastChange: -20 } });
    }
    const changed = '/brickfolio/retail-watch?changed_within=3h';
    expect(await who.get<object[]>(changed)).toHaveLength(1);
  }
  expect((await bob.sales()).sales[0]?.title).toBe('Renamed');
});

test('a new day and the end of a time window show without an import', async () => {
  await importElsewhere({ ...offer, observed_at: '2026-11-15T11:00:00Z', price: 70 });
  await publishElsewhere();
  const changed = '/brickfolio/retail-watch?changed_within=3h';
  expect((await ann.analytics('30d')).value_history.at(-1)?.date).toBe('2026-11-15');
  expect(await ann.get<object[]>(changed)).toHaveLength(1);
  world.now += 12 * 3_600_000;
  expect((await ann.analytics('30d')).value_history.at(-1)?.date).toBe('2026-11-16');
  expect(await ann.get<object[]>(changed)).toEqual([]);
});

test('while lots are being imported, each response has all that were committed before its request', async () => {
  const before = await bob.data('/brickfolio/entries');
  for (let units = 3; units <= 20; units++) {
    const during = Promise.all([ann.entries(), bob.data('/brickfolio/entries')]);
    await importElsewhere(annHas(lot(`lot ${units}`, 1)));
    const after = await Promise.all(
      Array.from({ length: 4 }, () => Promise.all([ann.analytics(), ann.entries()])),
    );
    for (const [analytics, page] of after) {
      expect([analytics.summary.total_items, page.pagination.total]).toEqual([units, units - 1]);
    }
    const [hers, his] = await during;
    expect([units - 2, units - 1]).toContain(hers.pagination.total);
    expect(his).toBe(before);
  }
});

test('an ETag gives 304 exactly as long as the data is unchanged', async () => {
  const allPaths = [...paths, '/set/100', '/catalog/sets/search?q=100', '/catalog/themes'];
  const keep = async (who: Person, path: string) => {
    const response = await who.ask(path);
    return { who, path, tag: response.headers.get('etag') ?? '', data: await dataBytes(response) };
  };
  const kept = await Promise.all(
    [ann, bob].flatMap((who) => allPaths.map((path) => keep(who, path))),
  );
  /** Requests with each ETag, then without; returns the paths with changed data by account. */
  const changed = async () => {
    const found: string[] = [];
    for (const { who, path, tag, data } of kept) {
      const headers = { 'If-None-Match': tag };
      const response = await world.call(path, who.key, { headers });
      const isSame = (await who.data(path)) === data;
      expect([path, response.status]).toEqual([path, isSame ? 304 : 200]);
      expect(response.headers.get('etag') === tag).toBe(isSame);
      if (!isSame) found.push(`${who.email.slice(0, 3)} ${path}`);
    }
    return found;
  };
  expect(await changed()).toEqual([]);
  const prices = ['/brickfolio/retail-watch', '/set/100/retail-prices', '/retail-prices?set=100'];
  await importElsewhere(annHas(lot('b', 1, { purchase_price_usd: 20 })));
  const owned = ['/brickfolio', '/brickfolio/analytics?period=30d', '/brickfolio/entries'];
  const hers = [...owned, ...prices].map((path) => `ann ${path}`);
  expect(await changed()).toEqual(hers);
  await importElsewhere({ ...offer, observed_at: '2026-11-15T11:00:00Z', price: 70 });
  expect(await changed()).toEqual(hers);
  await publishElsewhere();
  const his = [...prices, '/set/100'].map((path) => `bob ${path}`);
  expect(await changed()).toEqual([...hers, 'ann /set/100', ...his]);
  // The ETag of another account is not accepted.
  for (const path of paths) {
    const [tag = ''] = kept
      .filter((each) => each.who === bob && each.path === path)
      .map((k) => k.tag);
    const response = await world.call(path, ann.key, { headers: { 'If-None-Match': tag } });
    expect([path, response.status]).toEqual([path, 200]);
  }
});

test('an account recreated with the same email has no data of the old one', async () => {
  const old = await answersOf(bob);
  const oldIds = (await bob.brickfolios()).brickfolios.map((b) => b.id);
  const annBefore = await answersOf(ann);
  await elsewhere.accounts.removeAccount('bob@example.com');
  for (const path of paths) expect((await bob.ask(path)).status).toBe(401);
  const again = await addPerson(world, 'Bob@Example.com');
  expect(await again.brickfolios()).toEqual({ brickfolios: [], monthly_periods: [] });
  expect((await again.entries()).pagination.total).toBe(0);
  expect((await again.sales()).pagination.total).toBe(0);
  expect((await again.analytics()).summary.total_items).toBe(0);
  expect(await again.get<object[]>('/brickfolio/retail-watch')).toEqual([]);
  expect(await again.data('/set/100/retail-prices')).not.toContain('paid');
  const missing = await (await again.ask('/brickfolio/entries?brickfolio_id=999999')).text();
  // The same source IDs are new rows.
  await again.load(shelf, lot('a', 5), ledgerSale('s', 1));
  for (const id of oldIds) {
    const response = await again.ask(`/brickfolio/entries?brickfolio_id=${id}`);
    expect([response.status, await response.text()]).toEqual([404, missing]);
  }
  expect(await answersOf(again)).not.toEqual(old);
  expect(await answersOf(ann)).toEqual(annBefore);
});
