/** Guarantees of every store about changes of lots and sales, undo, and saved views. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { type Owner, sharedNow, shareStore } from '../../../test/support/shared-store.ts';
import { dayMs } from '../../kernel/time.ts';
import { editsKept, type LotChange } from './lot-edits.ts';
import { type AccountRow, isRejected, refusedCounts } from './private-rows.ts';
import { viewLimits } from './saved-views.ts';

const shared = shareStore();

const stored = () => shared.store.accounts;

/** Three lots in Shelf, one partly sold and one sold out; Attic is empty. */
async function addOwner() {
  const owner = await shared.addOwner();
  const prediction = {
    at: sharedNow,
    condition: 'sealed',
    valueCents: 1,
    netHalfCents: 2,
    netSafeCents: 3,
    channel: 'ebay',
    waitDays: null,
  } as const;
  await owner.apply(
    owner.brickfolio('Shelf'),
    owner.brickfolio('Attic'),
    {
      ...owner.lot('whole', { isEstimated: true, dateBasis: 'unknown' }),
      prediction,
    } as ReturnType<Owner['lot']>,
    owner.lot('part', { number: '2' }),
    owner.lot('gone', { number: '3' }),
    owner.sale('some', { number: '2', saleDate: '2026-05-06' }),
    owner.sale('all', { number: '3', quantity: 2, saleDate: '2026-06-06' }),
  );
  const { brickfolios } = await stored().findHoldings(owner.id, null);
  const placeOf = (name: string) => brickfolios.find((each) => each.name === name)?.id ?? 0;
  const lots = await list(owner.id);
  const [whole = 0, part = 0, gone = 0] = lots.map(({ id }) => id);
  return { id: owner.id, owner, whole, part, gone, attic: placeOf('Attic') };
}

const list = (accountId: number) => stored().listInventory(accountId, { after: 0, limit: 100 });

type Edit = (
  | { readonly kind: 'delete' }
  | Exclude<LotChange, { readonly kind: 'price' }>
  | { readonly kind: 'price'; readonly priceCents: number; readonly seenCents?: number }
) & { readonly lotIds: readonly number[] };

/** Changes or deletes lots, as a bulk edit does. */
const edit = async (accountId: number, { lotIds, ...change }: Edit, at = sharedNow) => {
  const rows = lotIds.map((lotId) =>
    change.kind === 'delete'
      ? ({ kind: 'lot_removal', lotId } as const)
      : ({ kind: 'lot_change', lotId, change } as const),
  );
  const how = { rows, isPartial: true, undoAs: change.kind };
  const { outcomes, editId: id } = await stored().change(accountId, how, at);
  const changed = outcomes.filter(({ kind }) => kind === 'updated').length;
  return { kind: change.kind, id, changed, refused: refusedCounts(outcomes) };
};

const undo = (accountId: number, editId: number, at = sharedNow, of: 'lots' | 'sale' = 'lots') =>
  stored().undoEdit(accountId, { editId, of }, at);

test('the inventory is read in order of recording, in pages', async () => {
  const { id, whole, part, gone } = await addOwner();
  const first = await stored().listInventory(id, { after: 0, limit: 2 });
  expect(first.map((lot) => lot.id)).toEqual([whole, part]);
  const rest = await stored().listInventory(id, { after: part, limit: 9 });
  expect(rest).toMatchObject([
    { id: gone, kind: 'set', key: '3', quantity: 2, sold: 2, priceCents: 10_00 },
  ]);
});

