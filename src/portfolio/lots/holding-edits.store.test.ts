/** Guarantees of every store when owners change their collections, lots and sales. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aLot, anAccount } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { applyRows, rowsOf } from '../../../test/support/own-rows.ts';
import type { Store } from '../../store/store.ts';
import type { AccountRow, PrivateRow } from './private-rows.ts';

const now = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';
const everything = { brickfolioId: null, limit: 250, offset: 0 };

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let ann: number;
  let bob: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-edits-'));
    store = await open(folder);
    ann = await addAccount(email);
    bob = await addAccount('bob@example.com');
    const hash = Bun.SHA256.hash('k') as Uint8Array as never;
    const key = { email, name: 'k', hash, prefix: 'k', allowance: 9, expiresAt: null, at: now };
    await store.accounts.addKey(key);
    await apply(brickfolio('Shelf'), brickfolio('Attic'));
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

  const version = async () => {
    const keyHash = Bun.SHA256.hash('k') as Uint8Array as never;
    const { admissions } = await store.accounts.admitGroup([{ keyHash, cost: 0 }], now);
    return admissions[0]?.caller.privateVersion ?? -1;
  };

  /** Runs a change, and checks whether it makes cached responses stale. */
  async function raises<T>(isRaised: boolean, change: () => Promise<T>): Promise<T> {
    const before = await version();
    const result = await change();
    expect((await version()) > before).toBe(isRaised);
    return result;
  }

  /** The lots with units left: source id, collection, units left. */
  async function held(): Promise<unknown[]> {
    const found = await store.accounts.listEntries(ann, everything);
    const lots = await Promise.all(
      (found?.rows ?? []).map(({ id }) => store.accounts.findLot(ann, id)),
    );
    return lots
      .map((each) => each && [each.sourceId, each.brickfolio, each.quantity - each.sold])
      .sort();
  }

  /** Removes rows; returns the outcome of each, or why it was refused. */
  async function removed(accountId: number, ...rows: AccountRow[]): Promise<string[]> {
    const { outcomes } = await store.accounts.change(accountId, { rows }, now);
    return outcomes.map((each) => (each.kind === 'rejected' ? (each.refusal ?? '') : each.kind));
  }

  async function idOf(sourceId: string): Promise<number> {
    const found = await store.accounts.listEntries(ann, everything);
    for (const { id } of found?.rows ?? []) {
      if ((await store.accounts.findLot(ann, id))?.sourceId === sourceId) return id;
    }
    return 0;
  }

  test('a lot is found by its id, by its owner only, and says whether its price is estimated', async () => {
    await apply(lot('a', { isEstimated: true }), sale('s'));
    const id = await idOf('a');
    const found = await store.accounts.findLot(ann, id);
    const recorded = aLot({ sourceId: 'a', isEstimated: true });
    expect(found).toEqual({ ...recorded, id, brickfolioId: 1, kind: 'set', key: '1', sold: 1 });
    expect(await store.accounts.findLot(bob, id)).toBeNull();
    const entries = await store.accounts.listEntries(ann, everything);
    expect(entries?.rows).toMatchObject([{ id, isEstimated: true, units: 1 }]);
  });

  test('a change that is not of a file applies all rows or none', async () => {
    await apply(lot('a'), sale('s'));
    const split = (left: number) => [lot('a', { quantity: left }), lot('b', { quantity: 1 })];
    const together = (...rows: PrivateRow[]) => store.accounts.change(ann, { rows }, now);
    const refused = await raises(false, () =>
      together(lot('b', { quantity: 1 }), lot('a', { quantity: 0 })),
    );
    expect(refused.outcomes.map(({ kind }) => kind)).toEqual(['added', 'rejected']);
    expect(await held()).toEqual([['a', 'Shelf', 1]]);
    await apply(lot('a', { quantity: 3 }));
    await raises(true, () => together(...split(2)));
    await raises(false, () => together(...split(2)));
    expect(await held()).toEqual([
      ['a', 'Shelf', 1],
      ['b', 'Shelf', 1],
    ]);
  });

  test('rows can be tried without being written', async () => {
    await apply(lot('a'), sale('s'));
    const before = [await version(), await held(), await store.accounts.listSaleSums(ann)];
    const rehearsal = await store.accounts.rehearse(ann);
    try {
      const kinds = async (...rows: PrivateRow[]) =>
        (await rehearsal.change(ann, { rows, isFile: true }, now)).outcomes.map(({ kind }) => kind);
      expect(await kinds(lot('a'), lot('a', { quantity: 5 }), lot('b'), sale('s'))).toEqual([
        ...(['unchanged', 'updated', 'added', 'unchanged'] as const),
      ]);
      // Earlier rows of the rehearsal count.
      expect(await kinds(sale('t', { quantity: 6 }))).toEqual(['added']);
      expect(await kinds(sale('u'))).toEqual(['rejected']);
    } finally {
      await rehearsal.close();
    }
    const after = [await version(), await held(), await store.accounts.listSaleSums(ann)];
    expect(after).toEqual(before);
    await raises(true, () => apply(lot('b')));
  });

  test('sold units are sold in a rehearsal, too', async () => {
    await apply(lot('a', { quantity: 3 }), sale('s'));
    const rehearsal = await store.accounts.rehearse(ann);
    // The unit the sale took before is free again, and no other.
    const rows = [sale('t', { quantity: 3 }), sale('s', { quantity: 3 }), sale('t')];
    const tried = (await rehearsal.change(ann, { rows, isFile: true }, now)).outcomes;
    await rehearsal.close();
    expect(tried.map(({ kind }) => kind)).toEqual(['rejected', 'updated', 'rejected']);
  });

  test('a lot is removed by its owner, unless units of it were sold', async () => {
    await apply(lot('a'), lot('b', { purchaseDate: '2026-04-01' }), sale('s'));
    const [a, b] = [await idOf('a'), await idOf('b')];
    const remove = (who: number, lotId: number) => removed(who, { kind: 'lot_removal', lotId });
    expect(await raises(false, () => remove(bob, b))).toEqual(['missing']);
    expect(await raises(false, () => remove(ann, a))).toEqual(['sold']);
    expect(await raises(true, () => remove(ann, b))).toEqual(['updated']);
    expect(await raises(false, () => remove(ann, b))).toEqual(['missing']);
    expect(await held()).toEqual([['a', 'Shelf', 1]]);
  });

  test('units of a removed sale return to their lots', async () => {
    await apply(lot('a'), lot('b', { purchaseDate: '2026-04-01' }), sale('s', { quantity: 3 }));
    const [{ id = 0 } = {}] = (await store.accounts.listSales(ann, everything)).rows;
    const found = await store.accounts.findSale(ann, id);
    expect(found).toMatchObject({ id, costCents: 30_00, facts: { sourceId: 's', lot: null } });
    expect(await store.accounts.findSale(bob, id)).toBeNull();
    expect(await held()).toEqual([['b', 'Shelf', 1]]);
    const remove = (who: number) => removed(who, { kind: 'sale_removal', saleId: id });
    expect(await raises(false, () => remove(bob))).toEqual(['unchanged']);
    expect(await raises(true, () => remove(ann))).toEqual(['updated']);
    expect(await raises(false, () => remove(ann))).toEqual(['unchanged']);
    expect(await held()).toEqual([
      ['a', 'Shelf', 2],
      ['b', 'Shelf', 2],
    ]);
  });

  test('several sales are removed at once, each once, and only own ones', async () => {
    await apply(lot('a'), sale('s', { lot: 'a' }), sale('t', { lot: 'a' }));
    const ids = (await store.accounts.listSales(ann, everything)).rows.map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const remove = async (who: number) => {
      const all = [...ids, ...ids, 999_999];
      const done = await removed(
        who,
        ...all.map((saleId) => ({ kind: 'sale_removal', saleId }) as const),
      );
      return done.filter((kind) => kind === 'updated').length;
    };
    expect(await raises(false, () => remove(bob))).toBe(0);
    expect(await remove(ann)).toBe(2);
    expect(await held()).toEqual([['a', 'Shelf', 2]]);
  });

  test('a collection is renamed, unless another one has the name', async () => {
    const { accounts } = store;
    const change = (account: number, id: number, name: string) =>
      accounts.changeBrickfolio(account, id, { name, description: 'Now' });
    expect(await raises(false, () => change(bob, 1, 'Cellar'))).toBe('missing');
    expect(await raises(false, () => change(ann, 1, 'Attic'))).toBe('taken');
    expect(await raises(true, () => change(ann, 1, 'Cellar'))).toBe('done');
    expect((await accounts.findHoldings(ann, null)).brickfolios[0]).toMatchObject({
      name: 'Cellar',
      description: 'Now',
      isDefault: true,
    });
  });

  test('there is one default collection, which the owner chooses', async () => {
    const defaults = async () =>
      (await store.accounts.findHoldings(ann, null)).brickfolios.map((each) => each.isDefault);
    expect(await raises(false, () => store.accounts.setDefault(bob, 2))).toBe(false);
    expect(await raises(true, () => store.accounts.setDefault(ann, 2))).toBe(true);
    expect(await defaults()).toEqual([false, true]);
  });

  test('removing a collection never removes a lot with sales', async () => {
    await apply(lot('sold', { quantity: 1 }), lot('kept', { number: '2' }), sale('s'));
    const { accounts } = store;
    const remove = (account: number, lots: 'move' | 'remove', to: number | null) =>
      accounts.removeBrickfolio(account, 1, { lots, to });
    expect(await accounts.countLots(ann, 1)).toEqual({ lots: 2, withSales: 1 });
    expect(await accounts.countLots(bob, 1)).toBeNull();
    expect(await raises(false, () => remove(bob, 'move', 2))).toBe('missing');
    expect(await raises(false, () => remove(bob, 'remove', null))).toBe('missing');
    expect(await raises(false, () => remove(ann, 'move', 1))).toBe('missing');
    expect(await raises(false, () => remove(ann, 'move', 99))).toBe('missing');
    expect(await raises(false, () => remove(ann, 'remove', null))).toBe('lots left');
    expect(await raises(true, () => remove(ann, 'remove', 2))).toBe('done');
    expect(await accounts.countLots(ann, 2)).toEqual({ lots: 1, withSales: 1 });
    expect(await held()).toEqual([]);
    // The default was removed, so the other collection becomes the default.
    expect((await accounts.findHoldings(ann, null)).brickfolios).toMatchObject([
      { name: 'Attic', isDefault: true },
    ]);
  });

  test('a collection that has other lots than its owner saw is not removed', async () => {
    await apply(lot('a'), lot('b', { number: '2' }), sale('s'));
    const remove = (lots: number, withSales: number) => {
      const seen = { lots, withSales };
      return store.accounts.removeBrickfolio(ann, 1, { lots: 'remove', to: 2, seen });
    };
    for (const [lots, withSales] of [
      [1, 1],
      [2, 0],
      [0, 0],
    ] as const) {
      expect(await raises(false, () => remove(lots, withSales))).toBe('changed');
    }
    expect(await store.accounts.countLots(ann, 1)).toEqual({ lots: 2, withSales: 1 });
    expect(await raises(true, () => remove(2, 1))).toBe('done');
  });

  test('the target collection becomes the default, or else the oldest one', async () => {
    await applyRows(store.accounts, [{ ...brickfolio('His'), email: 'bob@example.com' }], now);
    await apply(brickfolio('Cellar'), brickfolio('Loft'));
    const { accounts } = store;
    const ids = async () =>
      Object.fromEntries(
        (await accounts.findHoldings(ann, null)).brickfolios.map(({ name, id }) => [name, id]),
      );
    const byName = await ids();
    const remove = (name: string, to: string | null) =>
      accounts.removeBrickfolio(ann, byName[name] ?? 0, {
        lots: 'remove',
        to: to === null ? null : (byName[to] ?? 0),
      });
    const defaults = async () =>
      (await accounts.findHoldings(ann, null)).brickfolios.flatMap(({ name, isDefault }) =>
        isDefault ? [name] : [],
      );
    await remove('Shelf', 'Cellar');
    expect(await defaults()).toEqual(['Cellar']);
    await remove('Cellar', null);
    expect(await defaults()).toEqual(['Attic']);
    await remove('Loft', null);
    expect(await defaults()).toEqual(['Attic']);
    await remove('Attic', null);
    expect(await ids()).toEqual({});
  });

  test('many lots are moved in slices, and none is lost', async () => {
    const names = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => String(from + index));
    await apply(
      ...names(0, 150).map((name) => lot(name, { number: '2' })),
      ...names(150, 450).map((name) => lot(name)),
      sale('s', { quantity: 2 * 450 }),
    );
    const remove = () => store.accounts.removeBrickfolio(ann, 1, { lots: 'remove', to: 2 });
    expect(await raises(true, remove)).toBe('done');
    expect(await store.accounts.countLots(ann, 2)).toEqual({ lots: 450, withSales: 450 });
  });

  test('lots of a removed collection are removed with it, or moved to another one', async () => {
    await apply(lot('a'), lot('b', { brickfolio: 'Attic' }));
    const { accounts } = store;
    await accounts.removeBrickfolio(ann, 2, { lots: 'move', to: 1 });
    expect(await held()).toEqual([
      ['a', 'Shelf', 2],
      ['b', 'Shelf', 2],
    ]);
    expect(await accounts.removeBrickfolio(ann, 1, { lots: 'move', to: null })).toBe('lots left');
    expect(await accounts.removeBrickfolio(ann, 1, { lots: 'remove', to: null })).toBe('done');
    expect(await held()).toEqual([]);
  });

  test('sales are summed by month and platform, and filtered by days', async () => {
    const given = { costCents: 5_00 };
    await apply(
      sale('a', given),
      sale('b', { ...given, saleDate: '2026-05-31', quantity: 3 }),
      sale('c', { ...given, platform: 'amazon' }),
      sale('d', { ...given, saleDate: '2025-12-31' }),
    );
    const sums = await store.accounts.listSaleSums(ann);
    const one = { grossCents: 30_00, platformFeesCents: 1_00, paymentFeesCents: 2_00 };
    const rest = { shippingCents: 3_00, costCents: 5_00, sales: 1, units: 1 };
    expect(sums).toEqual([
      { month: '2026-05', platform: 'amazon', ...one, ...rest },
      {
        month: '2026-05',
        platform: 'ebay',
        sales: 2,
        units: 4,
        grossCents: 60_00,
        platformFeesCents: 2_00,
        paymentFeesCents: 4_00,
        shippingCents: 6_00,
        costCents: 10_00,
      },
      { month: '2025-12', platform: 'ebay', ...one, ...rest },
    ]);
    expect(await store.accounts.listSaleSums(bob)).toEqual([]);
    const span = { from: '2025-12-31', to: '2026-05-06' };
    const page = await store.accounts.listSales(ann, { limit: 2, offset: 0, span });
    expect([page.total, page.rows.map((row) => row.saleDate)]).toEqual([
      3,
      ['2026-05-06', '2026-05-06'],
    ]);
  });
});
