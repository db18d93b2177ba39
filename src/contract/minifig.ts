/** The Minifig record of `GET /minifig/{number}` and the batch. */
import Type from 'typebox';
import { count, listOf, orNull, record, text, usd, year } from './fields.ts';

const MinifigValueRange = record(
  'MinifigValueRange',
  'Expected range of the next ordinary sale, around `current_value_usd`; null without a value.',
  { low: usd('Lower end of the range.'), high: usd('Upper end of the range.') },
);

/** Shared by the record and its form in a batch. */
export const minifigFields = {
  minifig_number: text('The minifigure number, such as `sw0001a`.'),
  name: text('Name of the minifigure.'),
  category: orNull(text('Category; null when unknown.')),
  color: Type.Optional(text('Main color; omitted when unknown.')),
  year_released: orNull(year('Year of release; null when unknown.')),
  image_url: orNull(text('URL of a picture; null when unknown.')),
  current_value_usd: orNull(usd('Market value; null when too little is known.')),
  value_range: orNull(MinifigValueRange),
  set_count: count('Number of sets it appears in.'),
  sets: listOf(text('A set number.'), 'Numbers of the sets it appears in, sorted by number.'),
} as const;

export const MinifigRecord = record(
  'Minifig',
  'A minifigure with its market value.',
  minifigFields,
);

export type MinifigRecord = Type.Static<typeof MinifigRecord>;

/** Example for the OpenAPI document. */
export const minifigExample: MinifigRecord = {
  minifig_number: 'coa0007',
  name: 'Lighthouse Keeper, Yellow Raincoat',
  category: 'Coastline',
  year_released: 2022,
  image_url: null,
  current_value_usd: 6.35,
  value_range: { low: 4.9, high: 8.1 },
  set_count: 1,
  sets: ['10482'],
};