test('each kind of edit is applied, counted and undone', async () => {
  const { id, whole, part, gone, attic } = await addOwner();
  const before = await list(id);
  const lotIds = [whole, part, gone];
  const changes: readonly [Edit, object, number][] = [
    [{ kind: 'move', lotIds, brickfolioId: attic }, { brickfolioId: attic }, 3],
    [{ kind: 'price', lotIds, priceCents: 7_00 }, { priceCents: 7_00, isEstimated: false }, 3],
    [
      { kind: 'date', lotIds, purchaseDate: '2026-05-06' },
      { purchaseDate: '2026-05-06', dateBasis: 'known' },
      3,
    ],
    [{ kind: 'status', lotIds: [whole, part], status: 'listed' }, { status: 'listed' }, 2],
    [
      {
        kind: 'details',
        lotIds,
        change: { details: { grade: 'light_wear', askingCents: 5 }, own: [['Code', '7']] },
      },
      { grade: 'light_wear', askingCents: 5, ownFields: '{"Code":"7"}' },
      3,
    ],
  ];
  for (const [change, fields, changed] of changes) {
    const result = await edit(id, change);
    expect(result).toMatchObject({ kind: change.kind, changed, refused: {} });
    expect((await list(id)).slice(0, changed)).toMatchObject(Array(changed).fill(fields));
    expect(await stored().findEdit(id, result.id ?? 0, sharedNow)).toEqual({
      id: result.id ?? 0,
      at: sharedNow,
      kind: change.kind,
      changed,
      refused: {},
      items: ['1', '2', '3']
        .slice(0, changed)
        .map((number) => ({ kind: 'set', key: number, number })),
    });
    // Lots that already have the value are not changed.
    expect(await edit(id, change)).toMatchObject({ changed: 0, refused: {}, id: null });
    expect(await undo(id, result.id ?? 0, sharedNow)).toBe(changed);
    expect(await list(id)).toEqual(before);
    expect(await undo(id, result.id ?? 0, sharedNow)).toBe('missing');
  }
});

test('lots that cannot be changed are counted by reason; the others are changed', async () => {
  const { id, whole, part, gone } = await addOwner();
  const stranger = await addOwner();
  const lotIds = [whole, part, gone, stranger.whole];
  const dated = await edit(id, { kind: 'date', lotIds, purchaseDate: '2026-06-01' });
  expect(dated).toMatchObject({ changed: 2, refused: { 'sold earlier': 1, missing: 1 } });
  const listed = await edit(id, { kind: 'status', lotIds, status: 'listed' });
  expect(listed).toMatchObject({ changed: 2, refused: { 'sold out': 1, missing: 1 } });
  await edit(id, { kind: 'price', lotIds: [part], priceCents: 9_00 });
  const priced = { kind: 'price', priceCents: 5_00, seenCents: 10_00 } as const;
  expect(await edit(id, { ...priced, lotIds: [whole, part] })).toMatchObject({
    changed: 1,
    refused: { changed: 1 },
  });
  const deleted = await edit(id, { kind: 'delete', lotIds });
  expect(deleted).toMatchObject({ changed: 1, refused: { sold: 2, missing: 1 } });
  expect((await list(id)).map((lot) => lot.id)).toEqual([part, gone]);
  // Deleted lots are named, too.
  expect(await stored().findEdit(id, deleted.id ?? 0, sharedNow)).toMatchObject({
    items: [{ kind: 'set', number: '1' }],
  });
  expect(await list(stranger.id)).toHaveLength(3);
  const moved = await edit(id, { kind: 'move', lotIds: [part], brickfolioId: stranger.attic });
  expect(moved).toMatchObject({ changed: 0, refused: { 'no collection': 1 }, id: null });
  expect(await stored().findEdit(stranger.id, deleted.id ?? 0, sharedNow)).toBeNull();
  expect(await undo(stranger.id, deleted.id ?? 0, sharedNow)).toBe('missing');
});

test('a deleted lot is restored with its id and prediction, unless it was imported again', async () => {
  const { id, owner, whole } = await addOwner();
  const before = await list(id);
  const predicted = await stored().findPrediction(id, whole);
  expect(predicted).not.toBeNull();
  const remove = () => edit(id, { kind: 'delete', lotIds: [whole] });
  const first = await remove();
  expect(await stored().findPrediction(id, whole)).toBeNull();
  expect(await undo(id, first.id ?? 0, sharedNow)).toBe(1);
  expect(await list(id)).toEqual(before);
  expect(await stored().findPrediction(id, whole)).toEqual(predicted);
  const second = await remove();
  await owner.apply(owner.lot('whole'));
  expect(await undo(id, second.id ?? 0, sharedNow)).toBe('changed');
  expect(await list(id)).toHaveLength(3);
});

test('nothing is undone if a lot was changed since, or its collection was removed', async () => {
  const { id, whole, part, attic } = await addOwner();
  const lotIds = [whole, part];
  const moved = await edit(id, { kind: 'move', lotIds, brickfolioId: attic });
  const dated = await edit(id, { kind: 'date', lotIds, purchaseDate: '2026-01-01' });
  await edit(id, { kind: 'date', lotIds: [part], purchaseDate: '2026-01-02' });
  expect(await undo(id, dated.id ?? 0, sharedNow)).toBe('changed');
  expect((await list(id))[0]).toMatchObject({ purchaseDate: '2026-01-01' });
  const shelf = (await stored().findHoldings(id, null)).brickfolios.find(
    ({ id: each }) => each !== attic,
  );
  await stored().removeBrickfolio(id, shelf?.id ?? 0, { lots: 'move', to: attic });
  expect(await undo(id, moved.id ?? 0, sharedNow)).toBe('changed');
});

