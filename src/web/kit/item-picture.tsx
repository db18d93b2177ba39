/** Pictures of sets and minifigs. */
import type { ComponentChildren } from 'preact';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { itemPath, withQuery } from './address.ts';

export type PictureSize = 'thumb' | 'card' | 'large';

/** Thumbnails, of which a page may have hundreds, get their size from the style sheet. */
const pixels: Readonly<Record<PictureSize, readonly [width?: number, height?: number]>> = {
  thumb: [],
  card: [240, 180],
  large: [640, 480],
};

export function picturePath(kind: ItemKind, number: string, size: PictureSize): string {
  return withQuery(`/pictures/${kind}/${encodeURIComponent(number)}`, { size });
}

/** The picture of an item; next to the name, it needs no alt text. */
export function ItemPicture(props: {
  readonly kind: ItemKind;
  readonly number: string;
  readonly size: PictureSize;
  readonly alt?: string;
}) {
  const { kind, number, size, alt = '' } = props;
  const [width, height] = pixels[size];
  return (
    <img
      class={size === 'thumb' ? undefined : 'picture'}
      src={picturePath(kind, number, size)}
      alt={alt}
      width={width}
      height={height}
      loading={size === 'large' ? undefined : 'lazy'}
      decoding={size === 'thumb' ? undefined : 'async'}
    />
  );
}

export function ItemCell(props: {
  readonly kind: ItemKind;
  readonly number: string;
  readonly name: string;
  /** Next to the number, such as the theme. */
  readonly about?: ComponentChildren;
  /** Where the name leads; by default, to the page of the item. */
  readonly href?: string;
}) {
  const { kind, number, name, about, href = itemPath(kind, number) } = props;
  return (
    <span class="item-cell">
      <ItemPicture kind={kind} number={number} size="thumb" />
      <a href={href}>{name || number}</a>
      <small>
        {number}
        {about && <span> · {about}</span>}
      </small>
    </span>
  );
}
