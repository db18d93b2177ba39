/** Undoing an import, except for what was changed or sold since. */
import { describe, expect, test } from 'bun:test';
import { aBrickfolio, aLot } from '../../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import type { LotFacts } from '../../portfolio/lots/lots.ts';
import type { OwnerAction } from '../../portfolio/lots/own-lots.work.ts';
import type {
  AccountChange,
  AccountOutcome,
  AccountRow,
  ChangeResult,
} from '../../portfolio/lots/private-rows.ts';
import { type ImportUndo, UndoRecorder, undoImport } from './import-undo.work.ts';

const shared = shareStore();

const lotOf = (sourceId: string, quantity = 1) => aLot({ sourceId, quantity });

const holding = (facts: LotFacts): AccountRow => ({ kind: 'holding', facts });
const sale = (sourceId: string) =>
  ({ kind: 'ledger_sale', facts: { sourceId } }) as unknown as AccountRow;
const shelf = { kind: 'brickfolio', facts: aBrickfolio({ isDefault: true }) } as const;
const resultOf = (outcomes: readonly AccountOutcome[]): ChangeResult => ({
  outcomes,
  editId: null,
  wasApplied: false,
});

/** Records the outcomes of rows, some of whose lots existed before. */
function recorderOf(outcomes: readonly AccountOutcome['kind'][], before: readonly LotFacts[] = []) {
  const ids = { id: 1, brickfolioId: 1, key: '1' };
  const known = new Map(before.map((lot) => [lot.sourceId, { ...lot, ...ids, sold: 0 }]));
  const asked: string[][] = [];
  let at = 0;
  const recorder = new UndoRecorder({
    findLotsBySourceIds: async (_: number, ids: readonly string[]) => {
      asked.push([...ids]);
      return known;
    },
    change: async (_, { rows }) =>
      resultOf(rows.map(() => ({ kind: outcomes[at++] }) as AccountOutcome)),
  });
  const apply = (rows: readonly AccountRow[]) => recorder.change(5, { rows }, 9);
  return { recorder, asked, apply };
}

/** The undo data of lots that an import added. */
async function addedLots(names: readonly string[]): Promise<ImportUndo['lots']> {
  const { recorder, apply } = recorderOf(names.map(() => 'added'));
  await apply(names.map((name) => holding(lotOf(name))));
  return recorder.undo.lots;
}

describe('the undo data of an import', () => {
  const nothing: ImportUndo = { lots: [], sales: [], changed: [], changedLots: 0, changedSales: 0 };

  test('has the lots and sales it added, and changed lots as they were', async () => {
    const kinds = ['added', 'added', 'added', 'updated', 'updated', 'unchanged'] as const;
    const { recorder, asked, apply } = recorderOf(kinds, [lotOf('b', 5)]);
    const rows = [shelf, holding(lotOf('a')), sale('s'), holding(lotOf('b', 2)), sale('t')];
    await apply([...rows, holding(lotOf('c'))]);
    expect(asked).toEqual([['a', 'b', 'c']]);
    expect(recorder.undo).toEqual({
      lots: [{ sourceId: 'a', hash: expect.any(String) }],
      sales: ['s'],
      changed: [{ before: lotOf('b', 5), after: lotOf('b', 2) }],
      changedLots: 0,
      changedSales: 1,
    });
  });

  test('has nothing about rejected rows', async () => {
    const { recorder, apply } = recorderOf(['rejected', 'rejected']);
    await apply([holding(lotOf('a')), sale('s')]);
    expect(recorder.undo).toEqual(nothing);
  });

  test('has a lot that is in a file twice as it was before the first', async () => {
    const { recorder, apply } = recorderOf(['updated', 'updated'], [lotOf('a', 5)]);
    await apply([holding(lotOf('a', 2))]);
    await apply([holding(lotOf('a', 3))]);
    expect(recorder.undo.changed).toEqual([{ before: lotOf('a', 5), after: lotOf('a', 3) }]);
  });

  test('has a lot that was added and then updated only as added', async () => {
    const { recorder, apply } = recorderOf(
      ['added', 'updated', 'added', 'updated'],
      [lotOf('a', 5)],
    );
    await apply([holding(lotOf('a')), holding(lotOf('a', 2))]);
    await apply([sale('s'), sale('s')]);
    const { lots } = recorder.undo;
    expect(recorder.undo).toEqual({ ...nothing, lots, sales: ['s'] });
    expect(lots.map(({ sourceId }) => sourceId)).toEqual(['a']);
    expect(lots).not.toEqual(await addedLots(['a']));
  });

  test('counts a changed lot that did not exist before, once', async () => {
    const { recorder, apply } = recorderOf(['updated', 'updated']);
    await apply([holding(lotOf('a')), holding(lotOf('a'))]);
    expect(recorder.undo).toEqual({ ...nothing, changedLots: 1 });
  });

  test('has up to 2,000 changed lots, and counts the others', async () => {
    const lots = Array.from({ length: 2_002 }, (_, index) => lotOf(String(index)));
    const again = lots.slice(0, 1);
    const { recorder, apply } = recorderOf(Array(2_003).fill('updated'), lots);
    await apply([...lots, ...again].map(holding));
    expect(recorder.undo.changed).toHaveLength(2_000);
    expect(recorder.undo.changedLots).toBe(2);
  });
});

