/** Guarantees of every store about saved boxes: owner, contents and limits. */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { expect, test } from 'bun:test';
import { sharedNow as now, type Owner, shareStore } from '../../../test/support/shared-store.ts';
import { isRejected } from '../../portfolio/lots/private-rows.ts';
import { defaultTerms } from './quotes.ts';
import { type BoxFacts, type BoxRow, boxLimits, type SavedBox } from './saved-box.ts';

const shared = shareStore();
const store = () => shared.store.accounts;

const row: BoxRow = {
  text: '75192 (no box) $450',
  kind: 'set',
  number: '75192',
  problem: null,
  condition: 'used',
  grade: 'complete',
  quantity: 2,
  priceCents: 450_00,
  maxCents: null,
  ignored: '',
};
const facts: BoxFacts = {
  name: 'Attic',
  rows: [row, { ...row, text: 'Falcon', number: null, problem: 'No number.', condition: null }],
  askCents: null,
  terms: { ...defaultTerms, withModeled: true },
  valueCents: 900_00,
  maxCents: null,
};

async function addBox({ id }: Owner, given: Partial<BoxFacts> = {}): Promise<number> {
  const made = await store().addBox(id, crypto.randomUUID(), { ...facts, ...given }, now);
  if (typeof made === 'string') throw new Error(made);
  return made.id;
}

async function seenBox({ id: accountId }: Owner, id: number): Promise<SavedBox> {
  const box = await store().findBox(accountId, id);
  if (!box) throw new Error(`There is no box ${id}.`);
  return box;
}

/** Turns a box into a purchase without lots; returns why not. */
async function buy({ id: accountId }: Owner, seen: SavedBox, sourceId: string) {
  const costs = { totalCents: 1, taxCents: 0, shippingCents: 0, prices: {}, returns: [] };
  const facts = { sourceId, store: null, purchaseDate: '2026-11-01', ...costs };
  const box = { seen, valueCents: 8, maxCents: 7 };
  const rows = [{ kind: 'purchase', facts, seen: null, box } as const];
  const { outcomes } = await store().change(accountId, { rows }, now + 2);
  return outcomes.find(isRejected)?.reason ?? null;
}

test('a box is stored as it is, and listed without its rows, latest change first', async () => {
  const owner = await shared.addOwner();
  const [first, second] = [await addBox(owner), await addBox(owner, { name: 'Cellar' })];
  const dated = { createdAt: now, changedAt: now, boughtAs: null };
  expect(await store().findBox(owner.id, first)).toEqual({ id: first, ...facts, ...dated });
  const change = { ...facts, name: 'Loft', rows: [], askCents: 5, maxCents: 7 };
  expect(await store().changeBox(owner.id, await seenBox(owner, first), change, now + 1)).toBe(
    'done',
  );
  expect(await buy(owner, await seenBox(owner, first), 'p')).toBeNull();
  // A later change keeps what it was bought as.
  expect(await store().changeBox(owner.id, await seenBox(owner, first), change, now + 3)).toBe(
    'done',
  );
  expect(await store().findBox(owner.id, first)).toMatchObject({ ...change, boughtAs: 'p' });
  const listed = await store().listBoxes(owner.id);
  expect(listed.map(({ id, name, changedAt }) => [id, name, changedAt])).toEqual([
    [first, 'Loft', now + 3],
    [second, 'Cellar', now],
  ]);
  expect(Object.keys(listed[0] ?? {})).not.toContain('rows');
});

test('a box that is bought twice at once becomes one purchase', async () => {
  const owner = await shared.addOwner();
  const seen = await seenBox(owner, await addBox(owner));
  const reasons = await Promise.all(['one', 'two'].map((name) => buy(owner, seen, `web:${name}`)));
  expect(reasons).toContain('this box was changed or bought in another window');
  expect(reasons).toContain(null);
  const { rows } = await store().pagePurchases(owner.id, { limit: 9, offset: 0 });
  const name = reasons[0] === null ? 'web:one' : 'web:two';
  expect(rows.map(({ sourceId }) => sourceId)).toEqual([name]);
  const bought = await seenBox(owner, seen.id);
  expect(bought).toMatchObject({ boughtAs: rows[0]?.sourceId, valueCents: 8, changedAt: now + 2 });
  // A second box with the same contents can be bought knowingly, but not as it was before a change.
  await store().changeBox(owner.id, bought, { ...facts, rows: [row] }, now + 3);
  expect(await buy(owner, bought, 'web:three')).toContain('changed or bought');
  expect(await buy(owner, await seenBox(owner, seen.id), 'web:three')).toBeNull();
});

