/**
 * Bulk export of everything published: files of documents, plus the changes since they were
 * created. A client that loads the files and follows the changes ends with exactly what is
 * published.
 */
import { dayMs } from '../../kernel/time.ts';
import type { Series } from '../history/history.ts';
import type { PastOffer } from '../retail/retail-history.ts';
import type { Condition } from '../source-rows/source-rows.ts';

export const bulkTypes = ['sets', 'minifigs', 'months', 'retail'] as const;
export type BulkType = (typeof bulkTypes)[number];

/** Types of files: documents, whose changes can be followed, and the history of offers. */
export const bulkFileTypes = [...bulkTypes, 'retail_changes'] as const;
export type BulkFileType = (typeof bulkFileTypes)[number];

/**
 * Every file is made in each of these formats: JSON lines, which have all of a document, and two
 * tables of the same columns. The first is the default.
 */
export const bulkFormats = ['jsonl', 'csv', 'parquet'] as const;
export type BulkFormat = (typeof bulkFormats)[number];

/** The ending of a file's name; Parquet is compressed inside. */
export const bulkEndings: Readonly<Record<BulkFormat, string>> = {
  jsonl: 'jsonl.gz',
  csv: 'csv.gz',
  parquet: 'parquet',
};

/** Files older than this are created again. */
export const bulkFreshMs = dayMs;

/** Files are stored in chunks of this size; the last one may be shorter. */
export const bulkChunkBytes = 256 * 1024;

/**
 * A cursor in the stream of changes: everything before publication `stamp` has been read, and the
 * documents of that publication at or before `rank`.
 */
export interface BulkPosition {
  readonly stamp: number;
  readonly rank: number;
}

/** Each item has one rank per type for a removed document and one for a changed document. */
export const ranksPerItem = 2 * bulkTypes.length;

/** The order of documents within a publication: by item, with removed documents first. */
export function documentRank(itemId: number, type: BulkType, isRemoved: boolean): number {
  const offset = isRemoved ? 0 : bulkTypes.length;
  return itemId * ranksPerItem + offset + bulkTypes.indexOf(type);
}

/** The inverse of `documentRank`, without whether the document was removed. */
export function documentAtRank(rank: number): { readonly itemId: number; readonly type: BulkType } {
  const type = bulkTypes[rank % bulkTypes.length];
  if (type === undefined) throw new Error(`No document has rank ${rank}.`);
  return { itemId: Math.floor(rank / ranksPerItem), type };
}

/** The hyphen distinguishes it from a position in the event log. */
export function formatBulkPosition({ stamp, rank }: BulkPosition): string {
  return `${stamp}-${rank}`;
}

export const bulkPositionPattern = '^\\d{1,16}-\\d{1,16}$';
export const bulkPositionLengthMax = 33;

/** The text must match `bulkPositionPattern`. */
export function parseBulkPosition(text: string): BulkPosition {
  const [stamp = 0, rank = 0] = text.split('-').map(Number);
  return { stamp, rank };
}

/** The cursor of a client that has everything up to and including a publication. */
export function bulkPositionAfter(stamp: number): BulkPosition {
  return { stamp: stamp + 1, rank: 0 };
}

/** The last publication of which anything has been read. */
export function stampAt({ stamp, rank }: BulkPosition): number {
  return rank === 0 ? stamp - 1 : stamp;
}

/** The cursors that can be continued from; those issued before the store was restored may not. */
export interface BulkBounds {
  /** The latest publication. */
  readonly stamp: number;
  /** Publications after the first and before the second were lost; null: none were. */
  readonly lost: { readonly after: number; readonly before: number } | null;
}

/** Whether all changes since a position are available. */
export function isFollowed(position: BulkPosition, { stamp, lost }: BulkBounds): boolean {
  const last = stampAt(position);
  if (lost && last > lost.after && last < lost.before) return false;
  return last <= stamp;
}

/** The monthly series of a set; null for a condition without any. */
export type BulkMonths = Readonly<Record<Condition, Series | null>>;

/** The published changes of a set at its retailers, oldest first. */
export type BulkOffers = readonly PastOffer[];

/** A document: its exact JSON, or the months or changes that its JSON is created from. */
export interface BulkDocument {
  readonly itemId: number;
  /** The canonical number of the item. */
  readonly number: string;
  readonly content: string | BulkMonths | BulkOffers;
}

/** A changed document; removed if the content is null. */
export interface BulkChange {
  readonly position: BulkPosition;
  readonly type: BulkType;
  readonly number: string;
  readonly content: BulkDocument['content'] | null;
  /** The number that has taken over from a number without a document; null if none has. */
  readonly successor: string | null;
}

/** Changes in order; `next` is the last position that was read, also if its change is left out. */
export interface BulkChanges {
  readonly changes: readonly BulkChange[];
  readonly next: BulkPosition;
  readonly hasMore: boolean;
}

/** A complete file of all documents of a type, in one format. */
export interface BulkFile {
  readonly id: number;
  readonly type: BulkFileType;
  readonly format: BulkFormat;
  /** Contains everything up to this publication, and possibly parts of later ones. */
  readonly stamp: number;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly createdAt: number;
}

/** A file that is being written. */
export interface OpenBulkFile extends Pick<BulkFile, 'id' | 'type' | 'format'> {}
