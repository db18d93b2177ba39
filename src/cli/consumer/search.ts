/** `search`: sets and minifigs by number or name. */

import type {
  Brickmark,
  MinifigSearchPage,
  MinifigSearchResult,
  SetSearchPage,
  SetSearchResult,
} from '../../../clients/typescript/src/index.ts';
import { isSearchable } from '../../catalog/search/search-terms.ts';
import { pageSizeMax, searchLengthMin } from '../../contract/limits.ts';
import { countText } from '../../kernel/format.ts';
import { countFlag, UsageError } from '../row.ts';
import { answerOf, callCommand, type Formats, requireCalls } from './call-command.ts';
import { type Column, type Screen, screenTable } from './screen.ts';

/** Without the kinds that were not searched. */
interface Found {
  readonly sets?: SetSearchPage;
  readonly minifigs?: MinifigSearchPage;
}

const queryOf = (words: readonly string[]) => words.join(' ').trim();

export const searchCommand = callCommand({
  name: 'search',
  operands: { words: { label: 'WORDS', isMany: true } },
  summary: 'Search sets and minifigs by number or name',
  flags: {
    sets: { help: 'Search sets only (one call instead of two)' },
    minifigs: { help: 'Search minifigs only' },
    limit: countFlag(`Number of results of each type, up to ${pageSizeMax}`, pageSizeMax, 10),
    offset: {
      help: 'Number of results of each type to skip',
      value: 'N',
      integer: { min: 0, max: 1_000_000_000 },
    },
  },
  check: ({ words }) => {
    const q = queryOf(words);
    if (q === '') throw new UsageError('WORDS is missing.');
    if (isSearchable(q, searchLengthMin)) return;
    throw new UsageError(`Type at least ${searchLengthMin} characters.`);
  },
  call: async ({ words, limit, offset, sets, minifigs }, brickmark) => {
    const kinds = { sets: sets || !minifigs, minifigs: minifigs || !sets };
    const query = { q: queryOf(words), limit, offset: offset ?? 0 };
    return answerOf(await search(brickmark, query, kinds), searchFormats);
  },
});

async function search(
  brickmark: Brickmark,
  query: { readonly q: string; readonly limit: number; readonly offset: number },
  kinds: { readonly sets: boolean; readonly minifigs: boolean },
): Promise<Found> {
  if (kinds.sets && kinds.minifigs)
    await requireCalls(brickmark, 2, 'With --sets or --minifigs, it needs 1.');
  return {
    ...(kinds.sets && { sets: await brickmark.searchSets(query) }),
    ...(kinds.minifigs && { minifigs: await brickmark.searchMinifigs(query) }),
  };
}

const searchFormats: Formats<Found> = {
  csv: ({ sets, minifigs }) => ({
    columns: ['kind', 'number', 'title', 'theme', 'subtheme', 'year', 'pieces', 'retired'],
    rows: [
      ...(sets?.results ?? []).map((set) => [
        'set',
        set.set_number,
        set.title,
        set.theme,
        set.subtheme,
        set.year,
        set.pieces,
        set.retired,
      ]),
      ...(minifigs?.results ?? []).map((minifig) => [
        'minifig',
        minifig.minifig_number,
        minifig.name,
        minifig.category,
        null,
        minifig.year_released,
        null,
        null,
      ]),
    ],
  }),
  text: ({ sets, minifigs }, screen) =>
    [
      sets && pageText('sets', sets, setColumns, screen),
      minifigs && pageText('minifigs', minifigs, minifigColumns, screen),
    ]
      .filter((part) => part !== undefined)
      .join('\n\n'),
};

function pageText<Result>(
  name: string,
  page: { results: Result[]; pagination: SetSearchPage['pagination'] },
  columns: readonly Column<Result>[],
  screen: Screen,
): string {
  const { results, pagination } = page;
  const { total, offset, has_more } = pagination;
  if (total === 0) return `No ${name} found.`;
  if (results.length === 0) return `Only ${countText(total)} ${name} found.`;
  const next = offset + results.length;
  const more = `${countText(total - next)} more ${name}: --offset ${next}`;
  return [
    screenTable(columns, results, screen),
    ...(has_more ? [screen.paint('quiet', more)] : []),
  ].join('\n');
}

const yearText = (year: number | null) => (year === null ? '' : String(year));

const setColumns: readonly Column<SetSearchResult>[] = [
  { title: 'SET', text: ({ set_number }) => set_number },
  { title: 'TITLE', text: ({ title }) => title, isCut: true },
  { title: 'THEME', text: ({ theme }) => theme ?? '', isCut: true },
  { title: 'YEAR', text: ({ year }) => yearText(year), isNumber: true },
  {
    title: 'PIECES',
    text: ({ pieces }) => (pieces === null ? '' : countText(pieces)),
    isNumber: true,
  },
  { title: 'RETIRED', text: ({ retired }) => (retired ? 'Yes' : 'No') },
];

const minifigColumns: readonly Column<MinifigSearchResult>[] = [
  { title: 'MINIFIG', text: ({ minifig_number }) => minifig_number },
  { title: 'NAME', text: ({ name }) => name, isCut: true },
  { title: 'CATEGORY', text: ({ category }) => category ?? '', isCut: true },
  { title: 'YEAR', text: ({ year_released }) => yearText(year_released), isNumber: true },
];
