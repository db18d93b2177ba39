/** `sources`: the data of each source about an item, and the source used for each field. */
// @runs SQLite: is about the command
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MarketRow } from '../../src/market/source-rows/market-ingest.ts';
import { aMinifig, aPublishedItem, aSet } from '../support/builders.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { openTestStore } from '../support/engines.ts';

let place: Workplace;

const now = Date.UTC(2026, 10, 14, 9);

const lighthouse = aSet({ number: '10482', theme: 'Coastline' });
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
    facts: aMinifig({ number: 'fig-000001', name: 'Keeper', yearReleased: 2020 }),
  },
  {
    kind: 'minifig',
    source: 'bricklink',
    facts: aMinifig({ number: 'cst001', name: 'Lighthouse Keeper', aliases: ['fig-000001'] }),
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

interface ReportedMatch {
  readonly number: string;
  readonly sources: readonly object[];
  readonly fields: readonly {
    field: string;
    said: readonly { source: string; value: unknown; decides: boolean }[];
  }[];
}

/** The values of a field by source, with a star on the one used. */
async function said(words: readonly string[], name: string): Promise<unknown[]> {
  const { fields } = await place.json<ReportedMatch>(['sources', ...words]);
  const found = fields.find(({ field }) => field === name);
  return (found?.said ?? []).map(({ source, value, decides }) => [
    decides ? `${source} *` : source,
    value,
  ]);
}

test('each field of a set has the value of every source, and the source used', async () => {
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
  const { sources } = await place.json<ReportedMatch>(['sources', '10482']);
  expect(sources).toEqual([
    { source: 'brickset', number: '10482', gone_at: null },
    { source: 'keepa', number: '10482', gone_at: null },
    { source: 'rebrickable', number: '10482', gone_at: '2026-11-14T09:00:00.000Z' },
  ]);
});

test('text output is a table, and when a source removed the item', async () => {
  const { stdout, stderr, status } = await place.run(['sources', '10482']);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toStartWith('Source data for set 10482; * marks the source used.\n');
  expect(stdout).toMatch(/^title +\* +rebrickable +Harbour Lighthouse$/m);
  expect(stdout).toMatch(/^title +brickset +Lighthouse$/m);
  expect(stdout).toContain('\nrebrickable: removed Nov 14, 2026.');
});

test('a minifig is found by any of its numbers, with the data of each', async () => {
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

describe('a synced source', () => {
  const settings = [
    '[rebrickable]',
    '[bricklink]',
    'consumer_key_file = "secret"',
    'consumer_secret_file = "secret"',
    'token_file = "secret"',
    'token_secret_file = "secret"',
    'calls_per_day = 1',
  ].join('\n');

  interface Asked {
    readonly asked: readonly {
      source: string;
      topic: string | null;
      is_known: boolean;
      asked_at: string | null;
      next_at: string | null;
      place: number | null;
      why: string;
    }[];
  }

  beforeAll(async () => {
    const { sync, market, close } = await openTestStore(place.data);
    const [id = 0] = await market.listStale(0, 1);
    const [inputs] = await market.loadInputs([id], { at: now, withSeries: false });
    await market.publish([aPublishedItem({ id, version: inputs?.version ?? 0 })]);
    const known = [{ kind: 'set', key: '10482', topic: 'sold-new' }] as const;
    await sync.saveAnswers('bricklink', { at: now, known, unknown: [] });
    await sync.saveAnswers('shop', { at: now, known, unknown: [] });
    const fetched = { lastSuccessAt: now, nextAt: now + 86_400_000 };
    await sync.changeSource('rebrickable', (before) => ({ ...before, ...fetched }));
    await close();
  });

  afterAll(() => rmSync(join(place.data, 'sources.toml'), { force: true }));

  test('shows its last call, its next call and why', async () => {
    writeFileSync(join(place.data, 'sources.toml'), settings);
    writeFileSync(join(place.data, 'secret'), 'swordfish', { mode: 0o600 });
    const { asked } = await place.json<Asked>(['sources', '10482']);
    const short = asked.map(({ why: _why, ...each }) => each);
    expect(short).toEqual([
      {
        source: 'rebrickable',
        topic: null,
        asked_at: '2026-11-14T09:00:00.000Z',
        is_known: true,
        place: null,
        next_at: '2026-11-15T09:00:00.000Z',
      },
      {
        source: 'bricklink',
        topic: 'sold-new',
        asked_at: '2026-11-14T09:00:00.000Z',
        is_known: true,
        place: 3,
        // One call per day, and two other questions come first.
        next_at: '2026-11-17T12:00:00.000Z',
      },
      {
        source: 'bricklink',
        topic: 'sold-used',
        asked_at: null,
        is_known: true,
        place: 1,
        next_at: '2026-11-15T12:00:00.000Z',
      },
      ...['stock-new', 'stock-used'].map((topic) => ({
        source: 'bricklink',
        topic,
        asked_at: null,
        is_known: true,
        place: 1,
        next_at: '2026-11-15T12:00:00.000Z',
      })),
      {
        source: 'bricklink',
        topic: 'subsets',
        asked_at: null,
        is_known: true,
        place: 1,
        next_at: '2026-11-15T12:00:00.000Z',
      },
      {
        source: 'shop',
        topic: 'sold-new',
        asked_at: '2026-11-14T09:00:00.000Z',
        is_known: true,
        place: null,
        next_at: null,
      },
    ]);
    const { stdout } = await place.run(['sources', '10482']);
    const due = 'Nov 17, 2026, 12:00 UTC, number 3 in the queue';
    expect(stdout).toMatch(
      new RegExp(`^bricklink +sold-new +Nov 14, 2026, 09:00 UTC +${due} +asked `, 'm'),
    );
    const now = 'now, number 1 in the queue';
    expect(stdout).toMatch(new RegExp(`^bricklink +sold-used +never +${now} +never asked, `, 'm'));
    expect(stdout).toMatch(/^rebrickable +everything .* fetches everything at once$/m);
  });

  test('with invalid settings does not hide stored data', async () => {
    writeFileSync(join(place.data, 'sources.toml'), '[brikset]');
    const { asked } = await place.json<Asked>(['sources', '10482']);
    expect(asked.map(({ source, why }) => [source, why])).toEqual([
      ['bricklink', 'not configured'],
      ['shop', 'not configured'],
    ]);
  });
});

test('an unknown item is an error with a next step', async () => {
  for (const [words, sentence] of [
    [['nope'], "No set 'nope'. Import sets with 'brickmark import FORMAT PATH'."],
    [
      ['cst001'],
      "No set 'cst001', but there is a minifig. Try 'brickmark sources cst001 --minifig'.",
    ],
    [
      ['10482', '--minifig'],
      "No minifig '10482', but there is a set. Try 'brickmark sources 10482'.",
    ],
  ] as const) {
    const { status, stdout, stderr } = await place.run(['sources', ...words]);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trim()).toEndWith(sentence);
    expect(stderr.trim().split('\n').length).toBe(1);
  }
  expect((await place.run(['sources'])).status).toBe(2);
});
