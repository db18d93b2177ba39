/** Splits work into slices: many small items, or few with many rows. */

import type { InputCount } from '../published/publishing.ts';
import { checkpointTimes } from './checkpoint.ts';
import type { LearningStore } from './learning.store.ts';

/** Limits of a slice. An item that has more rows alone is in a separate slice. */
export interface SliceBounds {
  readonly items: number;
  readonly rows: number;
}

export function sliceItems<Item extends { readonly rows: number }>(
  items: readonly Item[],
  bounds: SliceBounds,
): Item[][] {
  const slices: Item[][] = [];
  let slice: Item[] = [];
  let rows = 0;
  for (const item of items) {
    const isFull = slice.length === bounds.items || rows + item.rows > bounds.rows;
    if (slice.length > 0 && isFull) {
      slices.push(slice);
      slice = [];
      rows = 0;
    }
    slice.push(item);
    rows += item.rows;
  }
  return slice.length === 0 ? slices : [...slices, slice];
}

/** IDs of items, in order, in slices whose inputs at a point in time are within the limits. */
export async function* inputSlices(
  store: Pick<LearningStore, 'countInputs'>,
  ids: readonly number[],
  { at, bounds }: { readonly at: number; readonly bounds: SliceBounds },
): AsyncGenerator<number[]> {
  for (let start = 0; start < ids.length; start += bounds.items) {
    const some = ids.slice(start, start + bounds.items);
    const counted = await store.countInputs(some, at, checkpointTimes(at).at(-1));
    const idOf = ({ id }: InputCount) => id;
    for (const slice of sliceItems(counted, bounds)) yield slice.map(idOf);
  }
}
