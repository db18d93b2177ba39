/** The catalog as a list: sets and minifigures with filters, orders and chosen fields. */
import Type, { type Static, type TSchema } from 'typebox';
import { dataTiers } from '../../market/evidence/evidence.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { MinifigSearchResult, pageQuery, SetSearchResult } from '../catalog.ts';
import {
  choice,
  count,
  decimal,
  exactly,
  flag,
  listOf,
  oneOf,
  orNull,
  plainNumber,
  printablePattern,
  record,
  text,
  usd,
  year,
} from '../fields.ts';
import { amountMax, pageSizeMax, searchLengthMax, urlLengthMax } from '../limits.ts';
import { minifigExample, minifigFields } from '../minifig.ts';
import { setExample, setFields } from '../set.ts';

const named = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: searchLengthMax,
      pattern: printablePattern,
      description,
      examples: [example],
    }),
  );

const whole = (maximum: number, description: string, example: number) =>
  Type.Optional(
    Type.Integer({ minimum: 0, maximum, format: 'int32', description, examples: [example] }),
  );

export const amount = (description: string, example: number, decimals = 2) =>
  Type.Optional(plainNumber({ minimum: 0, maximum: amountMax, decimals, description, example }));

/** The largest change in a query, in percent. */
const percentMax = 1_000_000;

const percent = (description: string, example: number) =>
  Type.Optional(
    plainNumber({ minimum: -percentMax, maximum: percentMax, decimals: 2, description, example }),
  );

const yearMax = 9999;
const piecesMax = 1_000_000;

const years = {
  min_year: whole(yearMax, 'Only items released in this year or later.', 2020),
  max_year: whole(yearMax, 'Only items released in this year or earlier.', 2024),
};

const values = (field: string) => ({
  min_tier: Type.Optional(
    choice(dataTiers, 'Only items with a value of this data tier or a better one.', {
      example: 'medium',
    }),
  ),
  min_value_usd: amount(`Only items with at least this \`${field}\`.`, 50),
  max_value_usd: amount(`Only items with at most this \`${field}\`.`, 200),
});

/** Both limits of the change over a number of days. */
function changes<const Days extends number>(days: Days) {
  const since = `over ${days} days`;
  return {
    [`min_change_${days}d_pct`]: percent(
      `Only sets whose value rose at least this much ${since}.`,
      5,
    ),
    [`max_change_${days}d_pct`]: percent(
      `Only sets whose value rose at most this much ${since}.`,
      50,
    ),
  } as Record<`${'min' | 'max'}_change_${Days}d_pct`, ReturnType<typeof percent>>;
}

/** Orders by name, each also descending. */
function orders<const T extends readonly string[]>(names: T) {
  const both = names.flatMap((name) => [name, `-${name}`]);
  return Type.Unsafe<T[number] | `-${T[number]}`>(
    Type.Enum(both, {
      type: 'string',
      default: 'number',
      description:
        'The order; with `-`, descending. Items without the number come last in both ' +
        'directions, and equal ones are ordered by number. Item numbers are compared as text: ' +
        '`10089` comes before `1011`.',
      examples: [both[3] ?? 'number'],
    }),
  );
}

const cursorLengthMax = 600;

const paging = {
  after: Type.Optional(
    Type.String({
      maxLength: cursorLengthMax,
      pattern: '^[A-Za-z0-9_-]+$',
      'x-expected': 'the `next` of the page before',
      description: 'The `next` of the page before. If omitted, the first page.',
      examples: ['WyJrM2Yw'],
    }),
  ),
  limit: pageQuery.limit,
};

function fieldNames(fields: Readonly<Record<string, TSchema>>, example: string) {
  return Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: urlLengthMax,
      pattern: printablePattern,
      'x-list': true,
      'x-expected': `names of fields, separated by commas, such as ${example}`,
      description:
        `The fields to return, separated by commas: ${Object.keys(fields).join(', ')}. The ` +
        'number is always returned. If omitted, the fields of a search result.',
      examples: [example],
    }),
  );
}

const changeField = (days: number) =>
  orNull(
    decimal(
      `Change of \`new_value_usd\` in the ${days} days before it was computed, in percent; null ` +
        'unless sales support both values.',
    ),
  );

const liquidityFields = (condition: Condition) => ({
  sell_through_pct: orNull(
    decimal(
      `Sell-through: ${condition} units sold in 90 days as a percentage of those and the units ` +
        'for sale, in channels where the latter are known; null when not known.',
    ),
  ),
  units_per_month: orNull(
    decimal(`Sales of ${condition} units a month, over 90 days; null when not known.`),
  ),
  sellers_90d: orNull(
    count(
      `Sellers of ${condition} units in 90 days, as far as sources name them; null when none does.`,
    ),
  ),
});

