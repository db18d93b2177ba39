/** The interface for drawing pictures of items. */
import type { ItemKind } from '../items/numbers.ts';

export interface PictureItem {
  readonly kind: ItemKind;
  readonly number: string;
  readonly name: string;
  /** The theme of a set or the category of a minifig; null if unknown. */
  readonly theme: string | null;
}

/** Returns SVG; a small drawing has fewer details. */
export type DrawPicture = (item: PictureItem, isSmall: boolean) => string | Promise<string>;
