/** Guarantees of every store about photos: limits, order, and what happens with their lot. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { sharedNow, shareStore } from '../../../test/support/shared-store.ts';
import { byService } from '../../accounts/audit/audit.ts';
import { dayMs } from '../../kernel/time.ts';
import { type NewPhoto, photoLimits } from './photos.ts';

const shared = shareStore();

const stored = () => shared.store.accounts;

/** Different for every number. */
function photoOf(number: number, bytes = 100): NewPhoto {
  const content = new Uint8Array(bytes).fill(7);
  new DataView(content.buffer).setUint32(0, number);
  return { content, thumb: Uint8Array.of(number), width: 1600, height: 1200 };
}

async function addOwner() {
  const owner = await shared.addOwner();
  await owner.apply(owner.brickfolio('Shelf'), owner.lot('a', { number: '1' }));
  await owner.apply(owner.lot('b', { number: '2' }));
  const [a, b] = await stored().listInventory(owner.id, { after: 0, limit: 2 });
  const [lotId, otherId] = [a?.id ?? 0, b?.id ?? 0];
  const add = (number: number, { lot = lotId, bytes = 100, bytesMax = 10_000 } = {}) =>
    stored().addPhoto(owner.id, lot, { photo: photoOf(number, bytes), bytesMax, at: sharedNow });
  const list = (lot = lotId) => stored().listPhotos(owner.id, lot);
  const thumbs = async () => {
    const photos = await list();
    const found = photos.map(({ id }) => stored().findPicture(owner.id, id, 'thumb'));
    return (await Promise.all(found)).map((thumb) => thumb?.[0]);
  };
  return { owner, id: owner.id, lotId, otherId, add, list, thumbs };
}

async function removeCollection(id: number): Promise<void> {
  const [lot] = await stored().listInventory(id, { after: 0, limit: 1 });
  const removal = { lots: 'remove', to: null } as const;
  await stored().removeBrickfolio(id, lot?.brickfolioId ?? 0, removal);
}

test('photos are listed in order, the cover first, and only for their owner', async () => {
  const { id, lotId, otherId, add, list, thumbs } = await addOwner();
  for (const number of [1, 2, 3]) expect(await add(number)).toBe('added');
  expect(await add(2)).toBe('same');
  expect(await add(2, { lot: otherId })).toBe('added');
  expect(await thumbs()).toEqual([1, 2, 3]);
  const [, , third] = await list();
  await stored().putPhotoFirst(id, third?.id ?? 0);
  expect(await thumbs()).toEqual([3, 1, 2]);
  const counts = await stored().countPhotos(id, [lotId, otherId, 999_999]);
  expect([...counts]).toEqual([
    [lotId, 3],
    [otherId, 1],
  ]);
  const covers = await stored().listCovers(id, [lotId, otherId]);
  expect([covers.get(lotId)?.[0], covers.get(otherId)?.[0]]).toEqual([3, 2]);
  const other = await addOwner();
  const photoId = third?.id ?? 0;
  expect(await stored().findPhoto(other.id, photoId)).toBeNull();
  expect(await stored().findPicture(other.id, photoId, 'content')).toBeNull();
  expect(await stored().listPhotos(other.id, lotId)).toEqual([]);
  expect(await add(9, { lot: other.lotId })).toBe('no lot');
  await stored().removePhoto(other.id, photoId);
  await stored().putPhotoFirst(other.id, photoId);
  expect(await thumbs()).toEqual([3, 1, 2]);
  expect(await stored().findPicture(id, photoId, 'content')).toEqual(photoOf(3).content);
  await stored().removePhoto(id, photoId);
  expect(await thumbs()).toEqual([1, 2]);
});

test('photos of a lot are limited, and all of an account by their size', async () => {
  const { add, otherId } = await addOwner();
  for (let number = 1; number <= photoLimits.perLot; number++) await add(number);
  expect(await add(99)).toBe('lot full');
  const used = photoLimits.perLot * 101;
  expect(await add(99, { lot: otherId, bytesMax: used + 100 })).toBe('account full');
  expect(await add(99, { lot: otherId, bytesMax: used + 101 })).toBe('added');
});

