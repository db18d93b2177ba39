/** Guarantees of every store about private data, and the market values joined with it. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  anAccount,
  aPublishedItem,
  aSeries,
  aSet,
  someEvidence,
} from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { applyRows, rowsOf } from '../../../test/support/own-rows.ts';
import { dayOf, parseMonth } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import type { PrivateRow } from './private-rows.ts';

type EntriesQuery = Parameters<Store['accounts']['listEntries']>[1];

const now = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';
const everything: EntriesQuery = { brickfolioId: null, limit: 250, offset: 0 };

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let ann: number;
  let bob: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-holdings-'));
    store = await open(folder);
    ann = await addAccount(email);
    bob = await addAccount('bob@example.com');
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function addAccount(address: string): Promise<number> {
    return (await store.accounts.addAccount(anAccount({ email: address, at: now })))?.id ?? 0;
  }

  const { brickfolio, lot, sale } = rowsOf(email);

  async function apply(...rows: PrivateRow[]): Promise<void> {
    const outcomes = await applyRows(store.accounts, rows, now);
    expect(outcomes.filter((outcome) => outcome.kind === 'rejected')).toEqual([]);
  }

  test('all lots are listed as recorded, in pages, with sold units', async () => {
    await apply(
      brickfolio('Shelf'),
      lot('b', { purchaseDate: '2026-05-05' }),
      lot('a', { isEstimated: true, condition: 'used', status: 'listed' }),
      lot('gone', { purchaseDate: '2025-01-01', quantity: 1 }),
      sale('s', { quantity: 2 }),
    );
    const list = (options: { after: number; limit: number }, id = ann) =>
      store.accounts.listLots(id, options);
    const first = await list({ after: 0, limit: 2 });
    const rest = await list({ after: first.at(-1)?.sequence ?? 0, limit: 2 });
    const all = [...first, ...rest];
    expect(all.map(({ sourceId, quantity, sold }) => [sourceId, quantity, sold])).toEqual([
      ['b', 2, 1],
      ['a', 2, 0],
      ['gone', 1, 1],
    ]);
    const { sequence: _, ...a } = all[1] ?? { sequence: 0 };
    const found = await store.accounts.findLotsBySourceIds(ann, ['a', 'nobody']);
    expect([...found]).toEqual([['a', expect.objectContaining(a)]]);
    expect(a).toMatchObject({ isEstimated: true, condition: 'used', status: 'listed' });
    expect(await list({ after: 0, limit: 2 }, bob)).toEqual([]);
  });

  test('recorded sales are listed with the origin of their cost and the units they took', async () => {
    await apply(
      brickfolio('Shelf'),
      lot('new', { priceCents: 2_00 }),
      lot('old', { purchaseDate: '2025-01-01', quantity: 1, priceCents: 1_00 }),
      sale('fifo', { quantity: 2 }),
      sale('named', { lot: 'new' }),
      sale('given', { costCents: 9_99, saleDate: '2026-01-01' }),
      // The cost of sold units stays frozen.
      lot('new', { priceCents: 7_77 }),
    );
    const list = (options: { after: number; limit: number }, id = ann) =>
      store.accounts.listRecordedSales(id, options);
    const first = await list({ after: 0, limit: 2 });
    const all = [...first, ...(await list({ after: first.at(-1)?.sequence ?? 0, limit: 2 }))];
    expect(
      all.map(({ sourceId, costCents, lot: named, settled }) => ({
        sourceId,
        costCents,
        named,
        settled,
      })),
    ).toEqual([
      {
        sourceId: 'fifo',
        costCents: null,
        named: null,
        settled: {
          costCents: 3_00,
          takes: [
            { lot: 'new', quantity: 1, costCents: 2_00 },
            { lot: 'old', quantity: 1, costCents: 1_00 },
          ],
        },
      },
      {
        sourceId: 'named',
        costCents: null,
        named: 'new',
        settled: { costCents: 2_00, takes: [{ lot: 'new', quantity: 1, costCents: 2_00 }] },
      },
      {
        sourceId: 'given',
        costCents: 9_99,
        named: null,
        settled: { costCents: 9_99, takes: [] },
      },
    ]);
    expect(await list({ after: 0, limit: 2 }, bob)).toEqual([]);
  });

  test('a settled sale takes the same units at the same cost, once', async () => {
    await apply(brickfolio('Shelf'), lot('new'), lot('old', { purchaseDate: '2025-01-01' }));
    const settled = { costCents: 1_23, takes: [{ lot: 'new', quantity: 2, costCents: 1_23 }] };
    const moved = sale('s', { quantity: 2, settled });
    await apply(moved);
    expect(await store.accounts.listRecordedSales(ann, { after: 0, limit: 9 })).toMatchObject([
      { settled },
    ]);
    const again = await applyRows(store.accounts, [moved, sale('s', { quantity: 2 })], now);
    expect(again.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged']);
    const [refusal] = await applyRows(store.accounts, [sale('t', { quantity: 2, settled })], now);
    expect(refusal).toMatchObject({
      reason: "the sale is for 2 units, but none are left in lot 'new'",
    });
  });

  test('entries are lots with units left, newest purchase first, then in order of recording', async () => {
    await apply(
      brickfolio('Shelf'),
      brickfolio('Attic'),
      lot('old', { purchaseDate: '2025-12-31' }),
      lot('b', { priceCents: 2 }),
      lot('a', { priceCents: 1, brickfolio: 'Attic' }),
      lot('gone', { purchaseDate: '2025-01-01', quantity: 1 }),
      sale('s', { quantity: 2 }),
    );
    const prices = async (page: Partial<EntriesQuery>) => {
      const found = await store.accounts.listEntries(ann, { ...everything, ...page });
      return found && [found.total, ...found.rows.map((row) => [row.priceCents, row.units])];
    };
    // First in, first out: the sale took the missing lot, and one of the old units.
    expect(await prices({})).toEqual([3, [2, 2], [1, 2], [10_00, 1]]);
    expect(await prices({ limit: 1, offset: 1 })).toEqual([3, [1, 2]]);
    expect(await prices({ offset: 3 })).toEqual([3]);
    expect(await prices({ brickfolioId: 2 })).toEqual([1, [1, 2]]);
    expect(await prices({ brickfolioId: 3 })).toBeNull();
    expect(await store.accounts.listEntries(bob, { ...everything, brickfolioId: 1 })).toBeNull();
  });

  test('holdings are summed by collection, set and condition, and by month of purchase', async () => {
    await apply(
      brickfolio('Shelf'),
      lot('a', { quantity: 3 }),
      lot('b', { priceCents: 20_00, purchaseDate: '2026-04-01' }),
      lot('c', { condition: 'used', quantity: 1 }),
      sale('s'),
    );
    const { stakes, purchases } = await store.accounts.findHoldings(ann, null);
    const shelf = { brickfolioId: 1, kind: 'set', key: '1', grade: null } as const;
    expect(stakes.toSorted((a, b) => b.units - a.units)).toEqual([
      { ...shelf, condition: 'sealed', units: 4, costCents: 60_00 },
      { ...shelf, condition: 'used', units: 1, costCents: 10_00 },
    ]);
    expect(purchases).toEqual([
      { month: parseMonth('2026-03') ?? 0, lots: 2, units: 3, costCents: 30_00 },
      { month: parseMonth('2026-04') ?? 0, lots: 1, units: 2, costCents: 40_00 },
    ]);
    expect(await store.accounts.listHeldCosts(ann, 'set')).toEqual([
      { kind: 'set', key: '1', units: 5, costCents: 70_00 },
    ]);
    expect(await store.accounts.listHeldCosts(ann, 'set', ['2', '1', '1'])).toEqual([
      { kind: 'set', key: '1', units: 5, costCents: 70_00 },
    ]);
    expect(await store.accounts.listHeldCosts(ann, 'set', ['2', '3'])).toEqual([]);
    expect(await store.accounts.listHeldCosts(bob, 'set', ['1'])).toEqual([]);
  });

  test('the version of an account increases with its changes only', async () => {
    const before = await store.accounts.findPrivateVersion(ann);
    const other = await store.accounts.findPrivateVersion(bob);
    await apply(brickfolio('Shelf'), lot('v'));
    expect(await store.accounts.findPrivateVersion(ann)).toBeGreaterThan(before);
    expect(await store.accounts.findPrivateVersion(bob)).toBe(other);
    expect(await store.accounts.findPrivateVersion(999_999)).toBe(0);
  });

  test('positions are lots as bought with their sales, in order of set and condition', async () => {
    await apply(
      brickfolio('Shelf'),
      lot('z', { number: '2' }),
      lot('y', { condition: 'used' }),
      lot('x'),
      sale('s'),
      sale('given', { costCents: 5_00 }),
    );
    const positions = await store.accounts.listPositions(ann, { kind: 'set', after: '', limit: 9 });
    expect(positions.map((p) => [p.key, p.condition, p.quantity, p.exits.length])).toEqual([
      ['1', 'sealed', 2, 1],
      ['1', 'used', 2, 0],
      ['2', 'sealed', 2, 0],
    ]);
    const day = dayOf(Date.parse('2026-05-06'));
    expect(positions[0]).toMatchObject({
      exits: [{ day, quantity: 1, netCents: 24_00 }],
      priceCents: 10_00,
    });
    expect(await store.accounts.listPositions(bob, { kind: 'set', after: '', limit: 9 })).toEqual(
      [],
    );
    const results = await store.accounts.listSaleResults(ann);
    expect(results).toEqual([{ day, netCents: 48_00, profitCents: 33_00 }]);
  });

  test('sales are listed newest first, then in order of recording', async () => {
    const given = { costCents: 0 };
    await apply(
      sale('old', { ...given, saleDate: '2025-01-01' }),
      sale('b', given),
      sale('a', given),
    );
    const ids = async (page: { limit: number; offset: number }) =>
      (await store.accounts.listSales(ann, page)).rows.map((row) => row.id);
    expect(await ids({ limit: 9, offset: 0 })).toEqual([2, 3, 1]);
    expect(await ids({ limit: 1, offset: 1 })).toEqual([3]);
    expect(await store.accounts.listSales(bob, everything)).toEqual({ total: 0, rows: [] });
  });

  test('the version of an account increases with every change of its data, and only then', async () => {
    const hash = Bun.SHA256.hash('k') as Uint8Array as never;
    const key = { email, name: 'k', hash, prefix: 'k', allowance: 9, expiresAt: null, at: now };
    await store.accounts.addKey(key);
    const version = async () =>
      (await store.accounts.admitGroup([{ keyHash: hash, cost: 0 }], now)).admissions[0]?.caller
        .privateVersion;
    const versions = [await version()];
    for (const row of [brickfolio('Shelf'), lot('a'), lot('a'), sale('s'), sale('s')]) {
      await apply(row);
      versions.push(await version());
    }
    await applyRows(store.accounts, [sale('too many', { quantity: 9 })], now);
    versions.push(await version());
    const growth = versions.toSorted((a = 0, b = 0) => a - b);
    expect(versions).toEqual(growth);
    const different = [...new Set(versions)];
    expect(versions.map((each) => different.indexOf(each))).toEqual([0, 1, 2, 2, 3, 3, 3]);
  });

  test('names and values of published sets are returned in the requested order, or by key', async () => {
    const set = (number: string) => aSet({ number, title: `Set ${number}` });
    await store.market.applyRows(
      ['1', '2', '3'].map((number) => ({ kind: 'set', source: 'feed', facts: set(number) })),
      now,
    );
    const points = [{ valueCents: 5, lowCents: 4, highCents: 6, salesCount: 1, event: null }];
    const document = (id: number) =>
      aPublishedItem({
        id,
        version: 2,
        at: now,
        name: `Set ${id}`,
        theme: 'Huts',
        newCents: id * 100,
        evidence: someEvidence({ tier: 'high' }),
        series: { sealed: aSeries(24_000, points), used: null },
      });
    await store.market.publish([document(1), document(2)]);
    const months = { sealed: { firstMonth: 24_000, valueCents: [5] }, used: null };
    const past = { months, early: { sealed: [], used: [] } };
    const one = { newCents: 100, usedCents: null, ...past };
    const two = { newCents: 200, usedCents: null, ...past };
    expect(await store.market.findItemValues('set', ['2', '3', '1', '2'])).toEqual([
      two,
      null,
      one,
      two,
    ]);
    const listed = await store.market.findListedItems('set', ['2', '3']);
    expect([...listed]).toEqual([
      [
        '2',
        {
          number: '2',
          title: 'Set 2',
          theme: 'Huts',
          newCents: 200,
          usedCents: null,
          newTier: 'high',
          usedTier: 'modeled',
        },
      ],
    ]);
  });
});
