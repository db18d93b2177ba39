/**
 * All published items as one list in memory, with filters, sort orders, theme statistics and
 * movers. Created once per publication that is queried.
 */

import { compareText, type ItemKind, type ItemRef, refText } from '../../catalog/items/numbers.ts';
import { median } from '../../kernel/median.ts';
import type { Page, PageRange } from '../../kernel/page.ts';
import { foldText } from '../../kernel/text.ts';
import {
  compareBy,
  filterOf,
  type MarketFilters,
  marketNumbers,
  type SortValue,
} from './market-filters.ts';
import type { MarketItem } from './market-item.ts';
import { type CursorPage, type CursorQuestion, findAfter } from './market-pages.ts';

/** Without a search, relevance means trading interest. */
export const marketSorts = [
  'relevance',
  'name',
  'theme',
  'year',
  'value',
  'change',
  'sold',
] as const;
export type MarketSort = (typeof marketSorts)[number];

export interface MarketQuestion extends PageRange {
  readonly kind: ItemKind;
  /** The keys that a search found, best first; null for everything. */
  readonly matches: readonly string[] | null;
  readonly filters: MarketFilters;
  readonly sort: MarketSort;
  readonly isDescending: boolean;
}

export interface ThemeSummary {
  readonly theme: string;
  readonly setCount: number;
  /** Sets with values supported by sales, now and a year ago. */
  readonly valuedCount: number;
  /** The median of their changes over a year in percent; null below `indexSetsMin` sets. */
  readonly change365: number | null;
  /** The set that gained most in 90 days; null for none. */
  readonly topMover: MarketItem | null;
}

/** The largest gains and losses in 90 days. */
export interface Movers {
  readonly gainers: readonly MarketItem[];
  readonly losers: readonly MarketItem[];
}

/** Themes with fewer sets that have a change have no index. */
export const indexSetsMin = 3;

const moversMax = 5;

/** Cheaper sets are excluded: a dollar would be many percent. */
const moverCentsMin = 10_00;

/** The price range of the set that is shown as an example. */
const exampleCents = { min: 150_00, max: 400_00 } as const;

export class MarketList {
  private readonly orders = new Map<string, readonly MarketItem[]>();
  private summaries: readonly ThemeSummary[] | null = null;

  /** By kind and key, in the form of `refText`. */
  constructor(private readonly items: ReadonlyMap<string, MarketItem>) {}

  /** Computes what almost every page needs. */
  warm(): void {
    this.summaries ??= this.summarize();
  }

  /** Null if it is not published. */
  findItem(item: ItemRef): MarketItem | null {
    return this.items.get(refText(item)) ?? null;
  }

  /** One page, and the total number of matches. */
  find(question: MarketQuestion): Page<MarketItem> {
    const { filters, limit, offset } = question;
    const fits = filterOf(filters);
    const rows: MarketItem[] = [];
    let total = 0;
    for (const item of this.candidates(question)) {
      if (!fits(item)) continue;
      if (total >= offset && rows.length < limit) rows.push(item);
      total++;
    }
    return { total, rows };
  }

  /** A page after a cursor, for the API. */
  findAfter(question: CursorQuestion): CursorPage {
    return findAfter(this.items.values(), question);
  }

  /** All items of the kind or all matches of the search, in order. */
  private candidates({ kind, matches, sort, isDescending }: MarketQuestion): readonly MarketItem[] {
    if (matches === null) return this.inOrder(kind, sort, isDescending);
    const found = matches.flatMap((key) => this.items.get(refText({ kind, key })) ?? []);
    return sort === 'relevance' ? found : sorted(found, sort, isDescending);
  }

  /** All items of a kind, sorted once per order. */
  private inOrder(kind: ItemKind, sort: MarketSort, isDescending: boolean): readonly MarketItem[] {
    return this.orders.getOrInsertComputed(`${kind} ${sort} ${isDescending}`, () => {
      const all = [...this.items.values()].filter((item) => item.kind === kind);
      return sorted(all, sort, isDescending);
    });
  }

  get counts(): Readonly<Record<ItemKind, number>> {
    const set = this.sets.length;
    return { set, minifig: this.items.size - set };
  }

  /** All sets, the most interesting ones first. */
  private get sets(): readonly MarketItem[] {
    return this.inOrder('set', 'relevance', false);
  }

  /**
   * An example for visitors: a retired, much-traded set with a well-supported, medium value, or one
   * whose value has some sales, or the most interesting set.
   */
  get example(): MarketItem | null {
    const isMedium = ({ valueCents }: MarketItem) =>
      valueCents !== null && valueCents >= exampleCents.min && valueCents <= exampleCents.max;
    const isBest = (item: MarketItem) =>
      item.statusId === 4 && item.tier === 'high' && isMedium(item);
    const isGood = ({ tier }: MarketItem) => tier !== null && tier !== 'modeled';
    return this.sets.find(isBest) ?? this.sets.find(isGood) ?? this.sets[0] ?? null;
  }

  /** All themes of sets by name, ignoring case and accents. */
  get themes(): readonly ThemeSummary[] {
    this.summaries ??= this.summarize();
    return this.summaries;
  }

  private summarize(): ThemeSummary[] {
    return [...Map.groupBy(this.sets, ({ theme }) => theme ?? '')]
      .flatMap(([theme, items]) =>
        theme === '' ? [] : [{ folded: foldText(theme), theme, items }],
      )
      .sort((a, b) => compareText(a.folded, b.folded) || compareText(a.theme, b.theme))
      .map(({ theme, items }) => {
        const changes = items.flatMap(({ change365 }) => change365 ?? []);
        return {
          theme,
          setCount: items.length,
          valuedCount: changes.length,
          change365: changes.length < indexSetsMin ? null : median(changes),
          topMover: moversOf(items).gainers[0] ?? null,
        };
      });
  }

  movers(theme: string | null): Movers {
    return moversOf(this.sets.filter((item) => theme === null || item.theme === theme));
  }
}

/** Unknown values come last in both directions; ties are ordered by key. */
function sorted(
  items: readonly MarketItem[],
  sort: MarketSort,
  isDescending: boolean,
): readonly MarketItem[] {
  const read = sortValues[sort];
  return items
    .map((item) => ({ item, by: read(item), key: item.key }))
    .sort(compareBy(isDescending))
    .map(({ item }) => item);
}

const sortValues: Readonly<Record<MarketSort, (item: MarketItem) => SortValue>> = {
  relevance: ({ ranksLast: isLast, interest }) => (isLast ? 1e12 : 0) - interest,
  name: ({ name }) => foldText(name),
  theme: ({ theme }) => theme && foldText(theme),
  year: marketNumbers.year,
  value: marketNumbers.value,
  change: marketNumbers.change90,
  sold: marketNumbers.sellThrough,
};

/** Only well-supported values: estimates change for reasons other than the market. */
function moversOf(items: readonly MarketItem[]): Movers {
  const moved = items
    .flatMap((item) => {
      const { tier, valueCents, change90 } = item;
      const isSure = (tier === 'high' || tier === 'medium') && (valueCents ?? 0) >= moverCentsMin;
      return isSure && change90 !== null ? [{ item, change90 }] : [];
    })
    .sort((a, b) => b.change90 - a.change90);
  const gainers = moved.filter(({ change90 }) => change90 > 0).slice(0, moversMax);
  const losers = moved.filter(({ change90 }) => change90 < 0).slice(-moversMax);
  return {
    gainers: gainers.map(({ item }) => item),
    losers: losers.reverse().map(({ item }) => item),
  };
}
