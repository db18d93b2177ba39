/** Guarantees of every store about saved boxes: owner, contents and limits. */
import { expect, test } from 'bun:test';
import { sharedNow as now, type Owner, shareStore } from '../../../test/support/shared-store.ts';
import { defaultTerms } from '../../domain/buying/quotes.ts';
import { type BoxFacts, type BoxRow, boxLimits } from '../../domain/buying/saved-box.ts';

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
  const made = await store().addBox(id, { ...facts, ...given }, now);
  if (typeof made === 'string') throw new Error(made);
  return made.id;
}

test('a box is stored as it is, and listed without its rows, latest change first', async () => {
  const owner = await shared.addOwner();
  const [first, second] = [await addBox(owner), await addBox(owner, { name: 'Cellar' })];
  const dated = { createdAt: now, changedAt: now, boughtAs: null };
  expect(await store().findBox(owner.id, first)).toEqual({ id: first, ...facts, ...dated });
  const change = { ...facts, name: 'Loft', rows: [], askCents: 5, maxCents: 7 };
  expect(await store().changeBox(owner.id, first, change, now + 1)).toBe('done');
  expect(await store().changeBox(owner.id, first, { ...change, boughtAs: 'p' }, now + 2)).toBe(
    'done',
  );
  // A later change keeps what it was bought as.
  expect(await store().changeBox(owner.id, first, change, now + 3)).toBe('done');
  expect(await store().findBox(owner.id, first)).toMatchObject({ ...change, boughtAs: 'p' });
  const listed = await store().listBoxes(owner.id);
  expect(listed.map(({ id, name, changedAt }) => [id, name, changedAt])).toEqual([
    [first, 'Loft', now + 3],
    [second, 'Cellar', now],
  ]);
  expect(Object.keys(listed[0] ?? {})).not.toContain('rows');
});

test('a box of another account cannot be seen, changed or removed', async () => {
  const [owner, other] = [await shared.addOwner(), await shared.addOwner()];
  const id = await addBox(owner);
  expect(await store().findBox(other.id, id)).toBeNull();
  expect(await store().listBoxes(other.id)).toEqual([]);
  expect(await store().changeBox(other.id, id, { ...facts, name: 'Mine' }, now)).toBe('missing');
  expect(await store().removeBox(other.id, id)).toBe(false);
  expect(await store().findBox(owner.id, id)).toMatchObject({ name: 'Attic' });
  expect(await store().removeBox(owner.id, id)).toBe(true);
  expect(await store().removeBox(owner.id, id)).toBe(false);
});

test('boxes are limited in number and size', async () => {
  const owner = await shared.addOwner();
  expect(await store().addBox(999_999_999, facts, now)).toBe('no account');
  const large = { ...facts, rows: [{ ...row, text: 'x'.repeat(boxLimits.stored - 5_000) }] };
  const id = await addBox(owner, large);
  const more = { ...facts, rows: [{ ...row, text: 'x'.repeat(6_000) }] };
  expect(await store().addBox(owner.id, more, now)).toBe('too large');
  const small = await addBox(owner);
  expect(await store().changeBox(owner.id, small, more, now)).toBe('too large');
  // A box itself may be replaced by another of the same size.
  expect(await store().changeBox(owner.id, id, large, now)).toBe('done');
  await store().removeBox(owner.id, id);
  for (let count = 1; count < boxLimits.boxes; count++) await addBox(owner, { rows: [] });
  expect(await store().addBox(owner.id, facts, now)).toBe('too many');
});