test('nothing is undone that has values of a field that was renamed or removed since', async () => {
  const { id, owner, part, whole } = await addOwner();
  await owner.apply(owner.lot('whole', { ownFields: '{"Code":"7"}' }));
  const change = { details: {}, own: [['Code', null]] } as const;
  const emptied = await edit(id, { kind: 'details', lotIds: [whole], change });
  const deleted = await edit(id, { kind: 'delete', lotIds: [whole] });
  expect(await undo(id, deleted.id ?? 0)).toBe(1);
  const filled = { details: {}, own: [['Code', '8']] } as const;
  await edit(id, { kind: 'details', lotIds: [whole], change: filled });
  const again = await edit(id, { kind: 'delete', lotIds: [whole] });
  const [field] = await stored().listOwnFields(id);
  for (const name of ['Art', null]) {
    expect(await stored().changeOwnField(id, field?.id ?? 0, name)).toBe('done');
    expect(await undo(id, again.id ?? 0)).toBe('changed');
    expect(await undo(id, emptied.id ?? 0)).toBe('changed');
  }
  expect((await list(id)).map((lot) => lot.id)).not.toContain(whole);
  expect((await list(id)).find((lot) => lot.id === part)?.ownFields).toBeNull();
  // With the field, it comes back.
  await stored().addOwnField(id, 'Code');
  expect(await undo(id, again.id ?? 0)).toBe(1);
});

test('if two requests edit or undo the same at once, one succeeds', async () => {
  const { id, whole, part } = await addOwner();
  const price = { kind: 'price', priceCents: 33_00, seenCents: 10_00 } as const;
  const change = { ...price, lotIds: [whole, part] };
  const made = await Promise.all([1, 2].map(() => edit(id, change)));
  expect(made.map(({ changed }) => changed).sort()).toEqual([0, 2]);
  expect(made.find(({ changed }) => changed === 0)?.refused).toEqual({ changed: 2 });
  const editId = made.find(({ changed }) => changed === 2)?.id ?? 0;
  const undone = await Promise.all([1, 2].map(() => undo(id, editId, sharedNow)));
  expect(undone.sort()).toEqual([2, 'missing']);
  expect((await list(id)).map(({ priceCents }) => priceCents)).toEqual([10_00, 10_00, 10_00]);
});

test('a date is not restored if that would be after a sale recorded since', async () => {
  const { id, owner, whole, part } = await addOwner();
  const known = await edit(id, { kind: 'date', lotIds: [whole], purchaseDate: '2026-07-01' });
  expect(known.changed).toBe(1);
  const earlier = await edit(id, {
    kind: 'date',
    lotIds: [whole, part],
    purchaseDate: '2026-01-01',
  });
  await owner.apply(owner.sale('new', { lot: 'whole', saleDate: '2026-02-02' }));
  expect(await undo(id, earlier.id ?? 0, sharedNow)).toBe('changed');
  expect((await list(id))[0]).toMatchObject({ purchaseDate: '2026-01-01', sold: 1 });
  const part2 = await edit(id, { kind: 'date', lotIds: [part], purchaseDate: '2026-01-03' });
  expect(await undo(id, part2.id ?? 0, sharedNow)).toBe(1);
});

test('the latest edits can be undone for a day', async () => {
  const { id, whole } = await addOwner();
  const made: number[] = [];
  for (let price = 1; price <= editsKept + 1; price++) {
    made.push((await edit(id, { kind: 'price', lotIds: [whole], priceCents: price })).id ?? 0);
  }
  const [first = 0, second = 0] = made;
  const last = made.at(-1) ?? 0;
  expect(await stored().findEdit(id, first, sharedNow)).toBeNull();
  expect(await stored().findEdit(id, second, sharedNow)).not.toBeNull();
  expect(await stored().findEdit(id, last, sharedNow + dayMs - 1)).not.toBeNull();
  expect(await undo(id, last, sharedNow + dayMs)).toBe('missing');
  await stored().sweep(sharedNow + dayMs, 1_000);
  expect(await stored().findEdit(id, last, sharedNow)).toBeNull();
});

