/** Undoing an import, except for what was changed or sold since. */
import { describe, expect, test } from 'bun:test';
import { aBrickfolio, aLot } from '../../test/support/builders.ts';
import type { RowOutcome } from '../domain/market/market-ingest.ts';
import type { LotFacts, StoredLot } from '../domain/portfolio/lots.ts';
import type { PrivateRow } from '../domain/portfolio/private-rows.ts';
import { type ImportUndo, UndoRecorder, undoImport } from './import-undo.ts';
import type { OwnerAction } from './own-lots.ts';

const lotOf = (sourceId: string, quantity = 1) => aLot({ sourceId, quantity });

const email = 'ann@example.com';
const holding = (facts: LotFacts): PrivateRow => ({ kind: 'holding', email, facts });
const sale = (sourceId: string) =>
  ({ kind: 'ledger_sale', email, facts: { sourceId } }) as unknown as PrivateRow;
const shelf = { kind: 'brickfolio', email, facts: aBrickfolio({ isDefault: true }) } as const;

describe('the undo data of an import', () => {
  /** Records the outcomes of rows, some of whose lots existed before. */
  function recorderOf(outcomes: readonly RowOutcome['kind'][], before: readonly LotFacts[] = []) {
    const known = new Map(
      before.map((lot): [string, StoredLot] => [lot.sourceId, { ...lot, sold: 0 }]),
    );
    const asked: string[][] = [];
    let at = 0;
    const recorder = new UndoRecorder(
      {
        findLots: async (_: number, ids: readonly string[]) => {
          asked.push([...ids]);
          return known;
        },
        applyRows: async (rows: readonly PrivateRow[]) =>
          rows.map(() => ({ kind: outcomes[at++] }) as RowOutcome),
      },
      5,
    );
    return { recorder, asked };
  }
  const nothing: ImportUndo = { lots: [], sales: [], changed: [], changedLots: 0, changedSales: 0 };

  test('has the lots and sales it added, and changed lots as they were', async () => {
    const kinds = ['added', 'added', 'added', 'updated', 'updated', 'unchanged'] as const;
    const { recorder, asked } = recorderOf(kinds, [lotOf('b', 5)]);
    const rows = [shelf, holding(lotOf('a')), sale('s'), holding(lotOf('b', 2)), sale('t')];
    await recorder.applyRows([...rows, holding(lotOf('c'))], 9);
    expect(asked).toEqual([['a', 'b', 'c']]);
    expect(recorder.undo).toEqual({
      lots: ['a'],
      sales: ['s'],
      changed: [{ before: lotOf('b', 5), after: lotOf('b', 2) }],
      changedLots: 0,
      changedSales: 1,
    });
  });

  test('has nothing about rejected rows', async () => {
    const { recorder } = recorderOf(['rejected', 'rejected']);
    await recorder.applyRows([holding(lotOf('a')), sale('s')], 9);
    expect(recorder.undo).toEqual(nothing);
  });

  test('has a lot that is in a file twice as it was before the first', async () => {
    const { recorder } = recorderOf(['updated', 'updated'], [lotOf('a', 5)]);
    await recorder.applyRows([holding(lotOf('a', 2))], 9);
    await recorder.applyRows([holding(lotOf('a', 3))], 9);
    expect(recorder.undo.changed).toEqual([{ before: lotOf('a', 5), after: lotOf('a', 3) }]);
  });

  test('has a lot that was added and then updated only as added', async () => {
    const { recorder } = recorderOf(['added', 'updated', 'added', 'updated'], [lotOf('a', 5)]);
    await recorder.applyRows([holding(lotOf('a')), holding(lotOf('a', 2))], 9);
    await recorder.applyRows([sale('s'), sale('s')], 9);
    expect(recorder.undo).toEqual({ ...nothing, lots: ['a'], sales: ['s'] });
  });

  test('counts a changed lot that did not exist before, once', async () => {
    const { recorder } = recorderOf(['updated', 'updated']);
    await recorder.applyRows([holding(lotOf('a')), holding(lotOf('a'))], 9);
    expect(recorder.undo).toEqual({ ...nothing, changedLots: 1 });
  });

  test('has up to 2,000 changed lots, and counts the others', async () => {
    const lots = Array.from({ length: 2_002 }, (_, index) => lotOf(String(index)));
    const again = lots.slice(0, 1);
    const { recorder } = recorderOf(Array(2_003).fill('updated'), lots);
    await recorder.applyRows([...lots, ...again].map(holding), 9);
    expect(recorder.undo.changed).toHaveLength(2_000);
    expect(recorder.undo.changedLots).toBe(2);
  });
});

