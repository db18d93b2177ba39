/** Guarantees of every store about the log of imports and publications. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aSet, setRow } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { openWorld } from '../../../test/support/stored-world.ts';
import { dayMs, hourMs } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import { type ImportEntry, importsKept } from './journal.ts';

const now = Date.UTC(2026, 10, 15, 12);

const entry: ImportEntry = {
  format: 'feed',
  files: ['a.ndjson', 'b.ndjson.gz'],
  startedAt: now,
  endedAt: now + 900,
  added: 1,
  updated: 2,
  unchanged: 3,
  rejected: 4,
  gone: null,
  error: null,
  rejects: [{ where: 'a.ndjson:7', reason: 'price \u0000 "x" is no number' }],
  warned: 2,
  warnings: [{ where: 'a.ndjson:8', reason: "'box' is too large" }],
};

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-journal-'));
    store = await open(folder);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('imports are listed newest first, and found with their rejects', async () => {
    await store.market.logImport(entry);
    await store.market.logImport({ ...entry, format: 'keepa', error: 'It is cut off.', gone: 5 });
    const { rejects, warnings: _, ...listed } = entry;
    const [last, first] = await store.market.listImports(10);
    expect(first).toEqual({ id: expect.any(Number), ...listed });
    expect(last).toMatchObject({ format: 'keepa', error: 'It is cut off.', gone: 5 });
    expect(await store.market.findImport(first?.id ?? 0)).toEqual({
      id: first?.id ?? 0,
      ...entry,
      rejects,
    });
    expect(await store.market.findImport(999)).toBeNull();
    expect(await store.market.listImports(1)).toHaveLength(1);
  });

  test('the oldest imports are removed', async () => {
    for (let count = 0; count < importsKept + 3; count++) await store.market.logImport(entry);
    expect(await store.market.listImports(importsKept * 2)).toHaveLength(importsKept);
  });

  test('an old import that can still be undone is not removed', async () => {
    const log = () => store.market.logImport(entry);
    const [gone, kept] = [await log(), await log()];
    const facts = aSet({ number: '1' });
    await store.market.applyRows([{ kind: 'set', source: 'feed', facts }], entry.endedAt, kept);
    for (let count = 0; count < importsKept; count++) await log();
    expect(await store.market.findImport(gone)).toBeNull();
    expect(await store.market.findImport(kept)).not.toBeNull();
  });

  test('undo data is kept for 30 days to the millisecond', async () => {
    const { market } = store;
    const facts = aSet({ number: '1' });
    const kept = await market.logImport(entry);
    await market.applyRows([{ kind: 'set', source: 'feed', facts }], entry.endedAt, kept);
    const undo = async (at: number) => {
      await market.logImport({ ...entry, endedAt: at });
      const rehearsal = await store.rehearsal();
      const outcome = await rehearsal.market.undoImport(kept, at);
      await rehearsal.close();
      return 'refusal' in outcome ? outcome.refusal : null;
    };
    expect(await undo(entry.endedAt + 30 * dayMs)).toBeNull();
    expect(await undo(entry.endedAt + 30 * dayMs + 1)).toContain('can be undone for 30 days');
  });

  test('an update replaces one import, and no other', async () => {
    const ids = [await store.market.logImport(entry), await store.market.logImport(entry)];
    await store.market.updateImport(ids[0] ?? 0, { ...entry, added: 77, rejects: [] });
    const found = await Promise.all(ids.map((id) => store.market.findImport(id)));
    expect(found.map((each) => each?.added)).toEqual([77, entry.added]);
    expect(found.map((each) => each?.rejects)).toEqual([[], entry.rejects]);
  });

  test('rows are counted with the batch that writes them, and the end replaces the counts', async () => {
    const started = { ...entry, added: 0, updated: 0, unchanged: 0, error: 'Still running.' };
    const id = await store.market.logImport(started);
    const facts = aSet({ number: '1001', title: 'Other' });
    await store.market.applyRows([setRow('1000'), setRow('1001')], now + 1_000, id);
    const again = [setRow('1000'), { kind: 'set', source: 'feed', facts } as const];
    await store.market.applyRows(again, now + 2_000, id);
    await store.market.applyRows([setRow('1002')], now + 3_000);
    const keys = new Set(['1000']);
    const census = { source: 'feed', itemKind: 'set', keys, at: now + 4_000 } as const;
    await store.market.markGone(census, id);
    const found = await store.market.findImport(id);
    expect(found).toEqual({
      ...started,
      id,
      added: 2,
      updated: 1,
      unchanged: 1,
      gone: 2,
      endedAt: now + 4_000,
    });
    await store.market.updateImport(id, entry);
    expect(await store.market.findImport(id)).toEqual({ ...entry, id });
  });

  test('a new store has no publication', async () => {
    expect(await store.market.findPublishedAt()).toBeNull();
  });
});

test('the time of the latest publication is saved', async () => {
  const world = await openWorld();
  try {
    await world.load([{ kind: 'set', set_number: '1', title: 'Raft', theme: 'Coast' }]);
    expect(await world.store.market.findPublishedAt()).toBe(world.now);
    const before = world.now;
    world.now += hourMs;
    await world.publisher.publishStale();
    expect(await world.store.market.findPublishedAt()).toBe(before);
    await world.load([{ kind: 'set', set_number: '2', title: 'Sloop', theme: 'Coast' }]);
    expect(await world.store.market.findPublishedAt()).toBe(world.now);
  } finally {
    await world.close();
  }
});
