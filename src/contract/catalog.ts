/** Catalog: search results, themes and the batch. */
import Type from 'typebox';
import {
  anyWhole,
  count,
  flag,
  identifier,
  largeCount,
  listOf,
  orNull,
  record,
  text,
  year,
} from './fields.ts';
import { batchItemsMax, batchListMax, pageSizeDefault, pageSizeMax } from './limits.ts';
import { minifigExample, minifigFields } from './minifig.ts';
import { setExample, setFields } from './set.ts';

export const Pagination = record('Pagination', 'Position of this page in the list.', {
  total: count('Number of elements on all pages.'),
  limit: count('The requested page size.'),
  offset: largeCount('The requested offset: elements skipped before this page.'),
  has_more: flag('Whether there are more elements after this page.'),
});

/** Pagination parameters of every list endpoint. */
export const pageQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: pageSizeMax,
    format: 'int32',
    default: pageSizeDefault,
    description: 'Page size.',
    examples: [pageSizeDefault],
  }),
  offset: anyWhole({
    minimum: 0,
    default: 0,
    description: 'Number of elements to skip. Any whole number; past the end, the page is empty.',
    example: 0,
  }),
} as const;

/** Identity only, no values. */
export const SetSearchResult = record('SetSearchResult', 'A set that matches the search.', {
  set_number: text('The set number.'),
  title: text('Name of the set.'),
  theme: orNull(text('Theme; null when unknown.')),
  subtheme: orNull(text('Subtheme; null when there is none.')),
  pieces: orNull(count('Number of pieces; null when unknown.')),
  year: orNull(year('Year of release; null when unknown.')),
  retired: flag('Whether the set is retired.'),
  image_url: orNull(text('URL of a picture; null when unknown.')),
});

/** Identity only, no values. */
export const MinifigSearchResult = record(
  'MinifigSearchResult',
  'A minifigure that matches the search.',
  {
    minifig_number: text('The minifigure number.'),
    name: text('Name of the minifigure.'),
    category: orNull(text('Category; null when unknown.')),
    year_released: orNull(year('Year of release; null when unknown.')),
    image_url: orNull(text('URL of a picture; null when unknown.')),
  },
);

export const SetSearchPage = record('SetSearchPage', {
  results: listOf(SetSearchResult, 'Matches, best first.', pageSizeMax),
  pagination: Pagination,
});

export const MinifigSearchPage = record('MinifigSearchPage', {
  results: listOf(MinifigSearchResult, 'Matches, best first.', pageSizeMax),
  pagination: Pagination,
});

export const ThemeList = record('ThemeList', {
  themes: listOf(
    record('Theme', 'A theme and its number of sets.', {
      theme: text('Name of the theme.'),
      set_count: count('Number of sets in it.'),
    }),
    'All themes, sorted by name.',
  ),
});

export const found = Type.Literal(true, { description: 'Always true: the item exists.' });
export const notFound = Type.Literal(false, {
  description: 'Always false: the item does not exist.',
});

export const MissingSet = record('MissingSet', 'A set that does not exist.', {
  set_number: text('The number as you sent it.'),
  found: notFound,
});

export const MissingMinifig = record('MissingMinifig', 'A minifigure that does not exist.', {
  minifig_number: text('The number as you sent it.'),
  found: notFound,
});

export const BatchSummary = record('BatchSummary', 'Counts of requested and found items.', {
  requested: Type.Integer({
    minimum: 1,
    maximum: batchItemsMax,
    format: 'int32',
    description: 'Number of unique items requested.',
  }),
  found: Type.Integer({
    minimum: 0,
    maximum: batchItemsMax,
    format: 'int32',
    description: 'Number of items found.',
  }),
});

export const BatchBody = record('BatchRequest', {
  sets: Type.Optional(
    orNull(
      listOf(
        identifier('A set number.', '10482-1'),
        'Set numbers. At most 100 unique sets and minifigures in total.',
        batchListMax,
      ),
    ),
  ),
  minifigs: Type.Optional(
    orNull(
      listOf(
        identifier('A minifigure number.', 'coa0007'),
        'Minifigure numbers. At most 100 unique sets and minifigures in total.',
        batchListMax,
      ),
    ),
  ),
});

export const BatchAnswer = record('Batch', {
  sets: listOf(
    Type.Union([record('FoundSet', 'A set that was found.', { ...setFields, found }), MissingSet]),
    'One element per unique set, in the order of the request.',
    batchItemsMax,
  ),
  minifigs: listOf(
    Type.Union([
      record('FoundMinifig', 'A minifigure that was found.', { ...minifigFields, found }),
      MissingMinifig,
    ]),
    'One element per unique minifigure, in the order of the request.',
    batchItemsMax,
  ),
  summary: BatchSummary,
});

export type SetSearchResult = Type.Static<typeof SetSearchResult>;
export type MinifigSearchResult = Type.Static<typeof MinifigSearchResult>;
export type ThemeList = Type.Static<typeof ThemeList>;
export type Pagination = Type.Static<typeof Pagination>;

export const paginationExample: Pagination = { total: 1, limit: 50, offset: 0, has_more: false };

/** Examples for the OpenAPI document. */
export const setSearchExample = {
  results: [
    {
      set_number: '10482',
      title: 'Harbour Lighthouse',
      theme: 'Coastline',
      subtheme: 'Landmarks',
      pieces: 1284,
      year: 2022,
      retired: true,
      image_url: 'https://images.example.com/sets/10482.png',
    },
  ],
  pagination: paginationExample,
};
export const minifigSearchExample = {
  results: [
    {
      minifig_number: 'coa0007',
      name: 'Lighthouse Keeper, Yellow Raincoat',
      category: 'Coastline',
      year_released: 2022,
      image_url: null,
    },
  ],
  pagination: paginationExample,
};
export const themeListExample: ThemeList = { themes: [{ theme: 'Coastline', set_count: 61 }] };
export const batchExample = {
  sets: [
    { ...setExample, found: true },
    { set_number: '99999', found: false },
  ],
  minifigs: [{ ...minifigExample, found: true }],
  summary: { requested: 3, found: 2 },
};
export const batchBodyExample = { sets: ['10482-1', '99999'], minifigs: ['coa0007'] };
