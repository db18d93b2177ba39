/** Guarantees of every store when a source corrects a sale. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aPublishedItem, aSale, setRow } from '../../../test/support/builders.ts';
import { openTestStore } from '../../../test/support/engines.ts';
import type { Sale } from '../../market/source-rows/source-rows.ts';
import type { Store } from '../../store/store.ts';

const now = Date.UTC(2026, 10, 15, 12);

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-sales-'));
  store = await openTestStore(folder);
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const corrections: [string, Partial<Sale>][] = [
  ['price', { priceCents: 101_00 }],
  ['shipping', { shippingCents: 1 }],
  ['currency', { currency: 'EUR' }],
  ['quantity', { quantity: 2 }],
  ['time', { soldAt: aSale().soldAt + 1 }],
  ['condition', { condition: 'used' }],
  ['channel', { channel: 'auction' }],
  ['seller', { seller: 'another' }],
  ['completeness', { completeness: 'complete' }],
];
test.each(corrections)(
  'a correction of %s alone updates a sale, and makes its item stale once',
  async (_, facts) => {
    const sale = aSale({ itemKey: '1' });
    const rate = { currency: 'EUR', date: '2026-11-01', usdPerUnit: 1.1 };
    await store.market.applyRows([setRow('1'), { kind: 'fx', rate }, { kind: 'sale', sale }], now);
    const load = async () => (await store.market.loadInputs([1], { at: now, withSeries: true }))[0];
    await store.market.publish([aPublishedItem({ id: 1, version: (await load())?.version ?? 0 })]);
    const corrected = { kind: 'sale', sale: { ...sale, ...facts } } as const;
    expect(await store.market.applyRows([corrected], now + 1)).toEqual([{ kind: 'updated' }]);
    expect(await store.market.countStale()).toBe(1);
    const { itemKind: _kind, itemKey: _key, ...kept } = { ...sale, ...facts };
    const inputs = await load();
    expect(inputs?.sales).toMatchObject([{ ...kept, ingestedAt: now, retractedAt: null }]);
    await store.market.publish([aPublishedItem({ id: 1, version: inputs?.version ?? 0 })]);
    expect(await store.market.applyRows([corrected], now + 2)).toEqual([{ kind: 'unchanged' }]);
    expect(await store.market.countStale()).toBe(0);
  },
);
