/** Guarantees of every store about the sales of a lot, and the lots of a sale. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import { engines } from '../../../test/support/engines.ts';
import { applyRows, rowsOf } from '../../../test/support/own-rows.ts';
import type { Store } from '../../store/store.ts';
import type { PrivateRow } from './private-rows.ts';

const now = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';
const { brickfolio, sale, ...rows } = rowsOf(email);
const lot = (sourceId: string, purchaseDate: string) =>
  rows.lot(sourceId, { purchaseDate, isEstimated: true });

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let ann: number;
  let bob: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-ties-'));
    store = await open(folder);
    ann = await addAccount(email);
    bob = await addAccount('bob@example.com');
    await apply(
      brickfolio('Shelf'),
      lot('first', '2024-01-01'),
      lot('second', '2025-02-02'),
      lot('third', '2026-03-03'),
      sale('of two lots', { quantity: 3 }),
      sale('of the second', { lot: 'second', saleDate: '2026-05-07' }),
      sale('of none', { costCents: 1_00 }),
    );
  });

  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function addAccount(address: string): Promise<number> {
    return (await store.accounts.addAccount(anAccount({ email: address, at: now })))?.id ?? 0;
  }

  async function apply(...rows: PrivateRow[]): Promise<void> {
    const outcomes = await applyRows(store.accounts, rows, now);
    expect(outcomes.filter((outcome) => outcome.kind === 'rejected')).toEqual([]);
  }

  const itemOf = async () => ({
    kind: 'set' as const,
    key: (await store.accounts.findLot(ann, 1))?.key ?? '',
  });

  test('sold-out lots stay in the inventory of their owner', async () => {
    const { accounts } = store;
    const options = { after: 0, limit: 9 };
    const soldOut = (await accounts.listInventory(ann, options)).filter(
      ({ quantity, sold }) => sold === quantity,
    );
    expect(soldOut).toMatchObject([
      { purchaseDate: '2024-01-01' },
      { purchaseDate: '2025-02-02', sold: 2, isEstimated: true },
    ]);
    expect(await accounts.listInventory(bob, options)).toEqual([]);
  });

  test('lots of a set with units left are listed', async () => {
    const left = await store.accounts.listLotsOfItem(ann, await itemOf(), 9);
    expect(left.map((row) => row.sourceId)).toEqual(['third']);
    expect(await store.accounts.listLotsOfItem(ann, await itemOf(), 0)).toEqual([]);
    expect(await store.accounts.listLotsOfItem(bob, await itemOf(), 9)).toEqual([]);
  });

  test('a lot lists its sales, and a sale its lots', async () => {
    const { accounts } = store;
    const lots = await accounts.listInventory(ann, { after: 0, limit: 9 });
    const idOf = (day: string) => lots.find((lot) => lot.purchaseDate === day)?.id ?? 0;
    const [second, first] = [idOf('2025-02-02'), idOf('2024-01-01')];
    const sales = await accounts.listLotSales(ann, second, 9);
    const [one, both] = sales.map(({ saleId }) => saleId);
    expect(sales).toEqual([
      { saleId: one ?? 0, saleDate: '2026-05-07', platform: 'ebay', quantity: 1 },
      { saleId: both ?? 0, saleDate: '2026-05-06', platform: 'ebay', quantity: 1 },
    ]);
    const onShelf = { brickfolio: 'Shelf', dateBasis: 'known' as const };
    expect(await accounts.listSaleLots(ann, both ?? 0, 9)).toEqual([
      { ...onShelf, lotId: first, purchaseDate: '2024-01-01', quantity: 2 },
      { ...onShelf, lotId: second, purchaseDate: '2025-02-02', quantity: 1 },
    ]);
    expect(await accounts.listSaleLots(bob, both ?? 0, 9)).toEqual([]);
    expect(await accounts.listLotSales(bob, second, 9)).toEqual([]);
  });

  test('takes of sales have purchase dates', async () => {
    const { accounts } = store;
    const ids = (await accounts.listSales(ann, { limit: 9, offset: 0 })).rows.map((row) => row.id);
    expect(ids).toHaveLength(3);
    const takes = [...(await accounts.listTakes(ann, ids)).values()];
    const days = takes.map((of) => of.map((take) => [take.purchaseDate, take.quantity]));
    expect(days.sort((a, b) => b.length - a.length)).toEqual([
      [
        ['2024-01-01', 2],
        ['2025-02-02', 1],
      ],
      [['2025-02-02', 1]],
    ]);
    expect(await accounts.listTakes(bob, ids)).toEqual(new Map());
    expect(await accounts.listTakes(ann, [])).toEqual(new Map());
  });
});
