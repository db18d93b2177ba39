/** Pictures of the made-up market: every set and minifig is drawn, and no two are alike. */
import type { DrawPicture } from '../../domain/catalog/picture-item.ts';
import { drawMinifig } from './minifig-drawing.ts';
import { drawSet } from './set-drawing.ts';

/** The picture of an item, always the same. */
export const drawItem: DrawPicture = (item, isSmall) =>
  item.kind === 'set' ? drawSet(item, isSmall) : drawMinifig(item, isSmall);
