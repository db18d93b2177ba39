/** `sources`, typed: what each source says of an item, who decides, and who no longer has it. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import type { MarketRow } from '../../src/domain/market/market-ingest.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { openTestStore } from '../support/engines.ts';
import { bareMinifig, bareSet } from '../support/facts.ts';

let place: Workplace;

const now = Date.UTC(2026, 10, 14, 9);

const lighthouse = { ...bareSet, number: '10482', theme: 'Coastline' };
const rows: readonly MarketRow[] = [
  {
    kind: 'set',
    source: 'rebrickable',
    facts: { ...lighthouse, title: 'Harbour Lighthouse', minifigs: ['fig-000001'] },
  },
  {
    kind: 'set',
    source: 'brickset',
    facts: { ...lighthouse, title: 'Lighthouse', msrpCents: 119_99, minifigs: ['cst001'] },
  },
  {
    kind: 'set',
    source: 'keepa',
    facts: { ...lighthouse, title: null, theme: null, msrpCents: 109_99 },
  },
  {
    kind: 'minifig',
    source: 'rebrickable',
    facts: { ...bareMinifig, number: 'fig-000001', name: 'Keeper', yearReleased: 2020 },
  },
  {
    kind: 'minifig',
    source: 'bricklink',
    facts: { ...bareMinifig, number: 'cst001', name: 'Lighthouse Keeper', aliases: ['fig-000001'] },
  },
];

beforeAll(async () => {
  place = makeWorkplace();
  mkdirSync(place.data, { recursive: true });
  const { market, close } = await openTestStore(place.data);
  await market.applyRows(rows, now);
  const keys = new Set<string>();
  await market.markGone({ source: 'rebrickable', itemKind: 'set', keys, at: now });
  await close();
});

afterAll(() => place.close());

interface Told {
  readonly number: string;
  readonly sources: readonly object[];
  readonly fields: readonly {
    field: string;
    said: readonly { source: string; value: unknown; decides: boolean }[];
  }[];
}

/** What is said of a field, with a star where it decides. */
async function said(words: readonly string[], name: string): Promise<unknown[]> {
  const { fields } = await place.json<Told>(['sources', ...words]);
  const found = fields.find(({ field }) => field === name);
  return (found?.said ?? []).map(({ source, value, decides }) => [
    decides ? `${source} *` : source,
    value,
  ]);
}

test('each field of a set shows what every source says, and who decides', async () => {
  expect(await said(['10482-1'], 'title')).toEqual([
    ['brickset', 'Lighthouse'],
    ['rebrickable *', 'Harbour Lighthouse'],
  ]);
  expect(await said(['10482'], 'msrp_usd')).toEqual([
    ['brickset *', 119.99],
    ['keepa', 109.99],
  ]);
  expect(await said(['10482'], 'minifigs')).toEqual([
    ['brickset *', ['cst001']],
    ['rebrickable', ['fig-000001']],
  ]);
  expect(await said(['10482'], 'box.width_in')).toEqual([]);
  const { sources } = await place.json<Told>(['sources', '10482']);
  expect(sources).toEqual([
    { source: 'brickset', number: '10482', gone_at: null },
    { source: 'keepa', number: '10482', gone_at: null },
    { source: 'rebrickable', number: '10482', gone_at: '2026-11-14T09:00:00.000Z' },
  ]);
});

test('people read a table, and since when a source no longer has the item', async () => {
  const { stdout, stderr, status } = await place.run(['sources', '10482']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toStartWith('The set 10482, as its sources have it; * decides.\n');
  expect(stdout).toMatch(/^title +\* +rebrickable +Harbour Lighthouse$/m);
  expect(stdout).toMatch(/^title +brickset +Lighthouse$/m);
  expect(stdout).toContain('\nrebrickable: no longer there since 2026-11-14.');
});

test('a minifig is told by any of its numbers, with what is said of each', async () => {
  for (const number of ['cst001', 'FIG-000001']) {
    const words = [number, '--minifig'];
    expect(await said(words, 'name')).toEqual([
      ['bricklink *', 'Lighthouse Keeper'],
      ['rebrickable', 'Keeper'],
    ]);
    expect(await said(words, 'year_released')).toEqual([['rebrickable *', 2020]]);
    expect(await said(words, 'aliases')).toEqual([['bricklink *', ['fig-000001']]]);
  }
  const { stdout } = await place.run(['sources', 'fig-000001', '--minifig']);
  expect(stdout).toMatch(/^name +rebrickable fig-000001 +Keeper$/m);
});

test('what is not there is answered with one sentence and a next step', async () => {
  for (const [words, sentence] of [
    [['nope'], "There is no set 'nope': 'brickmark import FORMAT PATH' brings sets in."],
    [
      ['cst001'],
      "There is no set 'cst001', but a minifig: try 'brickmark sources cst001 --minifig'.",
    ],
    [
      ['10482', '--minifig'],
      "There is no minifig '10482', but a set: try 'brickmark sources 10482'.",
    ],
  ] as const) {
    const { status, stdout, stderr } = await place.run(['sources', ...words]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trim()).toEndWith(sentence);
    expect(stderr.trim().split('\n').length).toBe(1);
  }
  expect((await place.run(['sources'])).status).toBe(2);
});
