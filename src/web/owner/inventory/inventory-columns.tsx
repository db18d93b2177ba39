/** The columns of the inventory, on the page and in its CSV file, and its orders. */

import type { ComponentChildren } from 'preact';
import { csvCell, quoteCell, usdCell } from '../../../kernel/csv-cell.ts';
import { percentOf } from '../../../kernel/money.ts';
import { cutText } from '../../../kernel/text.ts';
import { byName, type FieldRow, type FieldValue } from '../../../portfolio/lots/fields.ts';
import { heldValueCents } from '../../../portfolio/lots/holdings.ts';
import {
  columnNames,
  type InventoryRow,
  type InventorySort,
  type OwnFieldKey,
  ownFieldKey,
  rowGainCents,
} from '../../../portfolio/lots/inventory.ts';
import { type OwnField, ownValues } from '../../../portfolio/lots/lot-details.ts';
import { optionalFields } from '../../../portfolio/lots/lot-fields.ts';
import { numberFields } from '../../../portfolio/lots/lots.ts';
import { fieldCell } from '../../../portfolio/lots/wire-fields.ts';
import { type CostedRow, type PlainRow, sharedSorts } from '../../../portfolio/sharing/shared.ts';
import { withQuery } from '../../kit/address.ts';
import { OutsideLink } from '../../kit/buttons.tsx';
import { columnClass, columnStyle } from '../../kit/column-head.ts';
import { columnFields } from '../../kit/csv-download.ts';
import type { Column } from '../../kit/data-table.tsx';
import {
  conditionNames,
  countText,
  dayText,
  inDollars,
  moneyText,
  nounText,
  percentText,
} from '../../kit/format.ts';
import { ItemCell, ItemPicture } from '../../kit/item-picture.tsx';
import { ConfidenceDot, Delta, Missing } from '../../kit/money.tsx';
import type { SortChoice } from '../../kit/sort-menu.tsx';
import { Sparkline } from '../../kit/sparkline.tsx';
import { fieldText, listColumn } from '../field-kinds.tsx';
import { gradeName } from './detail-text.ts';
import { LotStatus } from './lot-fields.tsx';

/** A row of the page, with its photos, and its values of the last 90 days if they are shown. */
export interface ShownRow extends InventoryRow {
  readonly recent?: readonly (number | null)[];
  readonly photos?: number;
}

interface ChosenColumn<Row = ShownRow> extends Omit<Column<Row>, 'key' | 'isSortable'> {
  /** Its name in the choice of columns, if not that of the heading. */
  readonly longName?: string;
}

/** The names of an order, ascending and descending. */
type OrderNames = readonly [up: string, down: string];

/** Columns that do not depend on what a lot cost. */
const plainColumns = {
  quantity: {
    name: 'Qty',
    longName: 'Quantity',
    isNumber: true,
    cell: ({ lot, units }) => countText(units || lot.quantity),
    csv: { quantity: ({ units }) => units },
  },
  condition: {
    name: 'Condition',
    cell: ({ lot }) => conditionNames[lot.condition],
    csv: { condition: ({ lot }) => lot.condition },
  },
  grade: {
    name: 'Grade',
    isMinor: true,
    cell: ({ lot, share }) =>
      lot.grade && lines(gradeName(lot.grade), share.isAssumed && 'Effect assumed'),
    csv: { grade: ({ lot }) => csvCell(lot.grade) },
  },
  value: {
    name: 'Market value',
    isNumber: true,
    cell: valueCell,
    csv: {
      unit_value_usd: ({ unitCents }) => usdCell(unitCents),
      market_value_usd: ({ unitCents, units }) =>
        usdCell(unitCents === null ? null : unitCents * units),
      value_confidence: ({ tier }) => tier ?? '',
    },
  },
} satisfies Readonly<Record<string, ChosenColumn<PlainRow>>>;

/** As in totals, lots without a value count at cost. */
const countedValue: ChosenColumn<CostedRow> = {
  ...plainColumns.value,
  csv: {
    ...plainColumns.value.csv,
    market_value_usd: (row) => usdCell(heldValueCents(row)),
    value_confidence: ({ tier, units }) => tier ?? (units > 0 ? 'at_cost' : ''),
  },
};