test('views are saved by name, one is the default, and their number is limited', async () => {
  const [ann, bob] = [await shared.addOwner(), await shared.addOwner()];
  const save = (name: string, query: string) =>
    stored().saveView(ann.id, { name, query }, sharedNow);
  expect(await save('Used', 'condition=used')).toBe('done');
  expect(await save('Listed', 'status=owned')).toBe('done');
  expect(await save('Listed', 'status=listed')).toBe('done');
  const views = await stored().listSavedViews(ann.id);
  expect(views).toMatchObject([
    { name: 'Used', query: 'condition=used', isDefault: false },
    { name: 'Listed', query: 'status=listed', isDefault: false },
  ]);
  const [used = 0, listed = 0] = views.map(({ id }) => id);
  const defaults = async () =>
    (await stored().listSavedViews(ann.id)).map(({ isDefault }) => isDefault);
  expect(await stored().setDefaultView(ann.id, used)).toBe(true);
  expect(await stored().setDefaultView(ann.id, listed)).toBe(true);
  expect(await defaults()).toEqual([false, true]);
  expect(await stored().setDefaultView(bob.id, used)).toBe(false);
  expect(await stored().removeView(bob.id, used)).toBe(false);
  expect(await stored().setDefaultView(ann.id, null)).toBe(true);
  expect(await defaults()).toEqual([false, false]);
  expect(await stored().removeView(ann.id, used)).toBe(true);
  for (let number = 1; number < viewLimits.views; number++) await save(`View ${number}`, '');
  expect(await save('One more', '')).toBe('too many');
  expect(await save('Listed', 'q=a')).toBe('done');
  expect(await stored().saveView(0, { name: 'A', query: '' }, sharedNow)).toBe('no account');
});

test('undo data, views and files are removed with their account', async () => {
  const { id, owner, whole } = await addOwner();
  const made = await edit(id, { kind: 'price', lotIds: [whole], priceCents: 1 });
  await stored().saveView(id, { name: 'Mine', query: 'q=x' }, sharedNow);
  const file = { name: 'a.csv', content: new Uint8Array([1]), path: '/x', at: sharedNow };
  const draft = (await stored().addImportDraft(id, file)) ?? 0;
  const left = async () => [
    await stored().findEdit(id, made.id ?? 0, sharedNow),
    (await stored().listSavedViews(id))[0] ?? null,
    await stored().findImportDraft(id, draft, sharedNow),
  ];
  expect((await left()).every((each) => each !== null)).toBe(true);
  const listed = await stored().listEdits(id, { before: null, limit: 5 });
  expect(listed).toMatchObject([{ id: made.id, at: sharedNow, kind: 'price', changed: 1 }]);
  expect(await stored().listEdits(id, { before: made.id, limit: 5 })).toEqual([]);
  await stored().removeAccount(owner.email);
  expect(await left()).toEqual([null, null, null]);
});

/** A stored sale, and the row that changes it. */
async function saleOf(accountId: number) {
  const [recorded] = await stored().listRecordedSales(accountId, { after: 0, limit: 1 });
  if (!recorded) throw new Error('There is no sale.');
  const { sequence, settled: _, ...seen } = recorded;
  const changed = (facts: Partial<typeof seen>, from = seen) =>
    ({ kind: 'ledger_sale', facts: { ...seen, ...facts }, seen: from }) as const;
  return { recorded, saleId: sequence, seen, changed };
}

test('a change of a sale is undone with its units and cost, for a day, by its owner', async () => {
  const { id } = await addOwner();
  const before = await list(id);
  const { recorded, changed } = await saleOf(id);
  const how = { rows: [changed({ quantity: 2, grossCents: 1 })], undoAs: 'sale' } as const;
  const { editId, outcomes } = await stored().change(id, how, sharedNow);
  expect(outcomes).toEqual([{ kind: 'updated' }]);
  expect((await list(id)).map(({ sold }) => sold)).toEqual([0, 2, 2]);
  const undoIt = (accountId: number, at = sharedNow) => undo(accountId, editId ?? 0, at, 'sale');
  expect(await undoIt((await shared.addOwner()).id)).toBe('missing');
  expect(await undoIt(id, sharedNow + dayMs)).toBe('missing');
  // The inventory shows and undoes changes of lots only.
  expect(await undo(id, editId ?? 0)).toBe('missing');
  expect(await stored().findEdit(id, editId ?? 0, sharedNow)).toBeNull();
  expect(await undoIt(id)).toBe(1);
  expect((await saleOf(id)).recorded).toEqual(recorded);
  expect(await list(id)).toEqual(before);
  expect(await undoIt(id)).toBe('missing');
});

