/** Guarantees of every store about edits of many lots, undo, and saved views. */
import { expect, test } from 'bun:test';
import { type Owner, sharedNow, shareStore } from '../../../test/support/shared-store.ts';
import { dayMs } from '../../domain/kernel/time.ts';
import { editsKept, type LotEdit } from '../../domain/portfolio/lot-edits.ts';
import { viewLimits } from '../../domain/portfolio/saved-views.ts';

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

const edit = async (accountId: number, change: LotEdit, at = sharedNow) => {
  const result = await stored().editLots(accountId, change, at);
  if (result === 'no collection') throw new Error('There is no such collection.');
  return result;
};

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
  const changes: readonly [LotEdit, object, number][] = [
    [{ kind: 'move', lotIds, brickfolioId: attic }, { brickfolioId: attic }, 3],
    [
      { kind: 'price', prices: lotIds.map((lotId) => ({ lotId, priceCents: 7_00 })) },
      { priceCents: 7_00, isEstimated: false },
      3,
    ],
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
    expect(await stored().undoEdit(id, result.id ?? 0, sharedNow)).toBe(changed);
    expect(await list(id)).toEqual(before);
    expect(await stored().undoEdit(id, result.id ?? 0, sharedNow)).toBe('missing');
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
  const prices = [
    { lotId: whole, priceCents: 5_00, seenCents: 10_00 },
    { lotId: part, priceCents: 5_00, seenCents: 9_00 },
  ];
  const priced = await edit(id, { kind: 'price', prices });
  expect(priced).toMatchObject({ changed: 1, refused: { changed: 1 } });
  const deleted = await edit(id, { kind: 'delete', lotIds });
  expect(deleted).toMatchObject({ changed: 1, refused: { sold: 2, missing: 1 } });
  expect((await list(id)).map((lot) => lot.id)).toEqual([part, gone]);
  // Deleted lots are named, too.
  expect(await stored().findEdit(id, deleted.id ?? 0, sharedNow)).toMatchObject({
    items: [{ kind: 'set', number: '1' }],
  });
  expect(await list(stranger.id)).toHaveLength(3);
  const move: LotEdit = { kind: 'move', lotIds: [part], brickfolioId: stranger.attic };
  expect(await stored().editLots(id, move, sharedNow)).toBe('no collection');
  expect(await stored().findEdit(stranger.id, deleted.id ?? 0, sharedNow)).toBeNull();
  expect(await stored().undoEdit(stranger.id, deleted.id ?? 0, sharedNow)).toBe('missing');
});

test('a deleted lot is restored with its id and prediction, unless it was imported again', async () => {
  const { id, owner, whole } = await addOwner();
  const before = await list(id);
  const predicted = await stored().findPrediction(id, whole);
  expect(predicted).not.toBeNull();
  const remove = () => edit(id, { kind: 'delete', lotIds: [whole] });
  const first = await remove();
  expect(await stored().findPrediction(id, whole)).toBeNull();
  expect(await stored().undoEdit(id, first.id ?? 0, sharedNow)).toBe(1);
  expect(await list(id)).toEqual(before);
  expect(await stored().findPrediction(id, whole)).toEqual(predicted);
  const second = await remove();
  await owner.apply(owner.lot('whole'));
  expect(await stored().undoEdit(id, second.id ?? 0, sharedNow)).toBe('changed');
  expect(await list(id)).toHaveLength(3);
});

test('nothing is undone if a lot was changed since, or its collection was removed', async () => {
  const { id, whole, part, attic } = await addOwner();
  const lotIds = [whole, part];
  const moved = await edit(id, { kind: 'move', lotIds, brickfolioId: attic });
  const dated = await edit(id, { kind: 'date', lotIds, purchaseDate: '2026-01-01' });
  await edit(id, { kind: 'date', lotIds: [part], purchaseDate: '2026-01-02' });
  expect(await stored().undoEdit(id, dated.id ?? 0, sharedNow)).toBe('changed');
  expect((await list(id))[0]).toMatchObject({ purchaseDate: '2026-01-01' });
  const shelf = (await stored().findHoldings(id, null)).brickfolios.find(
    ({ id: each }) => each !== attic,
  );
  await stored().removeBrickfolio(id, shelf?.id ?? 0, { lots: 'move', to: attic });
  expect(await stored().undoEdit(id, moved.id ?? 0, sharedNow)).toBe('changed');
});

test('if two requests edit or undo the same at once, one succeeds', async () => {
  const { id, whole, part } = await addOwner();
  const price = (lotId: number) => ({ lotId, priceCents: 33_00, seenCents: 10_00 });
  const change: LotEdit = { kind: 'price', prices: [whole, part, whole].map(price) };
  const made = await Promise.all([1, 2].map(() => edit(id, change)));
  expect(made.map(({ changed }) => changed).sort()).toEqual([0, 2]);
  expect(made.find(({ changed }) => changed === 0)?.refused).toEqual({ changed: 2 });
  const editId = made.find(({ changed }) => changed === 2)?.id ?? 0;
  const undone = await Promise.all([1, 2].map(() => stored().undoEdit(id, editId, sharedNow)));
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
  expect(await stored().undoEdit(id, earlier.id ?? 0, sharedNow)).toBe('changed');
  expect((await list(id))[0]).toMatchObject({ purchaseDate: '2026-01-01', sold: 1 });
  const part2 = await edit(id, { kind: 'date', lotIds: [part], purchaseDate: '2026-01-03' });
  expect(await stored().undoEdit(id, part2.id ?? 0, sharedNow)).toBe(1);
});

test('the latest edits can be undone for a day', async () => {
  const { id, whole } = await addOwner();
  const made: number[] = [];
  for (let price = 1; price <= editsKept + 1; price++) {
    const prices = [{ lotId: whole, priceCents: price }];
    made.push((await edit(id, { kind: 'price', prices })).id ?? 0);
  }
  const [first = 0, second = 0] = made;
  const last = made.at(-1) ?? 0;
  expect(await stored().findEdit(id, first, sharedNow)).toBeNull();
  expect(await stored().findEdit(id, second, sharedNow)).not.toBeNull();
  expect(await stored().findEdit(id, last, sharedNow + dayMs - 1)).not.toBeNull();
  expect(await stored().undoEdit(id, last, sharedNow + dayMs)).toBe('missing');
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
  const made = await edit(id, { kind: 'price', prices: [{ lotId: whole, priceCents: 1 }] });
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

test('a sale edit is kept for a day, for its owner, and is not a lot edit', async () => {
  const { id } = await addOwner();
  const [recorded] = await stored().listRecordedSales(id, { after: 0, limit: 1 });
  if (!recorded) throw new Error('There is no sale.');
  const { sequence: _, ...before } = recorded;
  const { settled: __, ...facts } = before;
  const edit = { before, after: { ...facts, grossCents: 1 } };
  const editId = await stored().keepSaleEdit(id, edit, sharedNow);
  expect(await stored().findSaleEdit(id, editId, sharedNow + dayMs - 1)).toEqual(edit);
  expect(await stored().findSaleEdit(id, editId, sharedNow + dayMs)).toBeNull();
  const other = await shared.addOwner();
  expect(await stored().findSaleEdit(other.id, editId, sharedNow)).toBeNull();
  expect(await stored().findEdit(id, editId, sharedNow)).toBeNull();
  expect(await stored().undoEdit(id, editId, sharedNow)).toBe('missing');
});
