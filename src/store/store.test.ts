/** What every store guarantees. The suite runs on each engine. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines } from '../../test/support/engines.ts';
import { bareItem, bareSale, bareSet } from '../../test/support/facts.ts';
import type { KeyHash } from '../domain/account/keys.ts';
import type { PublishedItem } from '../domain/market/publishing-store.ts';
import type { Sale } from '../domain/market/source-rows.ts';
import type { Store } from '../domain/store.ts';

const now = Date.UTC(2026, 10, 15, 12);

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-store-'));
    store = await open(folder);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const hash = (text: string) => Bun.SHA256.hash(text) as Uint8Array as KeyHash;

  async function addKey(name: string, facts: { allowance?: number; expiresAt?: number } = {}) {
    const email = 'ann@example.com';
    const account = { email, plan: 'reseller', isOperator: false, passwordHash: null } as const;
    await store.accounts.addAccount({ ...account, at: now });
    return store.accounts.addKey({
      email,
      name,
      hash: hash(name),
      prefix: name.slice(0, 8),
      allowance: facts.allowance ?? 10,
      expiresAt: facts.expiresAt ?? null,
      at: now,
    });
  }

  const admit = async (...costs: number[]) =>
    (
      await store.accounts.admitGroup(
        costs.map((cost) => ({ keyHash: hash('a'), cost })),
        now,
      )
    ).admissions.map((admission) => [admission?.outcome, admission?.used]);

  test('a group is decided one by one: what no longer fits is refused, what fits is granted', async () => {
    await addKey('a');
    expect(await admit(6, 5, 3, 1, 1)).toEqual([
      ['granted', 6],
      ['exhausted', 6],
      ['granted', 9],
      ['granted', 10],
      ['exhausted', 10],
    ]);
  });

  test('asking who a key is costs nothing, also when nothing is left', async () => {
    await addKey('a', { allowance: 1 });
    expect(await admit(0, 1, 0)).toEqual([
      ['granted', 0],
      ['granted', 1],
      ['granted', 1],
    ]);
  });

  test('what was granted is there after opening the store again', async () => {
    await addKey('a');
    await admit(7);
    await store.close();
    store = await open(folder);
    expect(await admit(4, 3)).toEqual([
      ['exhausted', 7],
      ['granted', 10],
    ]);
  });

  test('keys that are unknown, expired or revoked are nobody', async () => {
    const made = await addKey('a', { expiresAt: now + 1000 });
    const at = async (instant: number) =>
      (await store.accounts.admitGroup([{ keyHash: hash('a'), cost: 0 }], instant))
        .admissions[0] !== null;
    expect([await at(now + 999), await at(now + 1000)]).toEqual([true, false]);
    await store.accounts.revokeKey(typeof made === 'object' ? made.id : 0, now);
    expect(await at(now)).toBe(false);
    const { admissions } = await store.accounts.admitGroup([{ keyHash: hash('b'), cost: 0 }], now);
    expect(admissions).toEqual([null]);
  });

  test('removing an account takes its keys along, and its e-mail is free again', async () => {
    await addKey('a');
    expect(await store.accounts.removeAccount('ANN@example.com')).toBe(true);
    expect(await admit(0)).toEqual([[undefined, undefined]]);
    expect(await store.accounts.listKeys('ann@example.com', now)).toBeNull();
    expect(await addKey('b')).toEqual({ id: 2 });
  });

  const set = (number: string, title = 'Hut') => ({
    kind: 'set' as const,
    source: 'feed',
    facts: { ...bareSet, number, title },
  });

  const document = (id: number, version: number, body: string): PublishedItem => ({
    ...bareItem,
    id,
    version,
    at: now,
    body,
    name: 'Hut',
    theme: 'Huts',
    dueAt: now + 1000,
  });

  test('a document is not published when its item has changed meanwhile', async () => {
    await store.market.applyRows([set('1')], now);
    const [before] = await store.market.loadInputs([1], { at: now, withSeries: true });
    await store.market.applyRows([set('1', 'Cottage')], now);
    expect(await store.market.publish([document(1, before?.version ?? 0, '"old"')])).toBe(0);
    expect(await store.market.countStale()).toBe(1);
    const [after] = await store.market.loadInputs([1], { at: now, withSeries: true });
    expect(await store.market.publish([document(1, after?.version ?? 0, '"new"')])).toBe(1);
    expect(await store.market.countStale()).toBe(0);
    expect((await store.market.findDocument('set', '1'))?.body).toBe('"new"');
  });

  test('readers are told what was published since a stamp, or that it was too much', async () => {
    await store.market.applyRows([set('1'), set('2')], now);
    const stamp = await store.market.publishStamp();
    await store.market.publish([document(1, 2, '1'), document(2, 2, '2')]);
    expect(await store.market.publishStamp()).toBeGreaterThan(stamp);
    const changes = await store.market.listChanges(stamp, 2);
    expect(changes?.map(({ kind, key }) => `${kind} ${key}`).sort()).toEqual(['set 1', 'set 2']);
    expect(await store.market.listChanges(stamp, 1)).toBeNull();
    expect(await store.market.listChanges(await store.market.publishStamp(), 1)).toEqual([]);
  });

  const corrections: [string, Partial<Sale>][] = [
    ['price', { priceCents: 101_00 }],
    ['shipping', { shippingCents: 1 }],
    ['currency', { currency: 'EUR' }],
    ['quantity', { quantity: 2 }],
    ['time', { soldAt: bareSale.soldAt + 1 }],
    ['condition', { condition: 'used' }],
    ['channel', { channel: 'auction' }],
    ['seller', { seller: 'another' }],
    ['completeness', { completeness: 'complete' }],
  ];
  test.each(corrections)(
    'a sale is corrected by its %s alone, and makes its item stale once',
    async (_, facts) => {
      const sale = { ...bareSale, itemKey: '1' };
      const rate = { currency: 'EUR', date: '2026-11-01', usdPerUnit: 1.1 };
      await store.market.applyRows([set('1'), { kind: 'fx', rate }, { kind: 'sale', sale }], now);
      const load = async () =>
        (await store.market.loadInputs([1], { at: now, withSeries: true }))[0];
      await store.market.publish([document(1, (await load())?.version ?? 0, '""')]);
      const corrected = { kind: 'sale', sale: { ...sale, ...facts } } as const;
      expect(await store.market.applyRows([corrected], now + 1)).toEqual([{ kind: 'updated' }]);
      expect(await store.market.countStale()).toBe(1);
      const { itemKind: _kind, itemKey: _key, ...kept } = { ...sale, ...facts };
      const inputs = await load();
      expect(inputs?.sales).toMatchObject([{ ...kept, ingestedAt: now, retractedAt: null }]);
      await store.market.publish([document(1, inputs?.version ?? 0, '""')]);
      expect(await store.market.applyRows([corrected], now + 2)).toEqual([{ kind: 'unchanged' }]);
      expect(await store.market.countStale()).toBe(0);
    },
  );

  test('a restatement covers every row in the store, also one from a clock that was ahead', async () => {
    const sale = { ...bareSale, itemKey: '1', soldAt: now - 1000 };
    const earlier = { ...sale, sourceId: 'earlier' };
    await store.market.applyRows([set('1'), { kind: 'sale', sale: earlier }], now + 2);
    await store.market.applyRows([{ kind: 'sale', sale }], now + 5);
    const options = { fromMonth: 24_000, reason: 'A source took sales back.' };
    expect((await store.market.restateHistory({ ...options, at: now })).at).toBe(now + 5);
    await store.market.applyRows([{ kind: 'retract', source: 'shop', sourceId: 'a' }], now + 9);
    expect((await store.market.restateHistory({ ...options, at: now })).at).toBe(now + 9);
    expect((await store.market.restateHistory({ ...options, at: now + 99 })).at).toBe(now + 99);
  });

  test('a lease is held by one at a time, renewed by its holder, and taken over when it ends', async () => {
    const take = (holder: string, at: number) =>
      store.market.takeLease({ name: 'upkeep', holder, at, until: at + 100 });
    expect(await take('a', 0)).toBe(true);
    expect(await take('b', 50)).toBe(false);
    expect(await take('a', 60)).toBe(true);
    expect(await take('b', 159)).toBe(false);
    expect(await take('b', 160)).toBe(true);
    expect(await take('a', 161)).toBe(false);
  });

  test('a rehearsal changes nothing, and leaves nothing behind', async () => {
    await store.market.applyRows([set('1')], now);
    const rehearsal = await store.rehearsal();
    expect(await rehearsal.market.applyRows([set('1'), set('2')], now)).toEqual([
      { kind: 'unchanged' },
      { kind: 'added' },
    ]);
    await rehearsal.close();
    expect([...(await store.market.findSetNumbers(['1', '2'])).keys()]).toEqual(['1']);
    expect(readdirSync(folder).filter((name) => name.startsWith('rehearsal'))).toEqual([]);
  });

  test('a batch that fails is rolled back whole', async () => {
    const broken = { kind: 'set', source: 'feed', facts: null } as never;
    await expect(store.market.applyRows([set('1'), broken], now)).rejects.toThrow();
    expect(await store.market.countStale()).toBe(0);
  });
});
