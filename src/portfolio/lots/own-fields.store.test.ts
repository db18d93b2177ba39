/** Guarantees of every store about what is known of units, and fields that accounts name. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { anUnusualLot } from '../../../test/support/builders.ts';
import { sharedNow, shareStore } from '../../../test/support/shared-store.ts';
import { detailLimits } from './lot-details.ts';

const shared = shareStore();
const stored = () => shared.store.accounts;
const namesOf = async (accountId: number) =>
  (await stored().listOwnFields(accountId)).map(({ name }) => name);

test('a lot is stored with all its details, and listed with them', async () => {
  const owner = await shared.addOwner();
  const { sourceId: _, brickfolio: __, ...lot } = anUnusualLot();
  await owner.apply(owner.brickfolio('Shelf'), owner.lot('a', lot));
  const found = (await stored().findLotsBySourceIds(owner.id, ['a'])).get('a');
  expect(found).toMatchObject({ ...lot, sourceId: 'a', brickfolio: 'Shelf', sold: 0 });
  expect(await stored().listInventory(owner.id, { after: 0, limit: 9 })).toMatchObject([lot]);
  expect(await namesOf(owner.id)).toEqual(['=Code', 'Buyer']);
});

test('an account names up to ten fields, each name once', async () => {
  const { id } = await shared.addOwner();
  for (let count = 0; count < detailLimits.ownFields; count++) {
    expect(await stored().addOwnField(id, `Field ${count}`)).toBe('done');
  }
  expect(await stored().addOwnField(id, 'Field 1')).toBe('taken');
  expect(await stored().addOwnField(id, 'One more')).toBe('too many');
  const other = await shared.addOwner();
  expect(await namesOf(other.id)).toEqual([]);
});

test('a field is renamed and removed with its values, of this account alone', async () => {
  const [owner, other] = [await shared.addOwner(), await shared.addOwner()];
  const ownFields = '{"Buyer":"\\"Code\\": x","Code":"7"}';
  for (const each of [owner, other]) {
    await each.apply(each.brickfolio('Shelf'), each.lot('a', { ownFields }), each.lot('b'));
  }
  const fieldsOf = async (accountId: number) =>
    (await stored().listInventory(accountId, { after: 0, limit: 9 })).map((lot) => lot.ownFields);
  const [buyer, code] = await stored().listOwnFields(owner.id);
  const change = (id: number | undefined, name: string | null, account = owner.id) =>
    stored().changeOwnField(account, id ?? 0, name);
  const version = await stored().findPrivateVersion(owner.id);
  expect(await change(code?.id, 'Buyer')).toBe('taken');
  expect(await change(code?.id, 'Art')).toBe('done');
  expect(await stored().findPrivateVersion(owner.id)).toBeGreaterThan(version);
  expect(await namesOf(owner.id)).toEqual(['Buyer', 'Art']);
  expect(await fieldsOf(owner.id)).toEqual(['{"Art":"7","Buyer":"\\"Code\\": x"}', null]);
  expect(await change(buyer?.id, null)).toBe('done');
  expect(await change(code?.id, null)).toBe('done');
  expect(await fieldsOf(owner.id)).toEqual([null, null]);
  expect(await namesOf(owner.id)).toEqual([]);
  expect(await change(code?.id, 'Gone')).toBe('missing');
  const [theirs] = await stored().listOwnFields(other.id);
  expect(await change(theirs?.id, null)).toBe('missing');
  expect(await fieldsOf(other.id)).toEqual([ownFields, null]);
});

test('a field is renamed and removed although another name ends like it', async () => {
  const owner = await shared.addOwner();
  const lot = (id: string, ownFields: string) => owner.lot(id, { ownFields });
  await owner.apply(owner.brickfolio('Shelf'));
  await owner.apply(lot('a', '{"Box 3\\"x":"1"}'), lot('b', '{"Box 3\\"x":"2","x":"3"}'));
  const field = (await stored().listOwnFields(owner.id)).find(({ name }) => name === 'x');
  const values = async () =>
    (await stored().listInventory(owner.id, { after: 0, limit: 9 })).map((each) => each.ownFields);
  expect(await stored().changeOwnField(owner.id, field?.id ?? 0, 'y')).toBe('done');
  expect(await values()).toEqual(['{"Box 3\\"x":"1"}', '{"Box 3\\"x":"2","y":"3"}']);
  expect(await stored().changeOwnField(owner.id, field?.id ?? 0, 'x')).toBe('done');
  expect(await stored().changeOwnField(owner.id, field?.id ?? 0, null)).toBe('done');
  expect(await values()).toEqual(['{"Box 3\\"x":"1"}', '{"Box 3\\"x":"2"}']);
});

test('an import that is tried out knows own fields', async () => {
  const owner = await shared.addOwner();
  await owner.apply(owner.brickfolio('Shelf'), owner.lot('a', { ownFields: '{"Code":"7"}' }));
  const rehearsal = await stored().rehearse(owner.id);
  const row = owner.lot('a', { ownFields: '{"Code":"8"}' });
  const { outcomes } = await rehearsal.change(owner.id, { rows: [row] }, sharedNow);
  expect(outcomes).toMatchObject([{ kind: 'updated' }]);
  await rehearsal.close();
});
