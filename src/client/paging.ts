/** Reads lists page by page, on demand. */
import { BrickmarkError } from './errors.ts';

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

interface OffsetPage {
  readonly pagination: { readonly offset: number; readonly has_more: boolean };
}

export function pagesByOffset<
  Field extends string,
  Item,
  Page extends OffsetPage & { readonly [F in Field]: readonly Item[] },
  Query extends { readonly offset?: number | undefined },
>(
  field: Field,
  query: Query,
  read: (query: Query) => Promise<Page & { readonly [F in Field]: readonly Item[] }>,
): Pages<Page, Item> {
  async function* pages() {
    let offset = query.offset ?? 0;
    for (;;) {
      const page = await read({ ...query, offset });
      if (page.pagination.offset !== offset) throw otherPage();
      yield page;
      const count = page[field].length;
      // Otherwise a page without elements would be requested forever.
      if (!page.pagination.has_more || count === 0) return;
      offset += count;
    }
  }
  return new Pages<Page, Item>(pages, (page) => page[field]);
}

interface PositionPage<Position> {
  readonly next: Position;
  readonly has_more: boolean;
}

export function pagesByPosition<
  Field extends string,
  Item,
  Position extends string | number,
  Page extends PositionPage<Position> & { readonly [F in Field]: readonly Item[] },
  Query extends { readonly after: Position },
>(
  field: Field,
  query: Query,
  read: (query: Query) => Promise<Page & { readonly [F in Field]: readonly Item[] }>,
): Pages<Page, Item> {
  async function* pages() {
    let { after } = query;
    for (;;) {
      const page = await read({ ...query, after });
      if (page.has_more && page.next === after) throw otherPage();
      yield page;
      if (!page.has_more) return;
      after = page.next;
    }
  }
  return new Pages<Page, Item>(pages, (page) => page[field]);
}

interface CursorPage {
  readonly next: string | null;
}

export function pagesByCursor<
  Field extends string,
  Item,
  Page extends CursorPage & { readonly [F in Field]: readonly Item[] },
  Query extends { readonly after?: string | undefined },
>(
  field: Field,
  query: Query,
  read: (query: Query) => Promise<Page & { readonly [F in Field]: readonly Item[] }>,
): Pages<Page, Item> {
  async function* pages() {
    let asked = query;
    for (;;) {
      const page = await read(asked);
      if (page.next !== null && page.next === asked.after) throw otherPage();
      yield page;
      if (page.next === null) return;
      asked = { ...query, after: page.next };
    }
  }
  return new Pages<Page, Item>(pages, (page) => page[field]);
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