test('no photo above the limit of its size is stored', async () => {
  const { add, list } = await addOwner();
  const bytes = photoLimits.storedBytes;
  const room = { bytesMax: 10 * bytes };
  await expect(add(1, { bytes, ...room })).rejects.toThrow(`A photo has ${bytes + 1} bytes.`);
  expect(await add(2, { bytes: bytes - 1, ...room })).toBe('added');
  expect(await list()).toHaveLength(1);
});

/** Deletes a lot; returns the ID to undo that. */
async function remove(accountId: number, lotId: number): Promise<number> {
  const rows = [{ kind: 'lot_removal', lotId } as const];
  const { editId } = await stored().change(accountId, { rows, undoAs: 'delete' }, sharedNow);
  if (editId === null) throw new Error('The lot was not deleted.');
  return editId;
}

test('photos of a deleted lot are hidden, and come back with it', async () => {
  const { id, lotId, add, list, thumbs } = await addOwner();
  await add(1);
  await add(2);
  // So that the sweep has something to do.
  const other = await addOwner();
  await other.add(3);
  await removeCollection(other.id);
  const [first] = await list();
  const editId = await remove(id, lotId);
  expect(await list()).toEqual([]);
  expect(await stored().findPhoto(id, first?.id ?? 0)).toBeNull();
  while ((await stored().sweep(sharedNow + dayMs - 1, 100)) > 0);
  expect(await stored().undoEdit(id, { editId, of: 'lots' }, sharedNow + dayMs - 1)).toBe(1);
  expect(await thumbs()).toEqual([1, 2]);
  while ((await stored().sweep(sharedNow + 2 * dayMs, 100)) > 0);
  expect(await thumbs()).toEqual([1, 2]);
});

test('photos are erased once their lot can no longer be restored', async () => {
  const { id, lotId, otherId, add } = await addOwner();
  for (const number of [1, 2, 3, 4, 5]) await add(number);
  await add(6, { lot: otherId });
  await remove(id, lotId);
  const all = () => stored().pagePhotos(id, { after: 0, limit: 100 });
  expect(await all()).toHaveLength(6);
  while ((await stored().sweep(sharedNow + dayMs, 100)) > 0);
  expect((await all()).map((photo) => photo.lotId)).toEqual([otherId]);
  expect(await all()).toMatchObject([{ lot: 'b', position: 1, bytes: 101 }]);
});

test('photos of an account that is erased go in small steps', async () => {
  const { id, owner, add } = await addOwner();
  for (const number of [1, 2, 3, 4, 5]) await add(number);
  await stored().closeAccount(owner.email, byService, sharedNow);
  const left: number[] = [];
  while (left.at(-1) !== 0) {
    await stored().sweep(sharedNow + 8 * dayMs, 100);
    left.push((await stored().pagePhotos(id, { after: 0, limit: 9 })).length);
  }
  expect(left).toContain(1);
});

test('photos of a collection that is deleted, or of an account, are erased', async () => {
  const { owner, id, lotId, add } = await addOwner();
  for (const number of [1, 2, 3, 4, 5]) await add(number);
  const ids = (await stored().pagePhotos(id, { after: 0, limit: 9 })).map((photo) => photo.id);
  await removeCollection(id);
  expect(await stored().listPhotos(id, lotId)).toEqual([]);
  while ((await stored().sweep(sharedNow, 100)) > 0);
  expect(await stored().pagePhotos(id, { after: 0, limit: 9 })).toEqual([]);
  await owner.apply(owner.brickfolio('Attic'), owner.lot('c', { brickfolio: 'Attic' }));
  const [again] = await stored().listInventory(id, { after: 0, limit: 1 });
  for (const number of [1, 2, 3, 4, 5]) await add(number, { lot: again?.id ?? 0 });
  await stored().removeAccount(owner.email);
  for (const photoId of ids) expect(await stored().findPicture(id, photoId, 'thumb')).toBeNull();
  expect(await stored().pagePhotos(id, { after: 0, limit: 9 })).toEqual([]);
});
