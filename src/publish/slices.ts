/** How much is read at once: many small items, or few that have many rows. */
import type { InputCount, PublishingStore } from '../domain/market/publishing-store.ts';

/** What one slice may hold. An item with more rows than that is a slice of its own. */
export interface SliceBounds {
  readonly items: number;
  readonly rows: number;
}

/** Divides items, in order, into slices within the bounds; each item says how many rows it has. */
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

/** The ids of items, in order, in slices whose inputs at an instant are within the bounds. */
export async function* inputSlices(
  store: Pick<PublishingStore, 'countInputs'>,
  ids: readonly number[],
  { at, bounds }: { readonly at: number; readonly bounds: SliceBounds },
): AsyncGenerator<number[]> {
  for (let start = 0; start < ids.length; start += bounds.items) {
    const counted = await store.countInputs(ids.slice(start, start + bounds.items), at);
    const idOf = ({ id }: InputCount) => id;
    for (const slice of sliceItems(counted, bounds)) yield slice.map(idOf);
  }
}
