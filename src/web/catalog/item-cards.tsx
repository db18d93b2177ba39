/** Links to other items: minifigs in a set, sets with a minifig, variants of a set. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { MinifigSearchResult, SetSearchResult } from '../../contract/catalog.ts';
import { shortText } from '../../kernel/text.ts';
import { itemPath } from '../kit/address.ts';
import { Card } from '../kit/card.tsx';
import { faultAnswer } from '../kit/fault.tsx';
import { ItemPicture } from '../kit/item-picture.tsx';
import type { PageAnswer, PageRequest } from '../page.ts';

/** The maximum number of cards; more than any set has minifigs. */
const linksMax = 60;

export interface LinkedItem {
  readonly number: string;
  readonly name: string;
  /** A detail, such as its year. */
  readonly about?: string | null;
  /** Whether only its number is known, so that it has no page. */
  readonly isUnknown?: boolean;
}

/** Cards with picture, name and number; nothing if there are none. */
export function ItemLinks(props: {
  readonly title: string;
  readonly kind: ItemKind;
  readonly items: readonly LinkedItem[];
}) {
  const { title, kind, items } = props;
  if (items.length === 0) return null;
  const left = items.length - linksMax;
  return (
    <Card title={title}>
      <ul class="items">
        {items.slice(0, linksMax).map(({ number, name, about, isUnknown }) => (
          <li key={number}>
            <a {...(!isUnknown && { href: itemPath(kind, number) })}>
              <ItemPicture kind={kind} number={number} size="card" />
              <span class="item-name">{name}</span>
              <span class="quiet">{[number, about].filter(Boolean).join(' · ')}</span>
            </a>
          </li>
        ))}
      </ul>
      {left > 0 && <p class="quiet">{`And ${left} more.`}</p>}
    </Card>
  );
}

const variantsMax = 30;

/** The other variants of a set, in one line; nothing if there are none. */
export function AlsoLinks({ variants }: { readonly variants: readonly LinkedItem[] }) {
  if (variants.length === 0) return null;
  const left = variants.length - variantsMax;
  return (
    <p>
      Also:{' '}
      {variants.slice(0, variantsMax).map(({ number, name, about }, index) => (
        <>
          {index > 0 && ', '}
          <a href={itemPath('set', number)}>{`${number} ${name}`}</a>
          {about && ` (${about})`}
        </>
      ))}
      {left > 0 && ` and ${left} more`}
    </p>
  );
}

export function aboutSet({ year, retired }: SetSearchResult): string {
  return [year, retired ? 'retired' : null].filter((part) => part !== null).join(', ');
}

export function setCard(row: string): LinkedItem {
  const set: SetSearchResult = JSON.parse(row);
  return { number: set.set_number, name: set.title, about: aboutSet(set) };
}

export function minifigCard(row: string): LinkedItem {
  const { minifig_number: number, name, year_released }: MinifigSearchResult = JSON.parse(row);
  return { number, name, about: year_released === null ? null : String(year_released) };
}

/** The 404 page of an item, with links to its variants. */
export function missingItem(
  request: PageRequest,
  item: {
    readonly kind: ItemKind;
    readonly number: string;
    readonly variants?: readonly LinkedItem[];
  },
): PageAnswer {
  const { kind, number, variants = [] } = item;
  const message = `There is no ${kind} '${shortText(number)}'. Search for it by its name above.`;
  return faultAnswer(request, 404, message, <AlsoLinks variants={variants} />);
}
