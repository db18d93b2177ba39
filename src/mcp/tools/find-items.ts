/** `find_items`: search for sets and minifigs. */
import Type from 'typebox';
import type {
  MinifigSearchResult,
  SetSearchResult,
} from '../../../clients/typescript/src/index.ts';
import {
  MinifigSearchResult as MinifigResult,
  SetSearchResult as SetResult,
} from '../../contract/catalog.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { exactly, oneOf, orNull } from '../../contract/fields.ts';
import { pagingOf, partFields, partOf, requireCalls, tool } from '../tool.ts';
import { lines, shownText } from '../words.ts';

export const findItems = tool({
  name: 'find_items',
  title: 'Find sets and minifigures',
  description:
    'Search the LEGO catalog by number or name, such as "75192" or "millennium falcon". Every ' +
    'word must match. Use it to get the numbers that the other tools need. Results are sorted ' +
    'by best match and have no values; call get_values for those.',
  parameters: { q: 'query' },
  cost: '1 call for sets or minifigs only, 2 for any (the default)',
  input: exactly({
    query: endpoints.searchSets.query.properties.q,
    kind: Type.Optional(
      oneOf(['any', 'set', 'minifig'], 'What to search. `any` (the default) searches both.'),
    ),
    ...partFields({ most: 50, usual: 10 }),
  }),
  output: exactly({
    sets: orNull(
      exactly(partOf(SetResult, 'Matches, best first.'), 'Sets; null when not searched.'),
    ),
    minifigs: orNull(
      exactly(partOf(MinifigResult, 'Matches, best first.'), 'Minifigures; null if not searched.'),
    ),
  }),
  run: async ({ query: q, kind = 'any', limit = 10, offset = 0 }, brickmark) => {
    const page = { q, limit, offset };
    if (kind === 'any')
      await requireCalls(brickmark, 2, 'With kind set or minifig, find_items needs 1.');
    const sets = kind === 'minifig' ? null : await brickmark.searchSets(page);
    const minifigs = kind === 'set' ? null : await brickmark.searchMinifigs(page);
    return {
      data: {
        sets: sets && { items: sets.results, ...pagingOf(sets) },
        minifigs: minifigs && { items: minifigs.results, ...pagingOf(minifigs) },
      },
      text: lines(
        sets ? listed('sets', sets, setLine) : '',
        minifigs ? listed('minifigures', minifigs, minifigLine) : '',
      ),
    };
  },
});

function listed<T>(
  noun: string,
  page: { readonly results: readonly T[] } & Parameters<typeof pagingOf>[0],
  line: (result: T) => string,
): string {
  const { results } = page;
  if (page.pagination.total === 0)
    return `No ${noun} match. Try fewer or different words, or the number.`;
  return lines(`Matching ${noun}:`, results.map(line), shownText(results.length, pagingOf(page)));
}

function setLine({ set_number, title, theme, year, retired }: SetSearchResult): string {
  const facts = [theme, year, retired ? 'retired' : null].filter((fact) => fact !== null);
  return `- ${set_number} ${title}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`;
}

function minifigLine({ minifig_number, name, year_released }: MinifigSearchResult): string {
  return `- ${minifig_number} ${name}${year_released === null ? '' : ` (${year_released})`}`;
}
