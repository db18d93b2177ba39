/** A store of an earlier version is brought up to date with everything that is in it. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUIDv7 } from 'bun';
import fc from 'fast-check';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import {
  anyOldClaims,
  type OldClaims,
  oldClaimsSql,
  ownersOf,
} from '../../../test/support/old-claims.ts';
import { expectPlacedKeys, oldKeysSql } from '../../../test/support/old-keys.ts';
import { expectTakeCosts, oldTakesSql } from '../../../test/support/old-takes.ts';
import { plainEngine } from '../../../test/support/plain-engine.ts';
import { publishSettings } from '../../../test/support/publish-settings.ts';
import { dayMs, weekOf } from '../../domain/kernel/time.ts';
import { packPoints } from '../../domain/market/history.ts';
import { makePublisher } from '../../publish/publisher.ts';
import { accountMigrations } from './accounts-schema.ts';
import { openDatabase } from './database.ts';
import { marketMigrations } from './market-schema.ts';
import { openSqliteStore } from './store.ts';

const now = Date.UTC(2026, 10, 15, 12);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-migrations-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A file as a version of its schema left it. */
function oldVersion(name: string, migrations: readonly string[], fill: string) {
  const options = { durability: 'process', migrations } as const;
  const db = openDatabase(join(folder, name), options);
  db.run(fill);
  db.close();
}

test('sets and offers get their retail rows and values from the upkeep, without a command', async () => {
  const record = JSON.stringify(aSet({ msrpCents: 100_00 }));
  oldVersion(
    'market.db',
    marketMigrations.slice(0, 1),
    `INSERT INTO item VALUES (1, 'set', '75192', '75192', 3, 3, ${now + 1e9});
     INSERT INTO catalog_record VALUES (1, 'feed', '${record}');
     INSERT INTO listing VALUES
       (1, 'set', '75192', '75192', 'Castle', 'Castles', 8800, NULL, '{}');
     INSERT INTO document VALUES (1, 'set', '75192', 1, '{"data_tier":"medium"}');
     INSERT INTO offer (item_id, retailer, observed_at, price_cents)
       VALUES (1, 'retailer_a', ${now - 1000}, 9900);`,
  );
  const store = openSqliteStore(folder);
  const [before] = await store.market.findSetValues(['75192']);
  expect(before).toMatchObject({ newCents: 88_00, months: { sealed: null } });
  expect((await store.market.findListedSets(['75192'])).get('75192')).toMatchObject({
    newCents: 88_00,
    newTier: 'medium',
    usedTier: 'medium',
  });
  const settings = { engine: plainEngine, ...publishSettings };
  expect(await makePublisher(store.market, settings, () => now).publishDue(10)).toBe(1);
  expect(await store.market.countStale()).toBe(0);
  const row = await store.market.findRetail({ setKey: '75192' });
  expect(JSON.parse(row?.body ?? '')).toMatchObject({ retailer_a: { price: 99 } });
  await store.close();
});

test('sets at retailers and what has a value are due, so that what to pay is told without a command', async () => {
  const before = marketMigrations.findIndex((sql) => sql.includes('CREATE TABLE deal ('));
  oldVersion(
    'market.db',
    marketMigrations.slice(0, before),
    `INSERT INTO item VALUES (1, 'set', '1', '1', 3, 3, ${now + 1e9}, NULL),
       (2, 'set', '2', '2', 3, 3, ${now + 1e9}, NULL),
       (3, 'set', '3', '3', 3, 3, ${now + 1e9}, NULL), (4, 'minifig', '4', '4', 1, 1, NULL, 3);
     INSERT INTO retail (item_id, key, body) VALUES (2, '2', '{}');
     INSERT INTO evidence (item_id, body) VALUES (2, '{}'), (3, '{}'), (4, '{}');`,
  );
  const { market, close } = openSqliteStore(folder);
  expect([await market.listDue(now, 9), await market.listStale(0, 9)]).toEqual([[2, 3], [2]]);
  expect(await market.listDeals(null, 9)).toEqual([]);
  await close();
});

