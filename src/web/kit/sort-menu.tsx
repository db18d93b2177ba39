/** The orders of a list, for phones, whose cards have no headings to sort by. */

import { type ColumnHead, headingOf } from './column-head.ts';
import { Menu } from './menu.tsx';

export interface Order {
  readonly key: string;
  readonly isDescending: boolean;
}

/** An order to choose, as the menu calls it. */
export interface SortChoice extends Order {
  readonly text: string;
}

/** The order of a list, and the addresses of other orders. */
export interface TableSort extends Order {
  /** The key of the column that shows it, if it is another one. */
  readonly columnKey?: string;
  readonly href: (key: string, isDescending: boolean) => string;
  /** Orders to choose from on a phone; by default, those of the columns in both directions. */
  readonly choices?: readonly SortChoice[];
}

/** A menu of links, so that it works without script and inside of forms. */
export function SortMenu(props: {
  readonly sort: TableSort;
  readonly columns: readonly ColumnHead[];
}) {
  const { sort, columns } = props;
  const choices = sort.choices ?? columns.filter(({ isSortable }) => isSortable).flatMap(choicesOf);
  const isCurrent = ({ key, isDescending }: Order) =>
    key === sort.key && isDescending === sort.isDescending;
  const current = choices.find(isCurrent);
  return (
    <Menu class="sort" label={current ? `Sort: ${current.text}` : 'Sort'} look="button plain">
      {choices.map((choice) => (
        <a
          key={choice.text}
          href={sort.href(choice.key, choice.isDescending)}
          aria-current={choice === current ? 'true' : undefined}
        >
          {choice.text}
        </a>
      ))}
    </Menu>
  );
}

/** Both directions of a column, first the one that its heading leads to. */
function choicesOf(column: ColumnHead): readonly SortChoice[] {
  const { key, isNumber, isDay } = column;
  const name = headingOf(column);
  const up = { key, isDescending: false };
  const down = { key, isDescending: true };
  if (isDay) {
    return [
      { ...down, text: `${name}, newest first` },
      { ...up, text: `${name}, oldest first` },
    ];
  }
  if (isNumber) {
    return [
      { ...down, text: `${name}, high to low` },
      { ...up, text: `${name}, low to high` },
    ];
  }
  return [
    { ...up, text: `${name}, A to Z` },
    { ...down, text: `${name}, Z to A` },
  ];
}