test('a sale that was changed since it was seen is neither changed nor undone', async () => {
  const { id } = await addOwner();
  const { changed, seen } = await saleOf(id);
  const change = async (row: ReturnType<typeof changed>) => {
    const { outcomes, editId } = await stored().change(
      id,
      { rows: [row], undoAs: 'sale' },
      sharedNow,
    );
    return outcomes.some(isRejected) ? outcomes : editId;
  };
  const first = await change(changed({ grossCents: 1 }));
  expect(await change(changed({ grossCents: 2 }))).toMatchObject([
    { reason: 'the sale was changed since you opened it; check it and try again' },
  ]);
  await change(changed({ grossCents: 3 }, { ...seen, grossCents: 1 }));
  expect(await undo(id, Number(first), sharedNow, 'sale')).toBe('changed');
});

test('a form is applied once, also if it is sent many times at once', async () => {
  const { id, whole } = await addOwner();
  const change = { kind: 'price', priceCents: 7_00, seenCents: 10_00 } as const;
  const rows = [{ kind: 'lot_change', lotId: whole, change } as const];
  const send = (form: string) =>
    stored().change(id, { rows, undoAs: 'price', sent: { id: form } }, sharedNow);
  const results = await Promise.all(['a', 'a', 'a'].map(send));
  expect(results.filter(({ wasApplied }) => !wasApplied)).toHaveLength(1);
  expect(new Set(results.map(({ editId }) => editId)).size).toBe(1);
  expect((await send('b')).outcomes.some(isRejected)).toBe(true);
  expect(await undo(id, results[0]?.editId ?? 0)).toBe(1);
  // Otherwise it would seem to be applied.
  const late = await send('a');
  expect(late.editId).toBeNull();
  expect(late.outcomes).toMatchObject([{ reason: expect.stringContaining('undone or removed') }]);
  expect((await list(id)).find((lot) => lot.id === whole)?.priceCents).toBe(10_00);
  // A rejected form is not remembered.
  expect(await stored().findSentForms(id, ['a', 'b'])).toEqual(new Set(['a']));
  await stored().sweep(sharedNow + dayMs, 1_000);
  expect(await stored().findSentForms(id, ['a'])).toEqual(new Set());
});

test('a form whose lot, sale or collection was removed since is refused', async () => {
  const { id, owner } = await addOwner();
  const send = (sent: string, rows: readonly AccountRow[]) =>
    stored().change(id, { rows, sent: { id: sent } }, sharedNow);
  const lot = [owner.lot('new')];
  const sale = [owner.sale('late', { lot: 'new', saleDate: '2026-08-08' })];
  const place = [owner.brickfolio('Loft')];
  for (const [sent, rows] of [
    ['lot', lot],
    ['sale', sale],
    ['place', place],
  ] as const) {
    expect((await send(sent, rows)).outcomes.some(isRejected)).toBe(false);
    expect(await send(sent, rows)).toEqual({ outcomes: [], editId: null, wasApplied: true });
  }
  const [saleId = 0] = (await stored().findSaleIds(id, ['late'])).values();
  const loft = (await stored().listBrickfolios(id)).find(({ name }) => name === 'Loft');
  const lotId = (await list(id)).at(-1)?.id ?? 0;
  await stored().change(id, { rows: [{ kind: 'sale_removal', saleId }] }, sharedNow);
  await stored().change(id, { rows: [{ kind: 'lot_removal', lotId }] }, sharedNow);
  await stored().removeBrickfolio(id, loft?.id ?? 0, { lots: 'remove', to: null });
  const before = await list(id);
  for (const [sent, rows] of [
    ['lot', lot],
    ['sale', sale],
    ['place', place],
  ] as const) {
    const { outcomes } = await send(sent, rows);
    expect(outcomes).toMatchObject([{ reason: expect.stringContaining('undone or removed') }]);
  }
  expect(await list(id)).toEqual(before);
});
