/** Photos of lots. Their pictures are in a table of their own, so that lists do not read them. */

import { accountMethods } from '../../accounts/people/account-methods.store.ts';
import { photosAtOnce } from '../../accounts/people/account-registry.store.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import {
  type NewPhoto,
  type Photo,
  type PhotoOutcome,
  type PhotoSize,
  photoLimits,
} from './photos.ts';

export function photoStore(engine: db.Engine) {
  return {
    ...db.methods(engine.run, {
      listPhotos,
      pagePhotos,
      findPhoto,
      findPicture,
      countPhotos,
      listCovers,
    }),
    ...accountMethods(engine, { addPhoto, putPhotoFirst, removePhoto }),
  };
}

const photoFields = ['id', 'lotId', 'width', 'height', 'bytes', 'createdAt'];
const selectPhotos = `SELECT ${columnsOf(tables.photo, 'p', photoFields)} FROM private.photo p`;

/** The photos of a lot; the first is its cover. */
function listPhotos(accountId: number, lotId: number): db.Reading<Photo[]> {
  return db.query(
    `${selectPhotos} WHERE p.account_id = $1::bigint AND p.lot_id = $2::bigint
     ORDER BY p.position, p.id`,
    [accountId, lotId],
  );
}

/** All photos of an account with the source IDs of their lots, by ID. */
function pagePhotos(
  accountId: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): db.Reading<(Photo & { readonly lot: string | null; readonly position: number })[]> {
  return db.query(
    `SELECT ${columnsOf(tables.photo, 'p', [...photoFields, 'position'])}, l.source_id AS lot
     FROM private.photo p LEFT JOIN private.lot l ON l.id = p.lot_id
     WHERE p.account_id = $1::bigint AND p.id > $2::bigint ORDER BY p.id LIMIT $3::bigint`,
    [accountId, after, limit],
  );
}

/** Null if there is none, or its lot was deleted. */
function findPhoto(accountId: number, id: number): db.Reading<Photo | null> {
  return db.first(
    `${selectPhotos}
     WHERE p.account_id = $1::bigint AND p.id = $2::bigint AND p.lot_id IS NOT NULL`,
    [accountId, id],
  );
}

function* findPicture(
  accountId: number,
  id: number,
  size: PhotoSize,
): db.Reading<Uint8Array<ArrayBuffer> | null> {
  const found = yield* db.first<{ picture: Uint8Array }>(
    `SELECT c.${size} AS picture
     FROM private.photo p JOIN private.photo_picture c ON c.photo_id = p.id
     WHERE p.account_id = $1::bigint AND p.id = $2::bigint`,
    [accountId, id],
  );
  return found && new Uint8Array(found.picture);
}

/** The number of photos of lots; lots without any are left out. */
function* countPhotos(
  accountId: number,
  lotIds: readonly number[],
): db.Reading<ReadonlyMap<number, number>> {
  const rows = yield* db.query<{ lotId: number; count: number }>(
    `SELECT p.lot_id::float8 AS "lotId", count(*)::int AS count FROM private.photo p
     WHERE p.account_id = $1::bigint AND p.lot_id = ANY($2::bigint[]) GROUP BY p.lot_id`,
    [accountId, lotIds],
  );
  return new Map(rows.map(({ lotId, count }) => [lotId, count]));
}

function* listCovers(
  accountId: number,
  lotIds: readonly number[],
): db.Reading<ReadonlyMap<number, Uint8Array>> {
  const rows = yield* db.query<{ lotId: number; thumb: Uint8Array }>(
    `SELECT p.lot_id::float8 AS "lotId", c.thumb
     FROM private.photo p JOIN private.photo_picture c ON c.photo_id = p.id
     WHERE p.account_id = $1::bigint AND p.lot_id = ANY($2::bigint[]) AND NOT EXISTS (
       SELECT 1 FROM private.photo o WHERE o.lot_id = p.lot_id
         AND (o.position < p.position OR (o.position = p.position AND o.id < p.id)))`,
    [accountId, lotIds],
  );
  return new Map(rows.map(({ lotId, thumb }) => [lotId, thumb]));
}

/** Photos of deleted lots count, too, as long as the lots can be restored. */
function* addPhoto(
  accountId: number,
  lotId: number,
  { photo, bytesMax, at }: { readonly photo: NewPhoto; bytesMax: number; readonly at: number },
): db.Operation<PhotoOutcome> {
  if (!(yield* db.hasRow(tables.lot, { accountId, id: lotId }))) return 'no lot';
  const { content, thumb, width, height } = photo;
  const bytes = content.length + thumb.length;
  if (bytes > photoLimits.storedBytes) throw new Error(`A photo has ${bytes} bytes.`);
  const hash = new Bun.CryptoHasher('sha256').update(content).digest('hex');
  if (yield* db.hasRow(tables.photo, { lotId, hash })) return 'same';
  const there = yield* db.first<{ photos: number; last: number }>(
    `SELECT count(*)::int AS photos, coalesce(max(position), 0)::int AS last
     FROM private.photo WHERE lot_id = $1::bigint`,
    [lotId],
  );
  if ((there?.photos ?? 0) >= photoLimits.perLot) return 'lot full';
  const all = yield* db.first<{ photos: number; bytes: number }>(
    `SELECT count(*)::int AS photos, coalesce(sum(bytes), 0)::float8 AS bytes
     FROM private.photo WHERE account_id = $1::bigint`,
    [accountId],
  );
  if ((all?.photos ?? 0) >= photoLimits.perAccount) return 'account full';
  if ((all?.bytes ?? 0) + bytes > bytesMax) return 'account full';
  const position = (there?.last ?? 0) + 1;
  const row = { accountId, lotId, position, width, height, bytes, hash, createdAt: at };
  const photoId = yield* db.insertRow(tables.photo, row);
  yield* db.run(
    `INSERT INTO private.photo_picture (photo_id, thumb, content)
     VALUES ($1::bigint, $2::bytea, $3::bytea)`,
    [photoId, thumb, content],
  );
  return 'added';
}

/** Makes a photo the cover of its lot. */
function* putPhotoFirst(accountId: number, id: number): db.Operation<void> {
  yield* db.run(
    `UPDATE private.photo SET position = (
       SELECT min(o.position) - 1 FROM private.photo o WHERE o.lot_id = photo.lot_id)
     WHERE account_id = $1::bigint AND id = $2::bigint`,
    [accountId, id],
  );
}

function* removePhoto(accountId: number, id: number): db.Operation<void> {
  yield* db.deleteRows(tables.photo, { accountId, id });
}

/** Whether photos are left of lots that can no longer be restored. */
export const hasLostPhotos = `EXISTS (SELECT 1 FROM private.photo
  WHERE lot_id IS NULL AND edit_id IS NULL)`;

/** Removes some photos of lots that can no longer be restored. */
export function removeLostPhotos(): db.Operation<number> {
  return db.run(
    `DELETE FROM private.photo WHERE id IN (SELECT id FROM private.photo
       WHERE lot_id IS NULL AND edit_id IS NULL ORDER BY id LIMIT ${photosAtOnce})`,
  );
}

export interface PhotoOfLot {
  readonly id: number;
  readonly lotId: number;
}

export function listPhotosOf(lotIds: readonly number[]): db.Reading<PhotoOfLot[]> {
  return db.query(
    `SELECT ${columnsOf(tables.photo, 'p', ['id', 'lotId'])} FROM private.photo p
     WHERE p.lot_id = ANY($1::bigint[]) ORDER BY p.id`,
    [lotIds],
  );
}