test('offers get their weeks, months stay, and everything is due and waits to be learned', async () => {
  const monday = Date.UTC(2026, 9, 5);
  const early = Date.UTC(1969, 11, 28, 23);
  const point = { valueCents: 5, lowCents: 4, highCents: 6, salesCount: 1, event: null };
  const points = Buffer.from(packPoints([point, point])).toString('hex');
  oldVersion(
    'market.db',
    marketMigrations.slice(0, 2),
    `INSERT INTO item VALUES (1, 'set', '1', '1', 3, 3, ${now + 1e9});
     INSERT INTO item VALUES (2, 'set', '2', '2', 3, 3, NULL);
     INSERT INTO series VALUES (1, 'sealed', 24000, x'${points}', 0);
     INSERT INTO offer (item_id, retailer, observed_at, price_cents, seller_type, in_stock) VALUES
       (1, 'retailer_a', ${monday - 1}, 70, 'third_party', NULL),
       (1, 'retailer_a', ${monday}, 90, 'retailer', 1),
       (1, 'retailer_b', ${monday}, 80, 'retailer', NULL),
       (1, 'retailer_b', ${monday + 1}, 95, 'retailer', 1),
       (1, 'retailer_b', ${monday + 2}, 10, 'retailer', 0),
       (1, 'retailer_b', ${monday + 7 * dayMs}, NULL, 'retailer', 1),
       (1, 'retailer_b', ${early}, 60, 'retailer', 1);`,
  );
  const { market, close } = openSqliteStore(folder);
  const [one, two] = await market.loadInputs([1, 2], { at: now, withSeries: true });
  const week = weekOf(monday);
  expect(one?.retailWeeks).toEqual([
    { week: weekOf(early), priceCents: 60 },
    { week, priceCents: 90 },
  ]);
  const sealed = { firstMonth: 24_000, points: [point, point], revision: 0 };
  expect(one?.series.sealed).toEqual({ ...sealed, provenance: [null, null] });
  expect(one?.evidence).toBeNull();
  expect(two).toMatchObject({ retailWeeks: [], series: { sealed: null, used: null } });
  expect(await market.listDue(now, 9)).toEqual([1, 2]);
  expect(await market.listStale(0, 9)).toEqual([1, 2]);
  expect(await market.findParameters()).toEqual({ parameters: [], changedFrom: 0, change: 0 });
  await close();
});

test('instants with fractions become whole, and are never due too early', async () => {
  oldVersion(
    'market.db',
    marketMigrations.slice(0, 3),
    `INSERT INTO item VALUES (1, 'set', '1', '1', 3, 3, ${now}.375);
     INSERT INTO item VALUES (2, 'set', '2', '2', 3, 3, ${now});
     INSERT INTO item VALUES (3, 'set', '3', '3', 3, 3, NULL);`,
  );
  await openSqliteStore(folder).close();
  const options = { durability: 'process', migrations: marketMigrations } as const;
  const db = openDatabase(join(folder, 'market.db'), options);
  const found = db.query('SELECT due_at, typeof(due_at) AS type FROM item ORDER BY id').all();
  db.close();
  expect(found).toEqual([
    { due_at: now + 1, type: 'integer' },
    { due_at: now, type: 'integer' },
    { due_at: null, type: 'null' },
  ]);
});

test('lots and sales stay as they were', async () => {
  oldVersion(
    'accounts.db',
    accountMigrations.slice(0, 1),
    `INSERT INTO account VALUES (1, 'a@example.com', 'a@example.com', NULL, 'reseller', 0, ${now});
     INSERT INTO brickfolio VALUES (1, 1, 'Shelf', NULL, 1, ${now});
     INSERT INTO lot VALUES
       (1, 1, 'x', 1, '75192', '75192', 3, 'sealed', 5000, '2026-01-02', 'owned', 1);
     INSERT INTO ledger_sale VALUES (1, 1, 's', '75192', '75192', 'sealed', 'ebay', '2026-02-03', 1,
       9000, 0, 0, 0, 5000, '{}');
     INSERT INTO ledger_take VALUES (1, 1, 1);`,
  );
  const { accounts, close } = openSqliteStore(folder);
  const entries = await accounts.listEntries(1, { brickfolioId: null, limit: 9, offset: 0 });
  expect(entries).toMatchObject({ total: 1, rows: [{ units: 2, priceCents: 50_00 }] });
  expect(await accounts.listPositions(1, { after: '', limit: 9 })).toMatchObject([
    { quantity: 3, exits: [{ quantity: 1 }] },
  ]);
  expect(await accounts.listSales(1, { limit: 9, offset: 0 })).toMatchObject({ total: 1 });
  await close();
});

