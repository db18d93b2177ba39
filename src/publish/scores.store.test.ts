/** Guarantees of every store about data written with documents: evidence, scores, series. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  aMinifig,
  aPublishedItem,
  aSeries,
  aSet,
  setRow,
  someEvidence,
} from '../../test/support/builders.ts';
import { engines } from '../../test/support/engines.ts';
import type { Evidence } from '../market/evidence/evidence.ts';
import type { ScoreCount } from '../market/evidence/scorecard.ts';
import type { Series } from '../market/history/history.ts';
import type { PublishedItem, ThemeCount } from '../market/published/publishing.ts';
import type { Store } from '../store/store.ts';

const now = Date.UTC(2026, 10, 15, 12);

const score = (facts: Partial<ScoreCount> = {}): ScoreCount => ({
  week: 2960,
  kind: 'set',
  condition: 'sealed',
  tier: 'high',
  bin: 0,
  inRange: true,
  count: 1,
  ...facts,
});

const evidence: Evidence = someEvidence({
  tier: 'low',
  sealed: {
    valueCents: 10_000,
    lowCents: 9_000,
    highCents: 11_000,
    valueSpread: 0.0123456789,
    saleSpread: 0.1,
    sales: { ever: 5, days30: 1, days90: 2, days180: 3, days365: 4 },
    firstSale: '2024-02-29',
    latestSale: null,
  },
  outcomes: [{ condition: 'used', outcome: 'rejected', reason: 'a “lot”', count: 2 }],
  channels: [{ channel: 'unknown', sales: 5, offset: -0.02 }],
  moves: [{ month: '2026-03', why: 'level' }],
});

const point = { valueCents: 5, lowCents: 4, highCents: 6, salesCount: 1, event: null };
const made = { inputHash: 0x123456789abcd, parameters: '2026-10-3f9a2c1b' };

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-scores-'));
    store = await open(folder);
    await store.market.applyRows(['1', '2'].map(setRow), now);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function inputs(id = 1) {
    const [item] = await store.market.loadInputs([id], { at: now, withSeries: true });
    return item;
  }

  const publish = async (facts: Partial<PublishedItem>, id = 1) => {
    const version = (await inputs(id))?.version ?? 0;
    return store.market.publish([aPublishedItem({ id, version, ...facts })]);
  };

  test('evidence is returned as written, and the latest replaces earlier ones', async () => {
    expect((await inputs())?.evidence).toBeNull();
    await publish({ evidence });
    expect((await inputs())?.evidence).toEqual(evidence);
    expect((await inputs(2))?.evidence).toBeNull();
    await publish({ evidence: someEvidence() });
    expect((await inputs())?.evidence).toEqual(someEvidence());
  });

  test('scores add up across items', async () => {
    await publish({ scores: [score(), score({ bin: 3, count: 2 }), score({ count: 4 })] });
    await publish({ scores: [score({ bin: 3, count: 5 })] }, 2);
    await publish({ scores: [] }, 2);
    const expected = [score({ count: 5 }), score({ bin: 3, count: 7 })];
    expect(await store.market.listScores(0)).toEqual(expected);
  });

  test('if two processes publish the same new rows, only the first adds scores', async () => {
    await publish({ scores: [score()] });
    await publish({ scores: [score()] });
    expect(await store.market.listScores(0)).toEqual([score()]);
    await store.market.markAllStale();
    await publish({ scores: [score()] });
    expect(await store.market.listScores(0)).toEqual([score({ count: 2 })]);
  });

  test('evidence is found by number or alias, and says whether the item is stale', async () => {
    const { market } = store;
    const facts = aMinifig({ aliases: ['fig-000001'] });
    await market.applyRows([{ kind: 'minifig', source: 'feed', facts }], now);
    const fig = { id: 3, number: 'cas001', name: null, evidence: null, isStale: true };
    expect(await market.findEvidence('minifig', 'cas001')).toEqual(fig);
    expect(await market.findEvidence('minifig', 'fig-000002')).toBeNull();
    expect(await market.findEvidence('minifig', 'fig-000001')).toEqual(fig);
    expect(await market.findEvidence('set', 'cas001')).toBeNull();
    await publish({ evidence, name: 'Hut' });
    const hut = { id: 1, number: '1', name: 'Hut', evidence, isStale: false };
    expect(await market.findEvidence('set', '1')).toEqual(hut);
    await market.markAllStale();
    expect(await market.findEvidence('set', '1')).toEqual({ ...hut, isStale: true });
  });

  test('a name cut inside a character is published with a replacement character', async () => {
    const name = '😀 Hut'.slice(1);
    const theme = '😀'.slice(0, 1);
    expect(await publish({ name, theme })).toBe(1);
    expect((await store.market.findEvidence('set', '1'))?.name).toBe('\ufffd Hut');
    const themes: ThemeCount[] = [];
    await store.market.publishThemes((counts) => {
      themes.push(...counts);
      return '[]';
    });
    expect(themes).toEqual([{ theme: '\ufffd', setCount: 1 }]);
  });

  test('scores are listed from a week on, in order of all key fields', async () => {
    const parts: ScoreCount[] = [
      score({ week: 2958 }),
      score({ week: 2959, kind: 'minifig', condition: 'used' }),
      score({ week: 2959, bin: -100, inRange: false }),
      score({ week: 2959, bin: -100 }),
      score({ week: 2959, bin: 100, inRange: false }),
      score({ week: 2959, tier: 'low' }),
      score({ week: 2959, condition: 'used' }),
      score({ week: 2960 }),
    ];
    await publish({ scores: parts.toReversed() });
    expect(await store.market.listScores(0)).toEqual(parts);
    expect(await store.market.listScores(2959)).toEqual(parts.slice(1));
    expect(await store.market.listScores(2961)).toEqual([]);
  });

  test('nothing is written of an item that has changed meanwhile', async () => {
    const version = (await inputs())?.version ?? 0;
    const facts = aSet({ number: '1', pieces: 7 });
    await store.market.applyRows([{ kind: 'set', source: 'feed', facts }], now);
    const series = { sealed: aSeries(24_000, [point]), used: null };
    const late = aPublishedItem({ id: 1, version, evidence, series, scores: [score()] });
    expect(await store.market.publish([late])).toBe(0);
    expect(await store.market.listScores(0)).toEqual([]);
    const nothing = { sealed: null, used: null };
    expect(await inputs()).toMatchObject({ evidence: null, series: nothing });
  });

  test('series are returned with their provenance', async () => {
    const sealed: Series = {
      firstMonth: 24_000,
      points: [point, point, point],
      revision: 2,
      provenance: [made, 'unsold', { ...made, parameters: '2026-09-00000000' }],
    };
    const used = aSeries(24_100, [point, point]);
    await publish({ series: { sealed, used } });
    expect((await inputs())?.series).toEqual({ sealed, used });
    const bare = await store.market.loadInputs([1], { at: now, withSeries: false });
    expect(bare[0]?.series).toEqual({ sealed: null, used: null });
  });

  test('series of a set without sales are returned unchanged', async () => {
    const blank = { valueCents: null, lowCents: null, highCents: null, salesCount: 0, event: null };
    const months = Array.from({ length: 500 }, () => blank);
    const sealed: Series = {
      firstMonth: 23_000,
      points: [{ ...blank, event: 'released' }, ...months, { ...blank, event: 'retired' }],
      revision: 1,
      provenance: Array.from({ length: 502 }, () => 'unsold' as const),
    };
    await publish({ series: { sealed, used: null } });
    expect((await inputs())?.series).toEqual({ sealed, used: null });
    expect((await store.market.findSeries('1', 'sealed'))?.series).toEqual({
      ...sealed,
      provenance: [],
    });
  });

  test('the API reads series without provenance', async () => {
    const sealed = { ...aSeries(24_000, [point]), provenance: [made] };
    await publish({ series: { sealed, used: null } });
    const found = await store.market.findSeries('1', 'sealed');
    expect(found?.series).toEqual({ ...sealed, provenance: [] });
  });

  test.each([
    ['fewer months than there are', [made]],
    ['something that has no form', [made, { ...made, inputHash: -1 }]],
  ])('provenance of %s is an error, and nothing is written', async (_, provenance) => {
    const sealed = { ...aSeries(24_000, [point, point]), provenance };
    const faulty = publish({ series: { sealed, used: null }, evidence, scores: [score()] });
    await expect(faulty).rejects.toThrow();
    expect(await store.market.listScores(0)).toEqual([]);
    expect((await inputs())?.evidence).toBeNull();
    expect(await store.market.findDocument('set', '1')).toBeNull();
  });
});
