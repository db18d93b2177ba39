/** The minifigs in a set, or the sets that a minifig is in: small cards that lead there. */

import type { MinifigSearchResult, SetSearchResult } from '../../contract/catalog.ts';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { shortText } from '../../domain/kernel/text.ts';
import { Card } from '../kit/card.tsx';
import { faultAnswer } from '../kit/fault.tsx';
import { ItemPicture } from '../kit/item-picture.tsx';
import { itemPath } from '../kit/links.tsx';
import type { PageAnswer, PageRequest } from '../page.ts';

/** More are not shown on one page; no set has nearly so many minifigs. */
const linksMax = 60;

/** Something that is led to. */
export interface LinkedItem {
  readonly number: string;
  readonly name: string;
  /** What goes with it, such as its year. */
  readonly about?: string | null;
}

/** Cards with picture, name and number. Nothing when there are none. */
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
        {items.slice(0, linksMax).map(({ number, name, about }) => (
          <li key={number}>
            <a href={itemPath(kind, number)}>
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

/** More variants of one set are counted, not named. */
const variantsMax = 30;

/** The other variants of a set, in a line. Nothing when there are none. */
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

/** What goes with the number of a set: its year, and whether it can still be bought. */
export function aboutSet({ year, retired }: SetSearchResult): string {
  return [year, retired ? 'retired' : null].filter((part) => part !== null).join(', ');
}

/** A set that was found. */
export function setCard(row: string): LinkedItem {
  const set: SetSearchResult = JSON.parse(row);
  return { number: set.set_number, name: set.title, about: aboutSet(set) };
}

/** A minifig that was found. */
export function minifigCard(row: string): LinkedItem {
  const { minifig_number: number, name, year_released }: MinifigSearchResult = JSON.parse(row);
  return { number, name, about: year_released === null ? null : String(year_released) };
}

/** The answer for an item that is not there, or not published yet, with its variants that are. */
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