test('of two changes of a box as it was seen, one is saved', async () => {
  const owner = await shared.addOwner();
  const seen = await seenBox(owner, await addBox(owner));
  const change = (name: string) => store().changeBox(owner.id, seen, { ...facts, name }, now + 1);
  const outcomes = await Promise.all(['Loft', 'Cellar'].map(change));
  expect(outcomes.toSorted()).toEqual(['changed', 'done']);
  const saved = outcomes[0] === 'done' ? 'Loft' : 'Cellar';
  const current = await seenBox(owner, seen.id);
  expect(current.name).toBe(saved);
  for (const other of [{ askCents: 5 }, { rows: [] }]) {
    expect(await store().changeBox(owner.id, { ...current, ...other }, facts, now)).toBe('changed');
  }
  // Nor is it bought as it was before.
  expect(await buy(owner, seen, 'web:one')).toContain('changed or bought');
});

test('without the plan, boxes are kept but neither added, changed nor bought', async () => {
  const owner = await shared.addOwner();
  const seen = await seenBox(owner, await addBox(owner));
  await store().setPlan(owner.email, 'free');
  expect(await store().addBox(owner.id, 'web:a', facts, now)).toBe('no plan');
  expect(await store().changeBox(owner.id, seen, { ...facts, name: 'Mine' }, now)).toBe('no plan');
  expect(await buy(owner, seen, 'web:one')).toContain('Reseller plan');
  expect(await seenBox(owner, seen.id)).toEqual(seen);
});

test('a box of another account cannot be seen, changed or removed', async () => {
  const [owner, other] = [await shared.addOwner(), await shared.addOwner()];
  const id = await addBox(owner);
  expect(await store().findBox(other.id, id)).toBeNull();
  expect(await store().listBoxes(other.id)).toEqual([]);
  const mine = { ...facts, name: 'Mine' };
  expect(await store().changeBox(other.id, await seenBox(owner, id), mine, now)).toBe('missing');
  expect(await store().removeBox(other.id, id)).toBe(false);
  expect(await store().findBox(owner.id, id)).toMatchObject({ name: 'Attic' });
  expect(await store().removeBox(owner.id, id)).toBe(true);
  expect(await store().removeBox(owner.id, id)).toBe(false);
});

test('a box with the source ID of another of the account is that one, also if it was changed', async () => {
  const [owner, other] = [await shared.addOwner(), await shared.addOwner()];
  const add = (id: number, sourceId: string) => store().addBox(id, sourceId, facts, now);
  const made = await add(owner.id, 'web:a');
  if (typeof made === 'string') throw new Error(made);
  const seen = await seenBox(owner, made.id);
  await store().changeBox(owner.id, seen, { ...facts, name: 'Cellar' }, now + 1);
  expect(await add(owner.id, 'web:a')).toEqual(made);
  expect((await seenBox(owner, made.id)).name).toBe('Cellar');
  expect(await add(owner.id, 'web:b')).not.toEqual(made);
  expect(await add(other.id, 'web:a')).not.toEqual(made);
});

test('boxes are limited in number and size', async () => {
  const owner = await shared.addOwner();
  expect(await store().addBox(999_999_999, 'web:a', facts, now)).toBe('no plan');
  const large = { ...facts, rows: [{ ...row, text: 'x'.repeat(boxLimits.stored - 5_000) }] };
  const id = await addBox(owner, large);
  const more = { ...facts, rows: [{ ...row, text: 'x'.repeat(6_000) }] };
  expect(await store().addBox(owner.id, 'web:a', more, now)).toBe('too large');
  const small = await seenBox(owner, await addBox(owner));
  expect(await store().changeBox(owner.id, small, more, now)).toBe('too large');
  // A box itself may be replaced by another of the same size.
  expect(await store().changeBox(owner.id, await seenBox(owner, id), large, now)).toBe('done');
  await store().removeBox(owner.id, id);
  for (let count = 1; count < boxLimits.boxes; count++) await addBox(owner, { rows: [] });
  expect(await store().addBox(owner.id, 'web:a', facts, now)).toBe('too many');
});
