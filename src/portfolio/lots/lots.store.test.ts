/** Guarantees of every store about lots: filters, order and pages. */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { expect, test } from 'bun:test';
import { aLot } from '../../../test/support/builders.ts';
import { applyRows } from '../../../test/support/own-rows.ts';
import { type Owner, sharedNow, shareStore } from '../../../test/support/shared-store.ts';
import { dayOf } from '../../kernel/time.ts';

const shared = shareStore();

const everything = { limit: 250, offset: 0 };

/** Another owner has the same lots, to detect missing conditions on the account. */
async function addTwo(fill: (owner: Owner) => Promise<void>): Promise<[Owner, Owner]> {
  const two: [Owner, Owner] = [await shared.addOwner(), await shared.addOwner()];
  for (const owner of two) await fill(owner);
  return two;
}

const shelfOf = async (owner: Owner, name = 'Shelf') => {
  const { brickfolios } = await shared.store.accounts.findHoldings(owner.id, null);
  return brickfolios.find((each) => each.name === name)?.id ?? 0;
};

test('held sets are listed by account, in pages', async () => {
  const [one, other] = await addTwo((owner) =>
    owner.apply(
      owner.brickfolio('Shelf'),
      owner.lot('a', { number: '20' }),
      owner.lot('b', { number: '10' }),
      owner.lot('c', { number: '20', condition: 'used' }),
      owner.lot('gone', { number: '30', quantity: 1 }),
      owner.sale('s', { number: '30' }),
    ),
  );
  const { accounts } = shared.store;
  const first = await accounts.listHeldItems({ accountId: one.id, kind: 'set', key: '' }, 3);
  expect(first).toEqual([
    { accountId: one.id, kind: 'set', key: '10', units: 2 },
    { accountId: one.id, kind: 'set', key: '20', units: 4 },
    { accountId: other.id, kind: 'set', key: '10', units: 2 },
  ]);
  const last = { accountId: other.id, kind: 'set', key: '10' } as const;
  expect(await accounts.listHeldItems(last, 9)).toEqual([
    { accountId: other.id, kind: 'set', key: '20', units: 4 },
  ]);
});

test('the latest purchases are listed as bought, including sold-out lots', async () => {
  const [one] = await addTwo((owner) =>
    owner.apply(
      owner.brickfolio('Shelf'),
      owner.lot('old', { purchaseDate: '2026-01-01' }),
      owner.lot('gone', { number: '2', purchaseDate: '2026-03-03' }),
      owner.lot('unknown', { purchaseDate: '2026-04-04', dateBasis: 'unknown' }),
      owner.lot('assumed', { purchaseDate: '2026-04-04', dateBasis: 'assumed' }),
      owner.lot('tie', { number: '3', purchaseDate: '2026-03-03', quantity: 5 }),
      owner.sale('s', { number: '2', quantity: 2 }),
    ),
  );
  const list = async (limit: number) =>
    (await shared.store.accounts.listPurchases(one.id, limit)).map((lot) => [
      lot.key,
      lot.purchaseDate,
      lot.quantity,
    ]);
  const [gone, tie] = [
    ['2', '2026-03-03', 2],
    ['3', '2026-03-03', 5],
  ];
  expect(await list(9)).toEqual([gone, tie, ['1', '2026-01-01', 2]]);
  expect(await list(1)).toEqual([gone]);
});

test('lots are found by id, by source id and in order', async () => {
  const [one, other] = await addTwo((owner) =>
    owner.apply(owner.brickfolio('Shelf'), owner.lot('b'), owner.lot('a'), owner.lot('c')),
  );
  const { accounts } = shared.store;
  const listed = await accounts.listLots(one.id, { after: 0, limit: 2 });
  expect(listed.map(({ sourceId }) => sourceId)).toEqual(['b', 'a']);
  const [b, a] = listed.map(({ sequence }) => sequence);
  const rest = await accounts.listLots(one.id, { after: b ?? 0, limit: 9 });
  expect(rest.map(({ sourceId }) => sourceId)).toEqual(['a', 'c']);
  expect((await accounts.findLot(one.id, a ?? 0))?.sourceId).toBe('a');
  expect(await accounts.findLot(other.id, a ?? 0)).toBeNull();
  await other.apply(other.lot('theirs'));
  expect([...(await accounts.findLotsBySourceIds(one.id, ['c', 'theirs'])).keys()]).toEqual(['c']);
});

test('lots of a set with units left are listed oldest purchase first, then as recorded', async () => {
  const [one] = await addTwo((owner) =>
    owner.apply(
      owner.brickfolio('Shelf'),
      owner.lot('late', { purchaseDate: '2026-05-01' }),
      owner.lot('tie'),
      owner.lot('tie too'),
      owner.lot('old', { purchaseDate: '2025-01-01', quantity: 3 }),
      owner.lot('gone', { purchaseDate: '2024-01-01' }),
      owner.lot('other', { number: '2', purchaseDate: '2024-01-01' }),
      owner.sale('s', { quantity: 3 }),
    ),
  );
  const names = async (limit: number) =>
    (await shared.store.accounts.listLotsOfItem(one.id, { kind: 'set', key: '1' }, limit)).map(
      (lot) => lot.sourceId,
    );
  expect(await names(9)).toEqual(['old', 'tie', 'tie too', 'late']);
  expect(await names(2)).toEqual(['old', 'tie']);
});