export const listedSetFields = {
  ...SetSearchResult.properties,
  ...setFields,
  year: orNull(year('Year of release; null when unknown.')),
  retired: flag('Whether the set is retired.'),
  change_30d_pct: changeField(30),
  change_90d_pct: changeField(90),
  change_365d_pct: changeField(365),
  price_per_piece_usd: orNull(
    usd('`msrp_usd` divided by `pieces`, with four decimals; null when either is unknown.'),
  ),
  retail_price_usd: orNull(
    usd('Lowest price at a retailer that has the set in stock; null when none has.'),
  ),
  below_value_pct: orNull(
    decimal(
      'How far `retail_price_usd` is below `new_value_usd`, in percent; negative when above, ' +
        'null when either is unknown.',
    ),
  ),
  ...liquidityFields('sealed'),
} as const;

export const listedMinifigFields = {
  ...minifigFields,
  data_tier: orNull(
    oneOf(dataTiers, 'How well sales support `current_value_usd`; null without a value.'),
  ),
  ...liquidityFields('used'),
} as const;

const setOrders = [
  'number',
  'year',
  'pieces',
  'value',
  'change_30d',
  'change_90d',
  'change_365d',
  'price_per_piece',
  'below_value',
  'sell_through',
] as const;

const minifigOrders = ['number', 'year', 'value', 'sell_through'] as const;

export type SetOrder = (typeof setOrders)[number];

/** Filters that deals have, too. */
export const setFilters = {
  theme: named('Only sets of this theme, spelled exactly as in `theme` of a set.', 'Coastline'),
  status_id: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 4,
      format: 'int32',
      description: 'Only sets with this `status_id`.',
      examples: [4],
    }),
  ),
};

const minSellThrough = Type.Optional(
  plainNumber({
    minimum: 0,
    maximum: 100,
    decimals: 1,
    description: 'Only items with at least this sell-through over 90 days.',
    example: 40,
  }),
);

export const SetsQuery = exactly({
  theme: setFilters.theme,
  subtheme: named('Only sets of this subtheme, spelled exactly as in `subtheme`.', 'Landmarks'),
  status_id: setFilters.status_id,
  ...years,
  min_pieces: whole(piecesMax, 'Only sets with at least this many pieces.', 500),
  max_pieces: whole(piecesMax, 'Only sets with at most this many pieces.', 2000),
  ...values('new_value_usd'),
  ...changes(30),
  ...changes(90),
  ...changes(365),
  min_price_per_piece_usd: amount('Only sets with at least this price per piece.', 0.05, 4),
  max_price_per_piece_usd: amount('Only sets with at most this price per piece.', 0.12, 4),
  min_below_value_pct: percent(
    'Only sets that a retailer has in stock at least this many percent below their value.',
    20,
  ),
  min_sell_through_pct: minSellThrough,
  sort: orders(setOrders),
  fields: fieldNames(listedSetFields, 'title,new_value_usd'),
  ...paging,
});

export const MinifigsQuery = exactly({
  theme: named('Only minifigures of this theme, the first part of `category`.', 'Coastline'),
  ...years,
  ...values('current_value_usd'),
  min_sell_through_pct: minSellThrough,
  sort: orders(minifigOrders),
  fields: fieldNames(listedMinifigFields, 'name,current_value_usd'),
  ...paging,
});

/** Only the number is always there. */
function chosen<T extends Readonly<Record<string, TSchema>>, K extends keyof T & string>(
  fields: T,
  number: K,
) {
  const others = Object.entries(fields).filter(([name]) => name !== number);
  return {
    [number]: fields[number],
    ...Object.fromEntries(others.map(([name, field]) => [name, Type.Optional(field)])),
  } as Pick<T, K> & { [N in Exclude<keyof T & string, K>]: Type.TOptional<T[N]> };
}

const page = {
  total: count('Number of items on all pages.'),
  next: orNull(text('Send this as `after` to get the next page; null on the last one.')),
};

export const SetPage = record('SetPage', {
  sets: listOf(
    record('ListedSet', 'A set, with the chosen fields.', chosen(listedSetFields, 'set_number')),
    'In the chosen order.',
    pageSizeMax,
  ),
  ...page,
});

export const MinifigPage = record('MinifigPage', {
  minifigs: listOf(
    record(
      'ListedMinifig',
      'A minifigure, with the chosen fields.',
      chosen(listedMinifigFields, 'minifig_number'),
    ),
    'In the chosen order.',
    pageSizeMax,
  ),
  ...page,
});

/** The fields of search results: a page of these costs one call. */
export const freeFields = {
  set: Object.keys(SetSearchResult.properties),
  minifig: Object.keys(MinifigSearchResult.properties),
} as const;

/** Examples for the OpenAPI document. */
export const setPageExample: Static<typeof SetPage> = {
  sets: [
    {
      set_number: setExample.set_number,
      title: setExample.title,
      new_value_usd: setExample.new_value_usd,
      change_90d_pct: 4.2,
    },
  ],
  total: 61,
  next: 'WyJrM2YwIiwxNjg0MCwiMTA0ODIiXQ',
};
export const minifigPageExample: Static<typeof MinifigPage> = {
  minifigs: [
    {
      minifig_number: minifigExample.minifig_number,
      name: minifigExample.name,
      current_value_usd: minifigExample.current_value_usd,
    },
  ],
  total: 1,
  next: null,
};
