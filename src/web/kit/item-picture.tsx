/** Pictures of sets and minifigs. */
import type { ComponentChildren } from 'preact';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { withQuery } from './address.ts';
import { itemPath } from './links.tsx';

/** How large a picture is shown. */
export type PictureSize = 'thumb' | 'card' | 'large';

/** The style sheet has the size of thumbnails: there may be hundreds. */
const pixels: Readonly<Record<PictureSize, readonly [width?: number, height?: number]>> = {
  thumb: [],
  card: [240, 180],
  large: [640, 480],
};

/** Where a picture is. */
export function picturePath(kind: ItemKind, number: string, size: PictureSize): string {
  return withQuery(`/pictures/${kind}/${encodeURIComponent(number)}`, { size });
}

/** The picture of an item; beside its name it needs no words. */
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

/** An item in a row of a table: its picture, its name, and what tells it from others. */
export function ItemCell(props: {
  readonly kind: ItemKind;
  readonly number: string;
  readonly name: string;
  /** Beside the number, such as the theme. */
  readonly about?: ComponentChildren;
  /** Where the name leads; the page of the item unless told otherwise. */
  readonly href?: string;
}) {
  const { kind, number, name, about, href = itemPath(kind, number) } = props;
  return (
    <span class="item-cell">
      <ItemPicture kind={kind} number={number} size="thumb" />
      <a href={href}>{name || number}</a>
      <small>
        {number}
        {about && ' · '}
        {about}
      </small>
    </span>
  );
}
