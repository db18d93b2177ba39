/** Search for sets and minifigs. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { isSearchable } from '../../catalog/search/search-terms.ts';
import { bad } from '../../contract/input-messages.ts';
import { searchLengthMin, searchTermExpected } from '../../contract/limits.ts';
import type { RequestedRange } from '../../kernel/page.ts';
import { shortText } from '../../kernel/text.ts';
import type { Handlers, Work } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { SearchIndex, SearchPage, SearchQuery } from '../memory/search-index.ts';
import { paginationOf } from '../pagination.ts';

export function searchHandlers({ market: { search } }: HandlerDeps) {
  return {
    searchSets: ({ query }) => searchWork(search, 'set', query),
    searchMinifigs: ({ query }) => searchWork(search, 'minifig', query),
  } satisfies Partial<Handlers>;
}

function searchWork(
  index: SearchIndex,
  kind: ItemKind,
  input: RequestedRange & { readonly q: string },
): Work {
  if (!isSearchable(input.q, searchLengthMin)) {
    const got = shortText(input.q);
    throw bad(`The query parameter 'q' must be ${searchTermExpected}; got '${got}'.`);
  }
  const query: SearchQuery = { kind, term: input.q, limit: input.limit, offset: input.offset };
  return {
    isExpensive: true,
    peek: () => index.peek(query),
    read: () => index.find(query, (page) => renderPage(page, query)),
  };
}

function renderPage(page: SearchPage, query: SearchQuery): string {
  const pagination = paginationOf(page.total, query);
  return `{"results":[${page.rows.join(',')}],"pagination":${JSON.stringify(pagination)}}`;
}
