/**
 * A page of the market list after a place in its order. Pages continue from the place of the last
 * item, so that they need no memory of earlier pages: an item that does not change in between is
 * on exactly one of them.
 */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import {
  compareBy,
  filterOf,
  type MarketFilters,
  type MarketNumber,
  marketNumbers,
  type SortPlace,
} from './market-filters.ts';
import type { MarketItem } from './market-item.ts';

export interface PlaceQuestion {
  readonly kind: ItemKind;
  readonly filters: MarketFilters;
  /** Null: by key. */
  readonly sort: MarketNumber | null;
  readonly isDescending: boolean;
  /** Null: from the beginning. */
  readonly after: SortPlace | null;
  readonly limit: number;
}

export interface PlacePage {
  /** The number of matches on all pages. */
  readonly total: number;
  readonly rows: readonly MarketItem[];
  /** The place of the last row; null if nothing follows. */
  readonly next: SortPlace | null;
}

/** An item with its place. */
interface Placed extends SortPlace {
  readonly item: MarketItem;
}

/** In one pass without sorting everything: the order would change with every publication. */
export function findAfter(items: Iterable<MarketItem>, question: PlaceQuestion): PlacePage {
  const { kind, filters, sort, isDescending, after, limit } = question;
  const fits = filterOf(filters);
  const read = sort === null ? ({ key }: MarketItem) => key : marketNumbers[sort];
  const first = new FirstPlaces(limit + 1, compareBy(isDescending));
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

/** How many times as many places as needed are collected before they are sorted and cut. */
const slack = 4;

/** The first places of an order, of any number that are added. */
class FirstPlaces {
  private places: Placed[] = [];
  /** The last place that can still be among the first; null while there are too few. */
  private last: Placed | null = null;
  /** The place that is looked at: most are not kept. */
  private readonly current: { by: SortPlace['by']; key: string } = { by: null, key: '' };

  constructor(
    private readonly count: number,
    private readonly compare: (a: SortPlace, b: SortPlace) => number,
  ) {}

  add(item: MarketItem, by: SortPlace['by'], after: SortPlace | null): void {
    const { current, last } = this;
    current.by = by;
    current.key = item.key;
    if (last !== null && this.compare(current, last) >= 0) return;
    if (after !== null && this.compare(current, after) <= 0) return;
    this.places.push({ by, key: item.key, item });
    if (this.places.length >= slack * this.count) this.cut();
  }

  list(): readonly Placed[] {
    this.cut();
    return this.places;
  }

  private cut(): void {
    this.places = this.places.sort(this.compare).slice(0, this.count);
    if (this.places.length === this.count) this.last = this.places.at(-1) ?? null;
  }
}