test('lots for sale with units left are listed by the day since when, those without it not', async () => {
  const [one] = await addTwo((owner) =>
    owner.apply(
      owner.brickfolio('Shelf'),
      owner.lot('late', { status: 'listed', listedAt: '2026-05-02' }),
      owner.lot('tie', { status: 'listed', listedAt: '2026-05-02' }),
      owner.lot('long', { status: 'listed', listedAt: '2026-05-01' }),
      owner.lot('unknown', { status: 'listed', listedAt: null }),
      owner.lot('kept', { status: 'owned', listedAt: '2026-04-01' }),
      owner.lot('gone', { number: '2', status: 'listed', listedAt: '2026-04-01' }),
      owner.sale('s', { number: '2', quantity: 2 }),
    ),
  );
  const { accounts } = shared.store;
  const [late, tie, long] = await Promise.all(
    ['late', 'tie', 'long'].map(
      async (name) => (await accounts.findLotsBySourceIds(one.id, [name])).get(name)?.id,
    ),
  );
  const idsOf = async (limit: number) =>
    (await accounts.listListed(one.id, limit)).map(({ id }) => id);
  expect(await idsOf(9)).toEqual([long, late, tie].map(Number));
  expect(await idsOf(2)).toEqual([long, late].map(Number));
});

test('lots for sale with an asking price are those with units left, the highest price first', async () => {
  const [one] = await addTwo((owner) =>
    owner.apply(
      owner.brickfolio('Shelf'),
      owner.lot('low', { status: 'listed', askingCents: 10_00 }),
      owner.lot('high', { status: 'listed', askingCents: 90_00, listedAt: '2026-04-01' }),
      owner.lot('tie', { status: 'listed', askingCents: 10_00 }),
      owner.lot('none', { status: 'listed', listedAt: '2026-04-01' }),
      owner.lot('kept', { status: 'owned', askingCents: 50_00 }),
      owner.lot('gone', { number: '2', status: 'listed', askingCents: 50_00 }),
      owner.sale('s', { number: '2', quantity: 2 }),
    ),
  );
  const asked = async (limit: number) =>
    (await shared.store.accounts.listAsked(one.id, limit)).map(({ askingCents }) => askingCents);
  expect(await asked(9)).toEqual([90_00, 10_00, 10_00]);
  expect(await asked(2)).toEqual([90_00, 10_00]);
});

test('the inventory has all lots of its owner, sold out or not, in pages', async () => {
  const [one, other] = await addTwo((owner) =>
    owner.apply(
      owner.brickfolio('Shelf'),
      owner.brickfolio('Attic'),
      owner.lot('old', { purchaseDate: '2024-01-01' }),
      owner.lot('tie'),
      owner.lot('elsewhere', { brickfolio: 'Attic', number: '2' }),
      owner.sale('s', { quantity: 3 }),
    ),
  );
  const list = async (owner: Owner, after: number, limit: number) =>
    await shared.store.accounts.listInventory(owner.id, { after, limit });
  const [shelf, attic] = [await shelfOf(one), await shelfOf(one, 'Attic')];
  const all = await list(one, 0, 9);
  expect(all).toMatchObject([
    { brickfolioId: shelf, kind: 'set', key: '1', quantity: 2, sold: 2 },
    { brickfolioId: shelf, kind: 'set', key: '1', quantity: 2, sold: 1 },
    { brickfolioId: attic, kind: 'set', key: '2', quantity: 2, sold: 0 },
  ]);
  const ids = all.map((lot) => lot.id);
  expect((await list(one, ids[0] ?? 0, 1)).map((lot) => lot.id)).toEqual(ids.slice(1, 2));
  expect((await list(other, 0, 9)).filter((lot) => ids.includes(lot.id))).toEqual([]);
});

test('entries of a collection are listed for its owner only, newest purchase first', async () => {
  const [one, other] = await addTwo((owner) =>
    owner.apply(
      owner.brickfolio('Shelf'),
      owner.brickfolio('Empty'),
      owner.lot('old', { purchaseDate: '2024-01-01', priceCents: 1 }),
      owner.lot('tie', { priceCents: 2 }),
      owner.lot('tie too', { priceCents: 3 }),
      owner.lot('gone', { number: '2', quantity: 1 }),
      owner.sale('s', { number: '2' }),
    ),
  );
  const prices = async (owner: Owner, brickfolioId: number | null) => {
    const page = { brickfolioId, ...everything };
    const found = await shared.store.accounts.listEntries(owner.id, page);
    return found && [found.total, ...found.rows.map((row) => row.priceCents)];
  };
  expect(await prices(one, null)).toEqual([3, 2, 3, 1]);
  expect(await prices(one, await shelfOf(one))).toEqual([3, 2, 3, 1]);
  expect(await prices(one, await shelfOf(one, 'Empty'))).toEqual([0]);
  expect(await prices(other, await shelfOf(one))).toBeNull();
  expect(await prices(other, await shelfOf(one, 'Empty'))).toBeNull();
});