describe('undoing an import', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => String(index));

  /** A store in which some lots have been changed or sold since. */
  function actionOf(stays: readonly string[] = []) {
    const calls: string[] = [];
    const restored: AccountRow[] = [];
    /** IDs are those of the source. */
    const found = (ids: readonly string[]) => ids.map((id) => [id, id] as const);
    const accounts = {
      findSaleIds: async (_: number, ids: readonly string[]) => new Map(found(ids)),
      findLotsBySourceIds: async (_: number, ids: readonly string[]) =>
        new Map(ids.map((id) => [id, { ...lotOf(id), id }])),
      change: async (_: number, { rows }: AccountChange) => {
        calls.push(`${rows.length} ${rows[0]?.kind}`);
        restored.push(...rows.filter(({ kind }) => kind === 'holding'));
        return resultOf(
          rows.map((row) =>
            stays.includes(nameOf(row))
              ? { kind: 'rejected', reason: 'changed', missing: false }
              : { kind: 'updated' },
          ),
        );
      },
    };
    const action = { accounts, accountId: 5, at: 9 } as unknown as OwnerAction;
    return { action, calls, restored };
  }
  function nameOf(row: AccountRow): string {
    if (row.kind === 'holding') return row.facts.sourceId;
    return String(row.kind === 'lot_removal' ? row.lotId : '');
  }
  const changed = (sourceId: string) => ({
    before: lotOf(sourceId, 5),
    after: lotOf(sourceId, 2),
  });

  test('removes sales first, then lots, and restores changed lots', async () => {
    const { action, calls, restored } = actionOf();
    const undo = { lots: await addedLots(['a', 'b']), sales: ['s'], changed: [changed('c')] };
    expect(await undoImport(action, { ...undo, changedLots: 0, changedSales: 0 })).toEqual({
      lots: 2,
      sales: 1,
      restored: 1,
      kept: 0,
      keptSales: 0,
    });
    expect(calls).toEqual(['1 sale_removal', '2 lot_removal', '1 holding']);
    expect(restored).toEqual([{ kind: 'holding', facts: lotOf('c', 5), seen: lotOf('c', 2) }]);
  });

  test('counts what stays', async () => {
    const { action } = actionOf(['a', 'c']);
    const undo = {
      lots: await addedLots(['a', 'b']),
      sales: ['s'],
      changed: ['c', 'd', 'e'].map(changed),
    };
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
    const undo = { lots: await addedLots(names(501)), sales: names(500) };
    const all = { ...undo, changed: names(1_000).map(changed), changedLots: 0, changedSales: 0 };
    const { kept } = await undoImport(action, all);
    expect(kept).toBe(0);
    expect(calls).toEqual([
      '500 sale_removal',
      '500 lot_removal',
      '1 lot_removal',
      '500 holding',
      '500 holding',
    ]);
  });

  test('without data does nothing', async () => {
    const { action, calls } = actionOf();
    await undoImport(action, { lots: [], sales: [], changed: [], changedLots: 0, changedSales: 0 });
    expect(calls).toEqual([]);
  });
});

test('a lot that was changed since it was added stays, with the change', async () => {
  const { accounts } = shared.store;
  const { id: accountId } = await shared.addOwner();
  const recorder = new UndoRecorder(accounts);
  const facts = { brickfolio: shelf.facts.name, quantity: 1 };
  const lots = ['a', 'b'].map((sourceId) => aLot({ ...facts, sourceId }));
  await recorder.change(accountId, { rows: [shelf, ...lots.map(holding)], isFile: true }, now);
  const noted = aLot({ ...facts, sourceId: 'a', notes: 'A gift' });
  await accounts.change(accountId, { rows: [holding(noted)] }, now);
  const undone = await undoImport({ accounts, accountId, at: now }, recorder.undo);
  expect(undone).toMatchObject({ lots: 1, kept: 1 });
  const left = await accounts.findLotsBySourceIds(accountId, ['a', 'b']);
  expect([...left.values()].map(({ sourceId, notes }) => [sourceId, notes])).toEqual([
    ['a', 'A gift'],
  ]);
});
