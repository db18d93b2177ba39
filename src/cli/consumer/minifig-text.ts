/** Minifigs as text and CSV. */
import type { Batch, FoundMinifig, Minifig } from '../../../clients/typescript/src/index.ts';
import { countText, rangeText, usdText } from '../../kernel/format.ts';
import { type CsvTable, csvTable, type Formats, type MaybeFound } from './call-command.ts';
import { type Column, type Screen, screenFacts, screenTable } from './screen.ts';

const setsShown = 8;

export const formatsOfMinifig: Formats<Minifig> = {
  csv: (minifig) => minifigCsv([{ ...minifig, found: true }]),
  text: minifigText,
};

export const formatsOfMinifigs: Formats<Batch> = {
  csv: ({ minifigs }) => minifigCsv(minifigs),
  text: ({ minifigs }, screen) =>
    screenTable(
      columns,
      minifigs.filter(({ found }) => found),
      screen,
    ),
};

function minifigText(minifig: Minifig, screen: Screen): string {
  const { current_value_usd: value, value_range: range, year_released: year } = minifig;
  return [
    screen.paint('heading', `${minifig.minifig_number}  ${minifig.name}`),
    screenFacts(
      [
        ['Category', minifig.category],
        ['Color', minifig.color ?? null],
        ['Released', year === null ? null : String(year)],
        ['Value', value === null ? 'No sales yet' : `${usdText(value)}   ${rangeText(range)}`],
        ['Sets', setsText(minifig)],
      ],
      screen,
    ),
  ].join('\n');
}

function setsText({ sets, set_count: count }: Minifig): string {
  const more = count - Math.min(sets.length, setsShown);
  const named = sets.slice(0, setsShown).join(', ');
  return more > 0 ? `${named} and ${countText(more)} more` : named;
}

const columns: readonly Column<FoundMinifig>[] = [
  { title: 'MINIFIG', text: ({ minifig_number }) => minifig_number },
  { title: 'NAME', text: ({ name }) => name, isCut: true },
  { title: 'VALUE', text: ({ current_value_usd }) => usdText(current_value_usd), isNumber: true },
  { title: 'RANGE', text: ({ value_range }) => rangeText(value_range) },
  { title: 'SETS', text: ({ set_count }) => countText(set_count), isNumber: true },
];

/** Minifigs that were not found have empty cells. */
function minifigCsv(minifigs: readonly MaybeFound<FoundMinifig>[]): CsvTable {
  return csvTable(minifigs, [
    'minifig_number',
    'found',
    'name',
    'category',
    'color',
    'year_released',
    'current_value_usd',
    ['range_low_usd', ({ value_range }) => value_range?.low],
    ['range_high_usd', ({ value_range }) => value_range?.high],
    'set_count',
    ['sets', ({ sets }) => sets?.join(' ')],
  ]);
}
