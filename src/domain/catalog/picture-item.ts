/** What a drawing of an item is made from. */
import type { ItemKind } from './numbers.ts';

/** An item with what a drawing can show of it. */
export interface PictureItem {
  readonly kind: ItemKind;
  readonly number: string;
  readonly name: string;
  /** The theme of a set, the category of a minifig; null when unknown. */
  readonly theme: string | null;
}

/** Draws an item as SVG; a small drawing has fewer details. */
export type DrawPicture = (item: PictureItem, isSmall: boolean) => string;
