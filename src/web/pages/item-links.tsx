/** The minifigs in a set, or the sets that a minifig is in: small cards that lead there. */
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import { ItemPicture, itemPath } from './item-facts.tsx';

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
    <section class="card">
      <h2>{title}</h2>
      <ItemCards kind={kind} items={items.slice(0, linksMax)} />
      {left > 0 && <p class="quiet">{`And ${left} more.`}</p>}
    </section>
  );
}

/** The cards alone. */
export function ItemCards(props: {
  readonly kind: ItemKind;
  readonly items: readonly LinkedItem[];
}) {
  const { kind, items } = props;
  return (
    <ul class="items">
      {items.map(({ number, name, about }) => (
        <li key={number}>
          <a href={itemPath(kind, number)}>
            <ItemPicture kind={kind} number={number} />
            <span class="item-name">{name}</span>
            <span class="quiet">{[number, about].filter(Boolean).join(' · ')}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