test('held units are summed by set, in order of sets', async () => {
  const [one] = await addTwo((owner) =>
    owner.apply(
      owner.brickfolio('Shelf'),
      owner.lot('a', { number: '2' }),
      owner.lot('b', { condition: 'used', quantity: 1 }),
      owner.lot('c', { priceCents: 1 }),
      owner.lot('gone', { number: '3', quantity: 1 }),
      owner.sale('s', { number: '3' }),
    ),
  );
  const first = { kind: 'set', key: '1', units: 3, costCents: 10_02 } as const;
  const second = { kind: 'set', key: '2', units: 2, costCents: 20_00 } as const;
  const { accounts } = shared.store;
  expect(await accounts.listHeldCosts(one.id, 'set')).toEqual([first, second]);
  expect(await accounts.listHeldCosts(one.id, 'set', ['3', '2', '1'])).toEqual([first, second]);
  expect(await accounts.listHeldCosts(one.id, 'set', ['2'])).toEqual([second]);
});

test('positions have a fixed order, however they were recorded, each with its own sales', async () => {
  const [one] = await addTwo((owner) =>
    owner.apply(
      owner.brickfolio('Shelf'),
      owner.lot('6', { number: '2', purchaseDate: '2020-01-01' }),
      owner.lot('5', { condition: 'used', purchaseDate: '2020-01-01' }),
      owner.lot('4', { purchaseDate: '2026-03-05', quantity: 1 }),
      owner.lot('3', { quantity: 3, priceCents: 1 }),
      owner.lot('2', { priceCents: 11_00 }),
      owner.lot('1', { priceCents: 11_00 }),
      owner.lot('0', { quantity: 2 }),
      owner.sale('early', { lot: '3', saleDate: '2026-05-06' }),
      owner.sale('late', { lot: '3', saleDate: '2026-07-08' }),
      owner.sale('early too', { lot: '3', saleDate: '2026-05-06' }),
      owner.sale('other', { lot: '0', quantity: 2 }),
    ),
  );
  const read = (after: string, limit: number) =>
    shared.store.accounts.listPositions(one.id, { kind: 'set', after, limit });
  const positions = await read('', 100);
  const day = (date: string) => dayOf(Date.parse(date));
  const summary = positions.map((lot) => [
    lot.key,
    lot.condition,
    lot.boughtOn,
    lot.quantity,
    lot.priceCents,
  ]);
  const usual = day('2026-03-04');
  expect(summary).toEqual([
    ['1', 'sealed', usual, 2, 10_00],
    ['1', 'sealed', usual, 2, 11_00],
    ['1', 'sealed', usual, 2, 11_00],
    ['1', 'sealed', usual, 3, 1],
    ['1', 'sealed', day('2026-03-05'), 1, 10_00],
    ['1', 'used', day('2020-01-01'), 2, 10_00],
    ['2', 'sealed', day('2020-01-01'), 2, 10_00],
  ]);
  const exits = positions.map((lot) => lot.exits.map((exit) => [exit.day, exit.quantity]));
  const [early, late] = [day('2026-05-06'), day('2026-07-08')];
  expect(exits).toEqual([
    [[early, 2]],
    [],
    [],
    [
      [late, 1],
      [early, 1],
      [early, 1],
    ],
    [],
    [],
    [],
  ]);
  // Pages end at set boundaries.
  expect(await read('', 1)).toEqual(positions.slice(0, 6));
  expect(await read('1', 1)).toEqual(positions.slice(6));
  expect(await read('1', 2)).toEqual(positions.slice(6));
  expect(await read('2', 1)).toEqual([]);
});

test('lots are found by source id within the account, sold or not', async () => {
  const { accounts } = shared.store;
  const [ann, bob] = [await shared.addOwner(), await shared.addOwner()];
  const facts = aLot({ sourceId: 'a', isEstimated: true });
  const bought = aLot({ sourceId: 'b', quantity: 1 });
  await ann.apply(ann.brickfolio('Shelf'), ann.lot('a', facts), ann.lot('b', bought));
  const found = await accounts.findLotsBySourceIds(ann.id, ['b', 'none', 'a', 'a']);
  expect([...found].sort()).toEqual([
    ['a', expect.objectContaining({ ...facts, sold: 0 })],
    ['b', expect.objectContaining({ ...bought, sold: 0 })],
  ]);
  expect(await accounts.findLotsBySourceIds(bob.id, ['a'])).toEqual(new Map());
  expect(await accounts.findLotsBySourceIds(ann.id, [])).toEqual(new Map());
  // A price that is no longer estimated is a change; the same row again is not.
  const known = ann.lot('a', { ...facts, isEstimated: false });
  const outcomes = await applyRows(accounts, [ann.lot('a', facts), known, known], sharedNow);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['unchanged', 'updated', 'unchanged']);
  expect((await accounts.findLotsBySourceIds(ann.id, ['a'])).get('a')?.isEstimated).toBe(false);
});
