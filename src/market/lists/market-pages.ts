/**
 * A page of the market list after a cursor, the sort key of the last item, so that pages need no
 * memory of earlier ones: an item that does not change in between is on exactly one of them.
 */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import {
  compareBy,
  filterOf,
  type MarketFilters,
  type MarketNumber,
  marketNumbers,
  type SortKey,
} from './market-filters.ts';
import type { MarketItem } from './market-item.ts';

export interface CursorQuestion {
  readonly kind: ItemKind;
  readonly filters: MarketFilters;
  /** Null: by key. */
  readonly sort: MarketNumber | null;
  readonly isDescending: boolean;
  /** Null: from the beginning. */
  readonly after: SortKey | null;
  readonly limit: number;
}

export interface CursorPage {
  /** The number of matches on all pages. */
  readonly total: number;
  readonly rows: readonly MarketItem[];
  /** The sort key of the last row; null if nothing follows. */
  readonly next: SortKey | null;
}

interface SortedItem extends SortKey {
  readonly item: MarketItem;
}

/** In one pass without sorting everything: the order would change with every publication. */
export function findAfter(items: Iterable<MarketItem>, question: CursorQuestion): CursorPage {
  const { kind, filters, sort, isDescending, after, limit } = question;
  const fits = filterOf(filters);
  const read = sort === null ? ({ key }: MarketItem) => key : marketNumbers[sort];
  const first = new FirstItems(limit + 1, compareBy(isDescending));
  let total = 0;
  for (const item of items) {
    if (item.kind !== kind || !fits(item)) continue;
    total++;
    first.add(item, read(item), after);
  }
  const found = first.list();
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const next = found.length > limit && last ? { by: last.by, key: last.key } : null;
  return { total, rows: shown.map(({ item }) => item), next };
}

/** How many times as many items as needed are collected before they are sorted and cut. */
const slack = 4;

/** The first items of an order, of any number that are added. */
class FirstItems {
  private items: SortedItem[] = [];
  /** The last item that can still be among the first; null while there are too few. */
  private last: SortedItem | null = null;
  /** The sort key that is looked at: most are not kept. */
  private readonly current: { by: SortKey['by']; key: string } = { by: null, key: '' };

  constructor(
    private readonly count: number,
    private readonly compare: (a: SortKey, b: SortKey) => number,
  ) {}

  add(item: MarketItem, by: SortKey['by'], after: SortKey | null): void {
    const { current, last } = this;
    current.by = by;
    current.key = item.key;
    if (last !== null && this.compare(current, last) >= 0) return;
    if (after !== null && this.compare(current, after) <= 0) return;
    this.items.push({ by, key: item.key, item });
    if (this.items.length >= slack * this.count) this.cut();
  }

  list(): readonly SortedItem[] {
    this.cut();
    return this.items;
  }

  private cut(): void {
    this.items = this.items.sort(this.compare).slice(0, this.count);
    if (this.items.length === this.count) this.last = this.items.at(-1) ?? null;
  }
}
