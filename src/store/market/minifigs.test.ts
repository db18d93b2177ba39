/** Decisions of operators about minifigs, and pairs left to decide. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import type { MinifigFacts } from '../../domain/catalog/catalog.ts';
import type { MarketRow } from '../../domain/market/market-ingest.ts';
import { openDatabase, type StoreFile } from '../sqlite/database.ts';
import { sqliteEngine } from '../sqlite/engine.ts';
import { marketMigrations } from '../sqlite/schema.ts';
import type { MarketIngest, MinifigStore } from '../store.ts';
import { marketIngest } from './market-ingest.ts';
import { minifigStore } from './minifigs.ts';

const now = Date.UTC(2026, 10, 15, 12);

let db: StoreFile;
let store: MinifigStore;
let ingest: MarketIngest;

beforeEach(() => {
  db = openDatabase(':memory:', { durability: 'process', migrations: marketMigrations });
  const engine = sqliteEngine(db);
  store = minifigStore(engine, engine);
  ingest = marketIngest(engine, engine);
});

afterEach(() => db.close());

async function apply(...rows: MarketRow[]): Promise<void> {
  const outcomes = await ingest.applyRows(rows, now);
  expect(outcomes.filter(({ kind }) => kind === 'rejected')).toEqual([]);
}

const minifig = (source: string, number: string, facts: Partial<MinifigFacts> = {}): MarketRow => ({
  kind: 'minifig',
  source,
  facts: aMinifig({ number, name: `${source} ${number}`, ...facts }),
});

const listing = (source: string, number: string, minifigs: string[]): MarketRow => ({
  kind: 'set',
  source,
  facts: aSet({ number, minifigs }),
});

const decide = (first: string, second: string, isOne: boolean) =>
  store.decideMinifigs({ keys: [first, second], isOne, at: now });

const shown = (first: string, second: string) => ({
  kind: 'saved' as const,
  shown: [first, second] as const,
});

test('a decision needs two known numbers', async () => {
  await apply(minifig('feed', 'a', { aliases: ['x', 'y'] }));
  expect(await decide('none', 'a', true)).toEqual({ kind: 'unknown', key: 'none' });
  expect(await decide('a', 'none', true)).toEqual({ kind: 'unknown', key: 'none' });
  expect(await decide('a', 'none', false)).toEqual({ kind: 'unknown', key: 'none' });
  // Neither of two aliases could be shown, but they can be separated.
  expect(await decide('x', 'y', true)).toEqual({ kind: 'unknown', key: 'x' });
  expect(await decide('x', 'y', false)).toMatchObject({ kind: 'saved' });
  await apply(minifig('feed', 'a'));
  expect(await decide('a', 'x', true)).toEqual({ kind: 'unknown', key: 'x' });
});

test('the number used in the market is shown; of two equal ones, the first', async () => {
  await apply(
    minifig('rebrickable', 'fig-1'),
    minifig('rebrickable', 'fig-2'),
    minifig('bricklink', 'b1'),
    minifig('bricklink', 'b2'),
    minifig('bricklink', 'both'),
    minifig('rebrickable', 'both'),
    listing('feed', 'b1', []),
  );
  expect(await decide('fig-1', 'b1', true)).toEqual(shown('b1', 'b1'));
  expect(await decide('b2', 'fig-2', true)).toEqual(shown('b2', 'b2'));
  expect(await decide('b1', 'b2', true)).toEqual(shown('b1', 'b1'));
  expect(await decide('b1', 'b2', false)).toEqual(shown('b1', 'b2'));
  expect(await decide('b2', 'b1', true)).toEqual(shown('b2', 'b2'));
  expect(await decide('both', 'b2', true)).toEqual(shown('both', 'both'));
});

test('the last decision replaces all earlier ones', async () => {
  await apply(minifig('feed', 'a'), minifig('feed', 'b'), minifig('feed', 'c'));
  await decide('a', 'c', false);
  await decide('a', 'b', true);
  await decide('a', 'b', false);
  await decide('b', 'a', false);
  expect(db.query('SELECT key, other_key FROM parted_minifig ORDER BY 1, 2').values()).toEqual([
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'a'],
    ['c', 'a'],
  ]);
  await decide('b', 'a', true);
  expect(db.query('SELECT key, other_key FROM parted_minifig ORDER BY 1, 2').values()).toEqual([
    ['a', 'c'],
    ['c', 'a'],
  ]);
  expect(db.query("SELECT key FROM alias WHERE source = 'operator'").values()).toEqual([['a']]);
});

/** Names that are rare only among many others. */
const others = (source: string, kind: string) =>
  Array.from({ length: 25 }, (_, index) =>
    minifig(source, `${kind}-${index}`, { name: `${kind}${index}`, yearReleased: 1990 }),
  );

test('unsure pairs come with their details, most likely first', async () => {
  expect(await store.listUnsureMinifigs()).toEqual([]);
  const year = { yearReleased: 2020 };
  await apply(
    ...others('rebrickable', 'robot'),
    ...others('bricklink', 'alien'),
    minifig('rebrickable', 'FIG-1', { name: 'Gull', ...year }),
    minifig('bricklink', 'CST1', { name: 'Gull, White', ...year }),
    minifig('rebrickable', 'fig-2', { name: 'Heron', ...year }),
    minifig('bricklink', 'cst2', { name: 'Heron', ...year }),
    minifig('rebrickable', 'fig-3', { name: 'Otter', ...year }),
    minifig('bricklink', 'cst0', { name: 'Otter', ...year }),
    listing('feed', '20', ['CST1']),
    listing('feed', '10', ['CST1', 'FIG-1']),
  );
  const unsure = await store.listUnsureMinifigs();
  expect(
    unsure.map(({ bricklink, rebrickable }) => [bricklink.number, rebrickable.number]),
  ).toEqual([
    ['cst0', 'fig-3'],
    ['cst2', 'fig-2'],
    ['CST1', 'FIG-1'],
  ]);
  expect(unsure[2]).toMatchObject({
    bricklink: { number: 'CST1', name: 'Gull, White', year: 2020, sets: ['10', '20'] },
    rebrickable: { number: 'FIG-1', name: 'Gull', year: 2020, sets: ['10'] },
    by: 'names',
    rival: null,
  });
  expect(unsure[0]?.bricklink.sets).toEqual([]);
  expect((await store.joinMinifigs())?.unsure).toBe(unsure.length);
});

test('the shown number is that of the minifig, also if a set has the same key', async () => {
  await apply(
    { kind: 'set', source: 'feed', facts: aSet({ number: 'A' }) },
    minifig('feed', 'a'),
    minifig('feed', 'b'),
  );
  expect(await decide('a', 'b', false)).toEqual(shown('a', 'b'));
});
