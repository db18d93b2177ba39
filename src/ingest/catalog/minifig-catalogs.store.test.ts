/** The minifigs of two catalogs before they are joined. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import type { MinifigFacts, SetDescription } from '../../catalog/items/catalog.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import type { Engine } from '../../store/sql/operation.ts';
import { openDatabase, type StoreFile } from '../../store/sqlite/database.ts';
import { sqliteEngine } from '../../store/sqlite/engine.ts';
import { marketMigrations } from '../../store/sqlite/schema.ts';
import { marketIngest } from '../runner/market-ingest.store.ts';
import { loadCatalogs } from './minifig-catalogs.store.ts';
import { minifigStore } from './minifigs.store.ts';

const now = Date.UTC(2026, 10, 15, 12);

let db: StoreFile;
let engine: Engine;

beforeEach(() => {
  db = openDatabase(':memory:', { durability: 'process', migrations: marketMigrations });
  engine = sqliteEngine(db);
});

afterEach(() => db.close());

const load = () => engine.run(loadCatalogs);

async function apply(...rows: MarketRow[]): Promise<void> {
  const outcomes = await marketIngest(engine, engine).applyRows(rows, now);
  expect(outcomes.filter(({ kind }) => kind === 'rejected')).toEqual([]);
}

const minifig = (source: string, number: string, facts: Partial<MinifigFacts> = {}): MarketRow => ({
  kind: 'minifig',
  source,
  facts: aMinifig({ number, ...facts }),
});
const set = (source: string, number: string, facts: Partial<SetDescription>): MarketRow => ({
  kind: 'set',
  source,
  facts: aSet({ number, ...facts }),
});

/** Marks all items of a source and kind as gone, except for some. */
const lose = (source: string, ...kept: string[]) =>
  marketIngest(engine, engine).markGone({
    source,
    itemKind: 'minifig',
    keys: new Set(kept),
    at: now,
  });

const keysOf = async () => {
  const found = await load();
  return (
    found && {
      bricklink: found.bricklink.map(({ key }) => key).sort(),
      rebrickable: found.rebrickable.map(({ key }) => key).sort(),
    }
  );
};

test('both catalogs exist if each has minifigs that are not gone', async () => {
  expect(await load()).toBeNull();
  await apply(minifig('bricklink', 'b1'), minifig('bricklink', 'b2'), minifig('feed', 'x'));
  expect(await load()).toBeNull();
  await apply(set('rebrickable', '1', {}));
  expect(await load()).toBeNull();
  await apply(minifig('rebrickable', 'r1'));
  expect(await keysOf()).toEqual({ bricklink: ['b1', 'b2'], rebrickable: ['r1'] });
  await lose('bricklink', 'b2');
  expect(await keysOf()).toEqual({ bricklink: ['b2'], rebrickable: ['r1'] });
  await lose('bricklink');
  expect(await load()).toBeNull();
  await lose('bricklink', 'b1', 'b2');
  await lose('rebrickable');
  expect(await load()).toBeNull();
});

test('each field of a minifig comes from the first source that has it', async () => {
  await apply(
    minifig('rebrickable', 'R1', { name: 'Theirs', yearReleased: 2001, category: 'Unused' }),
    minifig('bricklink', 'B1', { name: 'Ours', category: 'Town' }),
    minifig('bricklink-extra', 'B1', { name: 'Extra', category: 'Space', yearReleased: 1999 }),
    minifig('bricklink', 'b2', { name: 'Plain' }),
  );
  const found = await load();
  const bricklink = found?.bricklink.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  expect(bricklink).toEqual([
    { id: expect.any(Number), key: 'b1', number: 'B1', name: 'Ours', year: 1999, themes: ['Town'] },
    { id: expect.any(Number), key: 'b2', number: 'b2', name: 'Plain', year: null, themes: [] },
  ]);
  expect(found?.rebrickable).toEqual([
    { id: expect.any(Number), key: 'r1', number: 'R1', name: 'Theirs', year: 2001, themes: [] },
  ]);
});

test('of the BrickLink catalogs, the one with the highest precedence names a minifig', async () => {
  await apply(
    minifig('bricklink-inventory', 'b', { name: 'Of an inventory' }),
    minifig('bricklink-years', 'b', { name: 'With its years' }),
    minifig('rebrickable', 'r'),
  );
  expect((await load())?.bricklink.map(({ name }) => name)).toEqual(['With its years']);
});

