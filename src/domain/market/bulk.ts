/**
 * Everything that is published, for those who keep a copy of it: files of documents, and what has
 * changed since they were made. Whoever loads the files and follows the changes ends with exactly
 * what is published.
 */
import { dayMs } from '../kernel/time.ts';
import type { Series } from './history.ts';
import type { Condition } from './source-rows.ts';

/** The types of documents. */
export const bulkTypes = ['sets', 'minifigs', 'months', 'retail'] as const;
export type BulkType = (typeof bulkTypes)[number];

/** How long files are current before they are made anew. */
export const bulkFreshMs = dayMs;

/** A file is kept in pieces of this size; the last one may be shorter. */
export const bulkChunkBytes = 256 * 1024;

/**
 * How far somebody has followed what is published: everything before a publication, and of that one
 * what stands at a place or before it.
 */
export interface BulkPosition {
  readonly stamp: number;
  readonly place: number;
}

/** Places that each item has in a publication: of what is gone, and of what has changed. */
export const placesPerItem = 2 * bulkTypes.length;

/** Where a document of an item stands among those of one publication; what is gone comes first. */
export function placeOf(itemId: number, type: BulkType, isRemoved: boolean): number {
  const offset = isRemoved ? 0 : bulkTypes.length;
  return itemId * placesPerItem + offset + bulkTypes.indexOf(type);
}

/** What stands at a place. */
export function atPlace(place: number): { readonly itemId: number; readonly type: BulkType } {
  const type = bulkTypes[place % bulkTypes.length];
  if (type === undefined) throw new Error(`Nothing stands at place ${place}.`);
  return { itemId: Math.floor(place / placesPerItem), type };
}

/** A position as callers know it. The hyphen tells it apart from a position among events. */
export function formatBulkPosition({ stamp, place }: BulkPosition): string {
  return `${stamp}-${place}`;
}

/** What a position looks like. */
export const bulkPositionPattern = '^\\d{1,16}-\\d{1,16}$';
export const bulkPositionLengthMax = 33;

/** Reads a position that looks like one. */
export function parseBulkPosition(text: string): BulkPosition {
  const [stamp, place] = text.split('-').map(Number);
  return { stamp: stamp ?? 0, place: place ?? 0 };
}

/** The position of whoever has everything up to a publication. */
export function positionAfter(stamp: number): BulkPosition {
  return { stamp: stamp + 1, place: 0 };
}

/** The last publication that is known at a position, all of it or in part. */
export function stampAt({ stamp, place }: BulkPosition): number {
  return place === 0 ? stamp - 1 : stamp;
}

/** Where a copy may begin or go on; those that were given before the store was set back are not. */
export interface BulkBounds {
  /** The latest publication. */
  readonly stamp: number;
  /** What was published after the first and before the second is lost; null: nothing is. */
  readonly lost: { readonly after: number; readonly before: number } | null;
}

/** Whether everything that has changed since a position is known. */
export function isFollowed(position: BulkPosition, { stamp, lost }: BulkBounds): boolean {
  const last = stampAt(position);
  if (lost && last > lost.after && last < lost.before) return false;
  return last <= stamp;
}

/** The months of a set, in both conditions; null where there are none. */
export type BulkMonths = Readonly<Record<Condition, Series | null>>;

/** A document: its exact JSON, or the months that it is made from. */
export interface BulkDocument {
  readonly itemId: number;
  /** The canonical number of the item. */
  readonly number: string;
  readonly content: string | BulkMonths;
}

/** A document that has changed; without content, it is gone. */
export interface BulkChange {
  readonly position: BulkPosition;
  readonly type: BulkType;
  readonly number: string;
  readonly content: BulkDocument['content'] | null;
}

/** A finished file of all documents of a type. */
export interface BulkFile {
  readonly id: number;
  readonly type: BulkType;
  /** Everything up to this publication is in it; of what came later, some may be. */
  readonly stamp: number;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  readonly createdAt: number;
}

/** Reads files and changes. */
export interface BulkReading {
  findBulkBounds(): Promise<BulkBounds>;
  /** All files that are kept, those made last first. */
  listBulkFiles(): Promise<BulkFile[]>;
  /** A piece of a file, counted from 0; null after the last one, or when the file is gone. */
  readBulkChunk(fileId: number, place: number): Promise<Uint8Array | null>;
  /** Some of what has changed after a position, in order. */
  listBulkChanges(
    after: BulkPosition,
    types: readonly BulkType[],
    limit: number,
  ): Promise<BulkChange[]>;
}

/** A file that is being made. */
export interface OpenBulkFile extends Pick<BulkFile, 'id' | 'type'> {}

/** Makes files. */
export interface BulkMaking extends Pick<BulkReading, 'listBulkFiles'> {
  /** The documents of a type in the order of items, after one. */
  listBulkDocuments(type: BulkType, afterId: number, limit: number): Promise<BulkDocument[]>;
  /** Begins files of all types; nobody sees them until they are finished. */
  startBulkFiles(): Promise<OpenBulkFile[]>;
  /** Adds a piece to a file; throws when somebody else makes files by now. */
  addBulkChunk(fileId: number, place: number, body: Uint8Array): Promise<void>;
  /** Finishes files together: from now on they are the current ones. */
  finishBulkFiles(
    files: readonly Pick<BulkFile, 'id' | 'bytes' | 'sha256'>[],
    createdAt: number,
  ): Promise<void>;
  /**
   * Removes some pieces of files that are neither the current ones nor those before them, nor are
   * being made; how many were removed.
   */
  pruneBulkChunks(limit: number): Promise<number>;
}
