/** Minifigs as people and spreadsheets read them. */
import type { Batch, FoundMinifig, Minifig } from '../../client/index.ts';
import { countText, rangeText, usdText } from '../../domain/kernel/format.ts';
import type { CsvTable, Forms } from './asking.ts';
import { type Column, type Screen, screenFacts, screenTable } from './screen.ts';

/** How many of the sets with a minifig are named. */
const setsShown = 8;

/** One minifig in full. */
export const minifigForms: Forms<Minifig> = {
  csv: (minifig) => minifigCsv([{ ...minifig, found: true }]),
  text: minifigText,
};

/** Many minifigs, one to a line. */
export const minifigListForms: Forms<Batch> = {
  csv: ({ minifigs }) => minifigCsv(minifigs),
  text: ({ minifigs }, screen) => screenTable(columns, minifigs.filter(isFound), screen),
};

function isFound(minifig: Batch['minifigs'][number]): minifig is FoundMinifig {
  return minifig.found;
}

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

const csvFields: readonly (readonly [name: string, value: (minifig: FoundMinifig) => unknown])[] = [
  ['name', ({ name }) => name],
  ['category', ({ category }) => category],
  ['color', ({ color }) => color],
  ['year_released', ({ year_released }) => year_released],
  ['current_value_usd', ({ current_value_usd }) => current_value_usd],
  ['range_low_usd', ({ value_range }) => value_range?.low],
  ['range_high_usd', ({ value_range }) => value_range?.high],
  ['set_count', ({ set_count }) => set_count],
  ['sets', ({ sets }) => sets.join(' ')],
];

function minifigCsv(minifigs: Batch['minifigs']): CsvTable {
  return {
    columns: ['minifig_number', 'found', ...csvFields.map(([name]) => name)],
    rows: minifigs.map((minifig) => [
      minifig.minifig_number,
      minifig.found,
      ...csvFields.map(([, value]) => (isFound(minifig) ? value(minifig) : null)),
    ]),
  };
}