const costColumns = {
  cost: {
    name: 'Cost basis',
    isNumber: true,
    cell: ({ lot, units }) =>
      lines(
        moneyText(lot.priceCents * (units || lot.quantity)),
        lot.isEstimated ? 'Estimated' : eachText(lot.priceCents, units || lot.quantity),
      ),
    csv: {
      purchase_price_usd: ({ lot }) => usdCell(lot.priceCents),
      price_is_estimated: ({ lot }) => String(lot.isEstimated),
      cost_basis_usd: ({ costCents }) => usdCell(costCents),
    },
  },
  gain: {
    name: 'Gain',
    isNumber: true,
    cell: gainCell,
    csv: {
      gain_usd: (row) => usdCell(rowGainCents(row)),
      gain_pct: (row) => gainPercent(row)?.toFixed(2) ?? '',
    },
  },
  date: {
    name: 'Purchased',
    longName: 'Purchase date',
    isDay: true,
    isMinor: true,
    isOneLine: true,
    cell: ({ lot }) =>
      lot.dateBasis === 'unknown' ? (
        <Missing reason="Purchase date unknown" />
      ) : (
        lines(dayText(lot.purchaseDate), lot.dateBasis === 'assumed' && 'Assumed')
      ),
    csv: {
      purchase_date: ({ lot }) => (lot.dateBasis === 'unknown' ? '' : lot.purchaseDate),
      purchase_date_is: ({ lot }) => lot.dateBasis,
    },
  },
} satisfies Readonly<Record<string, ChosenColumn<CostedRow>>>;

/** Columns of other fields show more: the units left, or the cost of all. */
const fieldColumns = byName(
  columnNames,
  optionalFields,
  (row): ChosenColumn => ({
    ...listColumn(row),
    cell: ({ lot }) => fieldContent(row, lot[row.field]),
    csv: { [row.wire]: ({ lot }) => fieldCell(row, lot[row.field]) },
  }),
);

/** The columns that are shown if none are chosen, in the order of the page. */
const firstColumns = {
  quantity: {
    ...plainColumns.quantity,
    csv: { ...plainColumns.quantity.csv, quantity_bought: ({ lot }) => lot.quantity },
  },
  condition: plainColumns.condition,
  cost: costColumns.cost,
  value: countedValue,
  gain: costColumns.gain,
  trend: {
    name: '90 days',
    isNumber: true,
    isSecondary: true,
    // An estimate does not follow sales: its line would be flat.
    cell: ({ recent = [], tier }) => tier !== 'modeled' && trendCell(recent),
  },
  collection: {
    name: 'Collection',
    isMinor: true,
    cell: ({ brickfolio }) =>
      brickfolio.length > shortName ? (
        <span class="place" title={brickfolio}>
          {brickfolio}
        </span>
      ) : (
        brickfolio
      ),
    csv: { collection: ({ brickfolio }) => csvCell(brickfolio) },
  },
  date: costColumns.date,
  status: { ...fieldColumns.status, cell: ({ lot }) => <LotStatus lot={lot} /> },
} satisfies Readonly<Record<string, ChosenColumn>>;

const chosenColumns = {
  ...firstColumns,
  ...fieldColumns,
  status: firstColumns.status,
  grade: plainColumns.grade,
  listed: {
    ...fieldColumns.listed,
    longName: 'Listed on, days listed',
    cell: ({ lot, daysListed }: ShownRow) =>
      lot.listedAt &&
      lines(dayText(lot.listedAt), daysListed !== null && nounText(daysListed, 'day')),
    csv: {
      listed_at: ({ lot }: ShownRow) => lot.listedAt ?? '',
      days_listed: ({ daysListed }: ShownRow) => daysListed ?? '',
    },
  },
};

function fieldContent(row: (typeof optionalFields)[number], value: FieldValue) {
  if (value === null) return null;
  if (row.kind === 'lines') return <Cut text={String(value)} />;
  return row.kind === 'url' ? <OutsideLink href={String(value)} /> : fieldText(row, value);
}

/** The names of each order. The column of the same name sorts by it. */
const sortNames: Readonly<Record<InventorySort, OrderNames>> = {
  date: ['Oldest purchase', 'Newest purchase'],
  name: ['Name, A to Z', 'Name, Z to A'],
  number: ['Number, lowest', 'Number, highest'],
  theme: ['Theme, A to Z', 'Theme, Z to A'],
  collection: ['Collection, A to Z', 'Collection, Z to A'],
  quantity: ['Lowest quantity', 'Highest quantity'],
  condition: ['Sealed first', 'Used first'],
  cost: ['Lowest cost', 'Highest cost'],
  value: ['Lowest value', 'Highest value'],
  gain: ['Lowest gain ($)', 'Highest gain ($)'],
  gain_pct: ['Lowest gain (%)', 'Highest gain (%)'],
  ...byName(columnNames, optionalFields, ordersOf),
  status: ['Owned first', 'Listed first'],
  grade: ['Best grade', 'Worst grade'],
  listed: ['Listed longest', 'Listed most recently'],
};

function ordersOf({ kind, name }: FieldRow): OrderNames {
  const noun = name.toLowerCase();
  if (kind === 'money') return [`Lowest ${noun}`, `Highest ${noun}`];
  if (kind === 'day') return [`${name}, oldest`, `${name}, newest`];
  return [`${name}, A to Z`, `${name}, Z to A`];
}