describe('undoing an import', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => String(index));

  /** A store in which some lots have been changed or sold since. */
  function actionOf(stays: readonly string[] = []) {
    const calls: string[] = [];
    const restored: PrivateRow[] = [];
    const gone = (ids: readonly string[]) => ids.filter((id) => !stays.includes(id)).length;
    const accounts = {
      removeRecorded: async (
        _: number,
        { sales, lots }: { readonly sales: readonly string[]; readonly lots: readonly string[] },
      ) => {
        calls.push(`${sales.length} sales, ${lots.length} lots`);
        return { sales: gone(sales), lots: gone(lots) };
      },
      applyRows: async (rows: readonly PrivateRow[]): Promise<RowOutcome[]> => {
        calls.push(`${rows.length} changes`);
        restored.push(...rows);
        return rows.map(({ facts }) => {
          const isThere = stays.includes((facts as LotFacts).sourceId);
          return isThere
            ? { kind: 'rejected', reason: 'changed', missing: false }
            : { kind: 'updated' };
        });
      },
    };
    const action = { accounts, who: { accountId: 5, email }, at: 9 } as unknown as OwnerAction;
    return { action, calls, restored };
  }
  const changed = (sourceId: string) => ({
    before: lotOf(sourceId, 5),
    after: lotOf(sourceId, 2),
  });

  test('removes sales first, then lots, and restores changed lots', async () => {
    const { action, calls, restored } = actionOf();
    const undo = { lots: ['a', 'b'], sales: ['s'], changed: [changed('c')] };
    expect(await undoImport(action, { ...undo, changedLots: 0, changedSales: 0 })).toEqual({
      lots: 2,
      sales: 1,
      restored: 1,
      kept: 0,
      keptSales: 0,
    });
    expect(calls).toEqual(['1 sales, 0 lots', '0 sales, 2 lots', '1 changes']);
    expect(restored).toEqual([
      { kind: 'holding', email, facts: lotOf('c', 5), seen: lotOf('c', 2) },
    ]);
  });

  test('counts what stays', async () => {
    const { action } = actionOf(['a', 'c']);
    const undo = { lots: ['a', 'b'], sales: ['s'], changed: ['c', 'd', 'e'].map(changed) };
    expect(await undoImport(action, { ...undo, changedLots: 10, changedSales: 4 })).toEqual({
      lots: 1,
      sales: 1,
      restored: 2,
      kept: 12,
      keptSales: 4,
    });
  });

  test('works in batches', async () => {
    const { action, calls } = actionOf();
    const undo = { lots: names(501), sales: names(500), changed: names(1_000).map(changed) };
    const { kept } = await undoImport(action, { ...undo, changedLots: 0, changedSales: 0 });
    expect(kept).toBe(0);
    expect(calls).toEqual([
      '500 sales, 0 lots',
      '0 sales, 500 lots',
      '0 sales, 1 lots',
      '500 changes',
      '500 changes',
    ]);
  });

  test('without data does nothing', async () => {
    const { action, calls } = actionOf();
    await undoImport(action, { lots: [], sales: [], changed: [], changedLots: 0, changedSales: 0 });
    expect(calls).toEqual([]);
  });
});
