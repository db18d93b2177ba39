/** Decisions of operators about minifigs, and pairs left to decide. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aMinifig, aSet } from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import { onTables } from '../../../test/support/tables.ts';
import type { MinifigFacts } from '../../catalog/items/catalog.ts';
import type { MarketRow } from '../../market/source-rows/market-ingest.ts';
import type { Store } from '../../store/store.ts';

const now = Date.UTC(2026, 10, 15, 12);

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-minifigs-'));
  store = await openTestStore(folder);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

async function apply(...rows: MarketRow[]): Promise<void> {
  const outcomes = await store.market.applyRows(rows, now);
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
  store.market.decideMinifigs({ keys: [first, second], isOne, at: now });

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

async function parted(): Promise<string[]> {
  const sql = "SELECT key || ' ' || other_key AS pair FROM parted_minifig ORDER BY 1";
  return (await onTables<{ pair: string }>(folder, sql)).map(({ pair }) => pair);
}

test('the last decision replaces all earlier ones', async () => {
  await apply(minifig('feed', 'a'), minifig('feed', 'b'), minifig('feed', 'c'));
  await decide('a', 'c', false);
  await decide('a', 'b', true);
  await decide('a', 'b', false);
  await decide('b', 'a', false);
  expect(await parted()).toEqual(['a b', 'a c', 'b a', 'c a']);
  await decide('b', 'a', true);
  expect(await parted()).toEqual(['a c', 'c a']);
  const joined = "SELECT key FROM alias WHERE source = 'operator'";
  expect(await onTables<{ key: string }>(folder, joined)).toEqual([{ key: 'a' }]);
});

/** Names that are rare only among many others. */
const others = (source: string, kind: string) =>
  Array.from({ length: 25 }, (_, index) =>
    minifig(source, `${kind}-${index}`, { name: `${kind}${index}`, yearReleased: 1990 }),
  );

test('unsure pairs come with their details, most likely first', async () => {
  expect(await store.market.listUnsureMinifigs()).toEqual([]);
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
  const unsure = await store.market.listUnsureMinifigs();
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
  expect((await store.market.joinMinifigs())?.unsure).toBe(unsure.length);
});

test('the shown number is that of the minifig, also if a set has the same key', async () => {
  await apply(
    { kind: 'set', source: 'feed', facts: aSet({ number: 'A' }) },
    minifig('feed', 'a'),
    minifig('feed', 'b'),
  );
  expect(await decide('a', 'b', false)).toEqual(shown('a', 'b'));
});