/** All orders, for the sort menu on phones. */
export function sortChoices(ownFields: readonly OwnField[]): readonly SortChoice[] {
  const own = ownFields.map((field): [string, readonly [string, string]] => [
    ownFieldKey(field),
    [`${field.name}, A to Z`, `${field.name}, Z to A`],
  ]);
  const known = Object.entries(sortNames).map(
    ([key, [up, down]]) => [key, [inDollars(up), inDollars(down)]] as const,
  );
  return [...known, ...own].flatMap(([key, [up, down]]) => [
    { key, isDescending: true, text: down },
    { key, isDescending: false, text: up },
  ]);
}

/** The name of a column in addresses. */
export type InventoryColumn = keyof typeof chosenColumns | OwnFieldKey;

/** The names of all columns to choose from, without own fields. */
export const inventoryColumns = Object.keys(chosenColumns) as (keyof typeof chosenColumns)[];

export const usualColumns = Object.keys(firstColumns) as (keyof typeof firstColumns)[];

export function columnChoices(
  ownFields: readonly OwnField[],
): readonly (readonly [key: InventoryColumn, name: string])[] {
  const known = inventoryColumns.map((key) => {
    const { name, longName = name }: ChosenColumn = chosenColumns[key];
    return [key, longName] as const;
  });
  return [...known, ...ownFields.map((field) => [ownFieldKey(field), field.name] as const)];
}

/** Characters of a note that a table shows. */
const noteLengthMax = 60;

function Cut({ text }: { readonly text: string }) {
  const line = text.replaceAll('\n', ' ');
  const cut = cutText(line, noteLengthMax);
  return <span title={cut === line ? undefined : text}>{cut}</span>;
}

function ownColumn(field: OwnField): Column<ShownRow> {
  const textOf = ({ lot }: ShownRow) => ownValues(lot.ownFields)[field.name] ?? null;
  return {
    key: ownFieldKey(field),
    name: field.name,
    isSortable: true,
    isMinor: true,
    isUnplaced: true,
    cell: textOf,
    // The prefix keeps names apart from other columns, and from being formulas.
    csv: { [quoteCell(`own_${field.name}`)]: (row) => csvCell(textOf(row)) },
  };
}

function numbersOf({ lot, item }: PlainRow) {
  return numberFields({ kind: lot.kind, number: item.number });
}

const itemColumn: Column<ShownRow> = {
  key: 'name',
  name: 'Item',
  isMain: true,
  isSortable: true,
  // Like `ItemCell`, without an element around it.
  cell: ({ lot, item: { number, title, theme }, photos = 0 }) => (
    <>
      <ItemPicture kind={lot.kind} number={number} size="thumb" />
      <a href={`/lots/${lot.id}`}>{title || number}</a>
      <small>
        {number}
        {theme && <span> · {theme}</span>}
        {photos > 0 && <span> · {nounText(photos, 'photo')}</span>}
      </small>
    </>
  ),
  csv: {
    lot_id: ({ lot }) => lot.id,
    set_number: (row) => csvCell(numbersOf(row).set_number),
    title: ({ item }) => csvCell(item.title),
    theme: ({ item }) => csvCell(item.theme || null),
  },
};

const sellColumn: Column<ShownRow> = {
  key: 'sell',
  name: 'Sell',
  isNameHidden: true,
  cell: ({ lot, units }) =>
    units > 0 && (
      <a href={withQuery('/sales/new', { lot: lot.id })} aria-describedby={String(lot.id)}>
        Sell
      </a>
    ),
  // In the last column, because it was added last.
  csv: { minifig_number: (row) => csvCell(numbersOf(row).minifig_number) },
};

export function columnsOf(
  chosen: readonly InventoryColumn[],
  ownFields: readonly OwnField[],
): readonly Column<ShownRow>[] {
  const known = inventoryColumns
    .filter((key) => chosen.includes(key))
    .map((key) => ({ key, isSortable: key in sortNames, ...chosenColumns[key] }));
  const own = ownFields.filter((field) => chosen.includes(ownFieldKey(field))).map(ownColumn);
  return [itemColumn, ...known, ...own, sellColumn];
}

const sharedItem: Column<PlainRow> = {
  key: 'name',
  name: 'Item',
  isMain: true,
  isSortable: true,
  cell: ({ lot, item: { number, title, theme } }) => (
    <ItemCell kind={lot.kind} number={number} name={title} about={theme} />
  ),
  csv: {
    set_number: (row) => csvCell(numbersOf(row).set_number),
    minifig_number: (row) => csvCell(numbersOf(row).minifig_number),
    title: ({ item }) => csvCell(item.title),
    theme: ({ item }) => csvCell(item.theme || null),
  },
};

