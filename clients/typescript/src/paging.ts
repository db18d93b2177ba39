/** Reads lists page by page, on demand. */
import { BrickmarkError } from './errors.ts';
import type { CallOptions } from './transport.ts';

/** A list, element by element. Pages are requested as you read them. */
export class Pages<Page, Item> implements AsyncIterable<Item> {
  constructor(
    private readonly read: () => AsyncGenerator<Page>,
    private readonly itemsOf: (page: Page) => readonly Item[],
  ) {}

  /** The list page by page, with the other fields of each page. */
  pages(): AsyncGenerator<Page> {
    return this.read();
  }

  /** The whole list. */
  async toArray(): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this) items.push(item);
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    for await (const page of this.read()) yield* this.itemsOf(page);
  }
}

/** How pages continue, the field with their elements, and the size of the largest page. */
export type List = readonly [by: keyof typeof nextQueries, field: string, limit: number];

export interface Query {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly after?: string | number | undefined;
}

/** Each kind of list has some of these fields. */
interface AnyPage {
  readonly pagination: { readonly offset: number; readonly has_more: boolean };
  readonly next: string | number | null;
  readonly has_more: boolean;
}

export type ReadPage = (query: Query, options?: CallOptions) => Promise<AnyPage>;

/** The place of the next page, after one of `count` elements; null after the last page. */
const nextQueries = {
  Offset: ({ pagination }: AnyPage, { offset = 0 }: Query, count: number) => {
    if (pagination.offset !== offset) throw otherPage();
    // Otherwise a page without elements would be requested forever.
    return pagination.has_more && count > 0 ? { offset: offset + count } : null;
  },
  Position: ({ next, has_more: hasMore }: AnyPage, { after }: Query) => {
    if (hasMore && next === after) throw otherPage();
    return hasMore && next !== null ? { after: next } : null;
  },
  Cursor: ({ next }: AnyPage, { after }: Query) => {
    if (next !== null && next === after) throw otherPage();
    return next === null ? null : { after: next };
  },
};

/** A list from the page of a query on. */
export function pagesOf(
  [by, field, limit]: List,
  query: Query | undefined,
  read: (query: Query) => Promise<AnyPage>,
): Pages<AnyPage, unknown> {
  const itemsOf = (page: object) => (page as Record<string, readonly unknown[]>)[field] ?? [];
  async function* pages() {
    const first = by === 'Offset' ? { offset: query?.offset ?? 0 } : {};
    let pageQuery: Query = { limit, ...query, ...first };
    for (;;) {
      const page = await read(pageQuery);
      const next = nextQueries[by](page, pageQuery, itemsOf(page).length);
      yield page;
      if (next === null) return;
      pageQuery = { ...pageQuery, ...next };
    }
  }
  return new Pages(pages, itemsOf);
}

/**
 * The response is not the requested page, for example from a cache that ignores queries: paging
 * would not end.
 */
function otherPage(): BrickmarkError {
  return new BrickmarkError({
    code: 'UnexpectedResponse',
    message:
      'The answer is not the page that was asked for; check the url, and proxies on the way.',
    status: 200,
    requestId: null,
    retryAfter: null,
    budget: null,
  });
}
