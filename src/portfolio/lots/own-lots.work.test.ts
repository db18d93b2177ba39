/** Concurrent changes of lots, from two windows: the number of units stays correct. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aBrickfolio, aLot, anAccount } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { dayMs } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import type { OwnLot } from './lots.ts';
import { addLots, applyAll, changeLot, type OwnerAction, splitLot } from './own-lots.work.ts';

const at = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';
const all = { brickfolioId: null, limit: 250, offset: 0 };
const meanwhile = {
  ok: false,
  reason: 'the lot was changed since you opened it; check it and try again',
} as const;

const done = { ok: true, editId: null } as const;

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let doing: OwnerAction;
  let lot: OwnLot;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-own-lots-'));
    store = await open(folder);
    const accountId =
      (await store.accounts.addAccount(anAccount({ email, plan: 'free', at })))?.id ?? 0;
    doing = { accounts: store.accounts, accountId, at, formId: 'first' };
    for (const name of ['Shelf', 'Attic']) {
      const rows = [{ kind: 'brickfolio', facts: aBrickfolio({ name }) } as const];
      await applyAll({ ...doing, formId: name }, { rows });
    }
    const { sourceId: _sourceId, brickfolio: _brickfolio, ...bought } = aLot({ quantity: 10 });
    const brickfolio = { name: 'Shelf', isNew: false };
    await addLots(doing, { lots: [bought], brickfolio });
    lot = await currentLot();
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const form = (formId: string) => ({ ...doing, formId });

  const units = async () =>
    (await store.accounts.listEntries(doing.accountId, all))?.rows.map((row) => row.units);

  async function currentLot(): Promise<OwnLot> {
    const found = await store.accounts.findLot(doing.accountId, lot?.id ?? 1);
    if (!found) throw new Error('There is no lot.');
    return found;
  }

  test('one of many concurrent splits succeeds, and the others are rejected as stale', async () => {
    const split = (n: number) =>
      splitLot(form(`form ${n}`), lot, { units: 4, brickfolio: 'Shelf' });
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, n) => split(n)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(outcomes.filter(({ ok }) => !ok)).toEqual(Array(7).fill(meanwhile));
    expect((await units())?.sort()).toEqual([4, 6]);
  });

  test('a split that is submitted many times at once is done once, and none is rejected', async () => {
    const options = { units: 4, brickfolio: 'Attic' };
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => splitLot(form('form'), lot, options)),
    );
    expect(outcomes).toEqual(Array(8).fill(done));
    expect((await units())?.sort()).toEqual([4, 6]);
  });

  test('a lot that was added and changed stays as it is if its form is sent days later', async () => {
    expect(await changeLot(form('a'), lot, { quantity: 3 })).toEqual(done);
    const later = { ...doing, at: at + 2 * dayMs };
    while ((await store.accounts.sweep(later.at, 100)) > 0);
    const { sourceId: _, brickfolio: __, ...bought } = aLot({ quantity: 10 });
    const brickfolio = { name: 'Shelf', isNew: false };
    expect(await addLots(later, { lots: [bought], brickfolio })).toEqual(done);
    expect(await units()).toEqual([3]);
  });

  test('a change does not undo one that it has not seen', async () => {
    await splitLot(form('a'), lot, { units: 4, brickfolio: 'Shelf' });
    expect(await changeLot(form('b'), lot, { status: 'listed' })).toEqual(meanwhile);
    expect((await currentLot()).quantity).toBe(6);
    expect(await changeLot(form('c'), await currentLot(), { status: 'listed' })).toEqual(done);
  });

  test('a new condition removes a grade that does not fit it, and a given one has to fit', async () => {
    expect(await changeLot(form('a'), lot, { grade: 'perfect' })).toEqual(done);
    const used = { condition: 'used' } as const;
    expect(await changeLot(form('b'), await currentLot(), { ...used, grade: 'perfect' })).toEqual({
      ok: false,
      reason: "the grade 'perfect' is for sealed, not used",
    });
    const seen = await currentLot();
    const outcomes = await Promise.all([1, 2].map(() => changeLot(form('c'), seen, used)));
    expect(outcomes).toEqual(Array(2).fill(done));
    expect(await currentLot()).toMatchObject({ condition: 'used', grade: null });
  });

  test('a change that is submitted twice at once is not rejected', async () => {
    const change = { quantity: 7, brickfolio: 'Attic' };
    const outcomes = await Promise.all([1, 2, 3].map(() => changeLot(form('a'), lot, change)));
    expect(outcomes).toEqual(Array(3).fill(done));
    expect(await units()).toEqual([7]);
  });

  test('a deleted lot is not restored by a change', async () => {
    const rows = [{ kind: 'lot_removal', lotId: lot.id } as const];
    await store.accounts.change(doing.accountId, { rows }, at);
    expect(await changeLot(form('a'), lot, { quantity: 3 })).toEqual(meanwhile);
    expect(await units()).toEqual([]);
  });
});