function keyed<Row>(columns: Readonly<Record<string, ChosenColumn<Row>>>): Column<Row>[] {
  return Object.entries(columns).map(([key, column]) => ({ key, isSortable: true, ...column }));
}

/** The columns of a shared collection, without costs. */
export const sharedColumns: readonly Column<PlainRow>[] = [sharedItem, ...keyed(plainColumns)];

export const sharedCostColumns: readonly Column<CostedRow>[] = [
  sharedItem,
  ...keyed({ ...plainColumns, value: countedValue }),
  ...keyed(costColumns),
];

export function sharedSortChoices(share: { readonly withCosts: boolean }): readonly SortChoice[] {
  const sorts: readonly string[] = sharedSorts(share);
  return sortChoices([]).filter(({ key }) => sorts.includes(key));
}

/** The fields of the CSV file, whichever columns are shown. Those of new columns come last. */
export function inventoryFields(ownFields: readonly OwnField[]) {
  const all = [...inventoryColumns, ...ownFields.map(ownFieldKey)];
  return columnFields(columnsOf(all, ownFields), firstFields);
}

const firstFields = [
  'lot_id',
  'set_number',
  'title',
  'theme',
  'collection',
  'condition',
  'quantity',
  'quantity_bought',
  'purchase_price_usd',
  'price_is_estimated',
  'purchase_date',
  'purchase_date_is',
  'status',
];

/** The columns before those to choose from: the checkbox and the set. */
const columnsBefore = 2;

const positions = { from: columnsBefore + 1, to: columnsBefore + inventoryColumns.length } as const;

/**
 * On a phone, a lot has two lines: name and value, then number, quantity, condition and gain. The
 * other columns are on its page.
 */
const phoneCells: Partial<Record<InventoryColumn, string>> = {
  value: 'grid-area: 1 / 5; text-align: right;',
  gain: 'grid-area: 2 / 5; text-align: right;',
  quantity: 'grid-area: 2 / 3;',
  condition: 'grid-area: 2 / 4;',
};

function phoneStyle(): string {
  const shown = 'position: static; width: auto; height: auto; overflow: visible; clip-path: none;';
  const rules = Object.entries(phoneCells).flatMap(([key, style]) =>
    cellSelectors(key).map(
      (cell) => `.lots ${cell} { ${shown} ${style} } .lots ${cell}::before { content: none; }`,
    ),
  );
  const quantities = cellSelectors('quantity').map(
    (cell) => `.lots ${cell}::before { content: "× "; display: inline; }`,
  );
  return `@media (max-width: 47.99rem) {\n${[...rules, ...quantities].join('\n')}\n}`;
}

/** Selectors of the cells of a column, for each position that it may have. */
function cellSelectors(key: string): string[] {
  const count = positions.to - positions.from + 1;
  return Array.from({ length: count }, (_, index) => {
    const position = positions.from + index;
    return `.${columnClass(key, position)} td:nth-child(${position})`;
  });
}

/** The names and alignment of the columns, for the style sheet. */
export const inventoryStyle = [
  columnStyle(columnsOf(inventoryColumns, []).slice(1, -1), positions),
  phoneStyle(),
].join('\n');

/** The longest name of a collection that fits into the column; longer ones are cut by style. */
const shortName = 12;

/** Like `Lines`, without an element around it, which hundreds of rows would repeat. */
function lines(first: ComponentChildren, second: ComponentChildren) {
  return (
    <>
      {first}
      {second && <small>{second}</small>}
    </>
  );
}

function eachText(cents: number, units: number): string | null {
  return units > 1 ? `${moneyText(cents)} each` : null;
}

function valueCell({ unitCents, units, tier }: PlainRow) {
  if (units === 0) return null;
  if (unitCents === null) return <Missing reason="No value yet" />;
  const value = (
    <>
      {tier && <ConfidenceDot tier={tier} />} {moneyText(unitCents * units)}
    </>
  );
  return lines(value, tier === 'modeled' ? 'Estimated' : eachText(unitCents, units));
}

function gainCell(row: CostedRow) {
  const gain = rowGainCents(row);
  const percent = gainPercent(row);
  if (row.units === 0) return null;
  if (gain === null) return <Missing reason="No value yet" />;
  return lines(<Delta cents={gain} />, percent !== null && percentText(percent));
}

/** The gain in percent of the cost; null without a value or a cost. */
function gainPercent(row: CostedRow): number | null {
  const gain = rowGainCents(row);
  return gain === null || row.costCents === 0 ? null : percentOf(gain, row.costCents);
}

function trendCell(values: readonly (number | null)[]) {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (!first || last === undefined) return null;
  return <Sparkline values={values} label={percentText(percentOf(last - first, first))} />;
}