test('what sales took gets its part of their cost', async () => {
  const before = accountMigrations.findIndex((sql) => sql.includes('ledger_take ADD COLUMN'));
  oldVersion('accounts.db', accountMigrations.slice(0, before), oldTakesSql(''));
  const store = openSqliteStore(folder);
  await expectTakeCosts(store);
  await store.close();
});

test('keys get places and go on from what they spent today; those that ended keep their past', async () => {
  oldVersion('accounts.db', accountMigrations.slice(0, 5), oldKeysSql('', now));
  await expectPlacedKeys(openSqliteStore(folder), now);
});

test('aliases get items, and minifigs that are one are published as one', async () => {
  const record = (number: string, aliases: readonly string[]) =>
    JSON.stringify(aMinifig({ number, aliases }));
  const item = (id: number, number: string) =>
    `INSERT INTO item VALUES (${id}, 'minifig', '${number}', '${number}', 3, 3, ${now + 1e9});`;
  oldVersion(
    'market.db',
    marketMigrations.slice(0, 4),
    `${item(1, 'fig-1')} ${item(2, 'cst001')} ${item(3, 'x')} ${item(4, 'y')}
     INSERT INTO item VALUES (5, 'set', '10482', '10482', 3, 3, ${now + 1e9});
     INSERT INTO catalog_record VALUES (1, 'feed', '${record('fig-1', ['old-1'])}'),
       (2, 'feed', '${record('cst001', ['fig-1', 'bl-1'])}'), (3, 'feed', '${record('x', ['y'])}'),
       (4, 'feed', '${record('y', ['x'])}'), (5, 'feed', '${JSON.stringify(aSet())}');
     INSERT INTO alias VALUES ('old-1', 1, 'feed'), ('fig-1', 2, 'feed'), ('bl-1', 2, 'feed'),
       ('y', 3, 'feed'), ('x', 4, 'feed');
     INSERT INTO set_minifig VALUES (5, 'fig-1', 'feed', 'fig-1');
     INSERT INTO document VALUES (1, 'minifig', 'fig-1', 1, '{}');`,
  );
  const { market, close } = openSqliteStore(folder);
  expect(await market.listStale(0, 9)).toEqual([2, 3, 5]);
  expect(await market.listDue(now, 9)).toEqual([2, 3, 5]);
  const settings = { engine: plainEngine, ...publishSettings };
  await makePublisher(market, settings, () => now).publishStale();
  for (const number of ['cst001', 'fig-1', 'bl-1', 'old-1']) {
    expect(await market.findDocument('minifig', number)).toMatchObject({ key: 'cst001' });
  }
  expect(await market.findDocument('minifig', 'y')).toMatchObject({ key: 'x' });
  await close();
});

test('a number belongs to the minifig that an import would give it to', () => {
  const tables = { item: 'item', record: 'catalog_record', alias: 'alias' };
  const belongs = (claims: OldClaims) => {
    const name = `${randomUUIDv7()}.db`;
    oldVersion(name, marketMigrations.slice(0, 4), oldClaimsSql(claims, tables));
    const options = { durability: 'process', migrations: marketMigrations } as const;
    const db = openDatabase(join(folder, name), options);
    const owners = db
      .query<{ key: string; owner: string }, []>(
        'SELECT i.key, o.key AS owner FROM item i JOIN item o ON o.id = coalesce(i.part_of, i.id)',
      )
      .all();
    db.close();
    const byKey = Object.fromEntries(owners.map(({ key, owner }) => [key, owner]));
    expect(byKey).toEqual(ownersOf(claims));
  };
  fc.assert(fc.property(anyOldClaims, belongs), { numRuns: 10 });
});
