/** Guarantees of every store about sources with automatic imports. */
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOf, engines } from '../../test/support/engines.ts';
import { hourMs } from '../kernel/time.ts';
import type { Store } from '../store/store.ts';
import type { Question } from './source-state.ts';
import { emptyState } from './state-changes.ts';

const now = Date.UTC(2026, 10, 15, 12);

const question = (key: string, topic = 'sold-new'): Question => ({ kind: 'set', key, topic });

/** The stored rows of `sync_item`. */
async function listItems(folder: string): Promise<Record<string, unknown>[]> {
  const columns = 'source, kind, key, topic, asked_at, failures, retry_at, is_known';
  const url = await databaseOf(folder);
  if (url !== null) {
    const sql = new Bun.SQL(url, { max: 1 });
    const rows = await sql.unsafe(`SELECT ${columns} FROM source.sync_item ORDER BY key, topic`);
    await sql.close();
    return rows.map((row: Record<string, unknown>) => ({
      ...row,
      asked_at: row.asked_at === null ? null : Number(row.asked_at),
      failures: Number(row.failures),
      retry_at: row.retry_at === null ? null : Number(row.retry_at),
      is_known: Number(row.is_known),
    }));
  }
  const db = new Database(join(folder, 'market.db'), { readonly: true });
  const sql = `SELECT ${columns} FROM sync_item ORDER BY key, topic`;
  const rows = db.query<Record<string, unknown>, []>(sql).all();
  db.close();
  return rows;
}

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-sync-'));
    store = await open(folder);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a source that was never called has an empty state, and is not listed', async () => {
    expect(await store.sync.findSource('ecb')).toEqual(emptyState);
    expect(await store.sync.listSources()).toEqual([]);
  });

  test('changes are saved, and listed in order of name', async () => {
    const cursor = { page: 2, words: ['é', '\u0000'] };
    const made = await store.sync.changeSource('keepa', (before) => ({ ...before, cursor }));
    expect(made.cursor).toEqual(cursor);
    await store.sync.changeSource('ecb', (before) => ({ ...before, nextAt: now }));
    expect(await store.sync.findSource('keepa')).toEqual({ ...emptyState, cursor });
    const listed = await store.sync.listSources();
    expect(listed.map(({ source }) => source)).toEqual(['ecb', 'keepa']);
    expect(listed[0]?.state.nextAt).toBe(now);
  });

  test('calls are counted by hour and day before they are made', async () => {
    const rule = { kind: 'day', calls: 3 } as const;
    const spend = (cost: number, at: number) => store.sync.spend('brickset', { rule, cost, at });
    expect(await spend(2, now)).toEqual({ isGranted: true });
    expect(await spend(1, now + hourMs)).toEqual({ isGranted: true });
    const refused = await spend(1, now + hourMs);
    expect(refused).toEqual({ isGranted: false, nextAt: now + 25 * hourMs + 600_000 });
    const { budget, days } = await store.sync.findSource('brickset');
    const hour = now / hourMs;
    expect(budget.hours).toEqual([
      [hour, 2],
      [hour + 1, 1],
    ]);
    expect(budget.rule).toEqual(rule);
    expect(days).toEqual([{ day: Math.floor(hour / 24), calls: 3, rows: 0, rejects: 0 }]);
  });

  test('concurrent spending never exceeds a budget, and no change is lost', async () => {
    const other = await open(folder);
    try {
      const rule = { kind: 'day', calls: 15 } as const;
      const spendings = Array.from({ length: 40 }, (_, index) =>
        (index % 2 ? store : other).sync.spend('bricklink', { rule, cost: 1, at: now }),
      );
      const changes = Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? store : other).sync.changeSource('bricklink', (before) => ({
          ...before,
          failures: before.failures + 1,
        })),
      );
      const results = await Promise.all(spendings);
      await Promise.all(changes);
      expect(results.filter(({ isGranted }) => isGranted)).toHaveLength(15);
      const state = await store.sync.findSource('bricklink');
      expect(state.failures).toBe(10);
      expect(state.budget.hours).toEqual([[now / hourMs, 15]]);
    } finally {
      await other.close();
    }
  });

  test('failures of a question are counted per source', async () => {
    const failed = question('1');
    await store.sync.postponeQuestions('bricklink', [failed], now);
    await store.sync.postponeQuestions('bricklink', [failed], now);
    await store.sync.postponeQuestions('other', [failed], now);
    const [first, second] = await store.sync.listQuestions('set', '1');
    expect([first?.failures, second?.failures]).toEqual([2, 1]);
  });

  test('answers are saved with their time, and failed questions are postponed', async () => {
    const [asked, unknown, failed] = [question('75192-1'), question('1-1'), question('2-1')];
    const first = { at: now, known: [asked, asked], unknown: [unknown] };
    await store.sync.saveAnswers('bricklink', first);
    await store.sync.postponeQuestions('bricklink', [failed, asked], now + 1);
    await store.sync.postponeQuestions('bricklink', [failed], now + 2);
    await store.sync.postponeQuestions('other', [question('2-1', 'sold-used')], now);
    const about = { source: 'bricklink', kind: 'set', topic: 'sold-new' };
    expect(await listItems(folder)).toEqual([
      { ...about, key: '1-1', asked_at: now, failures: 0, retry_at: null, is_known: 0 },
      {
        ...about,
        key: '2-1',
        asked_at: null,
        failures: 2,
        retry_at: now + 2 + 2 * hourMs,
        is_known: 1,
      },
      {
        source: 'other',
        kind: 'set',
        key: '2-1',
        topic: 'sold-used',
        asked_at: null,
        failures: 1,
        retry_at: now + hourMs,
        is_known: 1,
      },
      {
        ...about,
        key: '75192-1',
        asked_at: now,
        failures: 1,
        retry_at: now + 1 + hourMs,
        is_known: 1,
      },
    ]);
    await store.sync.saveAnswers('bricklink', { at: now + 9, known: [failed, asked], unknown: [] });
    const rows = (await listItems(folder)).filter(({ source }) => source === 'bricklink');
    expect(rows.map(({ failures, retry_at }) => [failures, retry_at])).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ]);
  });
});