test('a number in both catalogs is left out', async () => {
  await apply(
    minifig('bricklink', 'b'),
    minifig('rebrickable', 'r'),
    minifig('bricklink', 'both'),
    minifig('rebrickable', 'both'),
  );
  expect(await keysOf()).toEqual({ bricklink: ['b'], rebrickable: ['r'] });
});

test("themes are those of the sets listed by Rebrickable, in Rebrickable's words", async () => {
  await apply(
    minifig('bricklink', 'b'),
    minifig('rebrickable', 'r'),
    set('rebrickable', '1', { theme: 'Town', subtheme: 'Police', minifigs: ['r'] }),
    set('rebrickable', '2', { theme: 'Castle', minifigs: ['r'] }),
    set('rebrickable', '3', { theme: 'Castle', minifigs: ['r'] }),
    set('feed', '1', { theme: 'Elsewhere', minifigs: ['r'] }),
    set('feed', '4', { theme: 'Nowhere', minifigs: ['r'] }),
    set('rebrickable', '4', { theme: 'Not listed' }),
  );
  expect((await load())?.rebrickable[0]?.themes).toEqual(['Castle', 'Town / Police']);
});

test('minifigs joined by sources need no partner, unless an operator separated them', async () => {
  await apply(
    minifig('bricklink', 'b1', { aliases: ['r1'] }),
    minifig('bricklink', 'b2', { aliases: ['b3', 'elsewhere'] }),
    minifig('bricklink', 'b3'),
    minifig('bricklink', 'b4'),
    ...['r1', 'r2', 'r3'].map((number) => minifig('rebrickable', number)),
  );
  // Of two numbers in one catalog, the one that is shown still needs a partner.
  expect(await keysOf()).toEqual({ bricklink: ['b2', 'b4'], rebrickable: ['r2', 'r3'] });
  const store = minifigStore(engine, engine);
  await store.decideMinifigs({ keys: ['b4', 'r3'], isOne: true, at: now });
  expect(await keysOf()).toEqual({ bricklink: ['b2'], rebrickable: ['r2'] });
  // Only the pair is separated, not each of its numbers.
  await store.decideMinifigs({ keys: ['b1', 'r2'], isOne: false, at: now });
  await store.decideMinifigs({ keys: ['b4', 'r1'], isOne: false, at: now });
  expect(await keysOf()).toEqual({ bricklink: ['b2'], rebrickable: ['r2'] });
  await store.decideMinifigs({ keys: ['b1', 'r1'], isOne: false, at: now });
  expect(await keysOf()).toEqual({ bricklink: ['b1', 'b2'], rebrickable: ['r1', 'r2'] });
  expect((await load())?.parted).toContainEqual({ bricklink: 'b1', rebrickable: 'r1' });
  expect((await load())?.parted).toContainEqual({ bricklink: 'r1', rebrickable: 'b1' });
});

test('sets are those listed by Rebrickable and another source, without joined minifigs', async () => {
  const named = (number: string) => set('feed', number, { minifigs: null });
  await apply(
    minifig('bricklink', 'b1', { aliases: ['r1'] }),
    ...['b2', 'b3'].map((number) => minifig('bricklink', number)),
    ...['r1', 'r2', 'r3'].map((number) => minifig('rebrickable', number)),
    named('2'),
    named('1'),
    set('rebrickable', '1', { minifigs: ['r3', 'r2', 'r1'] }),
    set('bricklink-inventory', '1', { minifigs: ['b3', 'b2', 'b1'] }),
    set('zz', '1', { minifigs: ['b9'] }),
    set('rebrickable', '2', { minifigs: ['r2'] }),
    set('zz', '2', { minifigs: ['b3'] }),
    set('rebrickable', '3', { minifigs: ['r2'] }),
    set('zz', '4', { minifigs: ['b3'] }),
  );
  expect((await load())?.sets).toEqual([
    { bricklink: ['b3'], rebrickable: ['r2'] },
    { bricklink: ['b2', 'b3'], rebrickable: ['r2', 'r3'] },
  ]);
});
