/**
 * All published items as one list in memory, with filters, sort orders, theme statistics and
 * movers. Created once per publication that is queried.
 */
import { type ItemClass, ranksLast } from '../catalog/item-class.ts';
import { compareText, type ItemKind } from '../catalog/numbers.ts';
import type { StatusId } from '../catalog/status.ts';
import { minifigTheme } from '../catalog/themes.ts';
import { median } from '../kernel/median.ts';
import type { Page, PageRange } from '../kernel/page.ts';
import { foldText } from '../kernel/text.ts';
import { fillKnownValues } from './daily-values.ts';
import type { DataTier } from './evidence.ts';
import type { RecentMonths } from './set-values.ts';

/** An item as the store lists it. */
export interface MarketRecord {
  readonly kind: ItemKind;
  readonly key: string;
  /** The canonical number. */
  readonly number: string;
  readonly name: string;
  /** The theme of a set; the category of a minifig, which may be a path. */
  readonly theme: string | null;
  readonly year: number | null;
  /** Null for minifigs. */
  readonly statusId: StatusId | null;
  readonly itemClass: ItemClass | null;
  /** A measure of how much the item is traded; higher values are listed first. */
  readonly interest: number;
  /** How well sales support the value; in the list, null if there is no value. */
  readonly tier: DataTier | null;
  /** The value of a sealed set, or of a used minifig. */
  readonly valueCents: number | null;
  /** The values of a sealed set at the ends of recent months. */
  readonly months: RecentMonths | null;
}

export interface MarketItem extends Omit<MarketRecord, 'itemClass' | 'months'> {
  readonly ranksLast: boolean;
  /** The change in percent; null unless sales support both values. */
  readonly change90: number | null;
  readonly change365: number | null;
}

/** `day` is today, in days since 1970. */
export function toMarketItem(record: MarketRecord, day: number): MarketItem {
  const { itemClass, months, ...item } = record;
  const { kind, theme, valueCents } = item;
  const changes = item.tier === 'modeled' ? null : changesOf(record, day);
  return {
    ...item,
    theme: kind === 'set' || theme === null ? theme : minifigTheme(theme),
    tier: valueCents === null ? null : item.tier,
    ranksLast: ranksLast(itemClass, item.name),
    change90: changes?.change90 ?? null,
    change365: changes?.change365 ?? null,
  };
}

function changesOf({ months, valueCents }: MarketRecord, day: number) {
  if (months === null || valueCents === null) return null;
  const values = new Float64Array(3).fill(Number.NaN);
  const days = Int32Array.of(day - 365, day - 90, day);
  fillKnownValues(values, { months, liveCents: valueCents }, days);
  const since = (before = Number.NaN) =>
    before > 0 ? (100 * (valueCents - before)) / before : null;
  return { change365: since(values[0]), change90: since(values[1]) };
}

/** Null does not filter. */
export interface MarketFilters {
  readonly theme: string | null;
  readonly yearFrom: number | null;
  readonly yearTo: number | null;
  readonly statusId: StatusId | null;
  readonly tier: DataTier | null;
  readonly valueFromCents: number | null;
  readonly valueToCents: number | null;
}

export const noFilters: MarketFilters = {
  theme: null,
  yearFrom: null,
  yearTo: null,
  statusId: null,
  tier: null,
  valueFromCents: null,
  valueToCents: null,
};

/** Without a search, relevance means trading interest. */
export const marketSorts = ['relevance', 'name', 'theme', 'year', 'value', 'change'] as const;
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

/** The list as of one publication. */
export class MarketList {
  private readonly orders = new Map<string, readonly MarketItem[]>();
  private summaries: readonly ThemeSummary[] | null = null;

  /** By kind and key, in the form of `marketName`. */
  constructor(private readonly items: ReadonlyMap<string, MarketItem>) {}

  /** Computes what almost every page needs. */
  warm(): void {
    this.summaries ??= this.summarize();
  }

  /** Null if it is not published. */
  findItem(item: Pick<MarketItem, 'kind' | 'key'>): MarketItem | null {
    return this.items.get(marketName(item)) ?? null;
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

  /** All items of the kind or all matches of the search, in order. */
  private candidates({ kind, matches, sort, isDescending }: MarketQuestion): readonly MarketItem[] {
    if (matches === null) return this.inOrder(kind, sort, isDescending);
    const found = matches.flatMap((key) => this.items.get(marketName({ kind, key })) ?? []);
    return sort === 'relevance' ? found : sorted(found, sort, isDescending);
  }

  /** All items of a kind, sorted once per order. */
  private inOrder(kind: ItemKind, sort: MarketSort, isDescending: boolean): readonly MarketItem[] {
    const name = `${kind} ${sort} ${isDescending}`;
    const known = this.orders.get(name);
    if (known) return known;
    const all = [...this.items.values()].filter((item) => item.kind === kind);
    const order = sorted(all, sort, isDescending);
    this.orders.set(name, order);
    return order;
  }

  get counts(): Readonly<Record<ItemKind, number>> {
    const set = this.sets.length;
    return { set, minifig: this.items.size - set };
  }

  /** All sets, the most interesting ones first. */
  private get sets(): readonly MarketItem[] {
    return this.inOrder('set', 'relevance', false);
  }

  /** An example for visitors: a retired, much-traded set with a well-supported, medium value. */
  get example(): MarketItem | null {
    const isShown = ({ statusId, tier, valueCents }: MarketItem) =>
      statusId === 4 &&
      tier === 'high' &&
      valueCents !== null &&
      valueCents >= exampleCents.min &&
      valueCents <= exampleCents.max;
    return this.sets.find(isShown) ?? null;
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

  /** The movers in a theme, or in all. */
  movers(theme: string | null): Movers {
    return moversOf(this.sets.filter((item) => theme === null || item.theme === theme));
  }
}

/** The key of an item in the list. */
export function marketName({ kind, key }: Pick<MarketItem, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

function filterOf(filters: MarketFilters): (item: MarketItem) => boolean {
  const { theme, yearFrom, yearTo, statusId, tier, valueFromCents, valueToCents } = filters;
  const isWithin = (value: number | null, from: number | null, to: number | null) =>
    (from === null && to === null) ||
    (value !== null && value >= (from ?? value) && value <= (to ?? value));
  return (item) =>
    (theme === null || item.theme === theme) &&
    (statusId === null || item.statusId === statusId) &&
    (tier === null || item.tier === tier) &&
    isWithin(item.year, yearFrom, yearTo) &&
    isWithin(item.valueCents, valueFromCents, valueToCents);
}

/** Unknown values come last in both directions; ties are ordered by key. */
function sorted(
  items: readonly MarketItem[],
  sort: MarketSort,
  isDescending: boolean,
): readonly MarketItem[] {
  const read = sortValues[sort];
  const sign = isDescending ? -1 : 1;
  return items
    .map((item) => ({ item, by: read(item) }))
    .sort((a, b) => sign * compare(a.by, b.by, sign) || compareText(a.item.key, b.item.key))
    .map(({ item }) => item);
}

type SortValue = string | number | null;

const sortValues: Readonly<Record<MarketSort, (item: MarketItem) => SortValue>> = {
  relevance: ({ ranksLast: isLast, interest }) => (isLast ? 1e12 : 0) - interest,
  name: ({ name }) => foldText(name),
  theme: ({ theme }) => theme && foldText(theme),
  year: ({ year }) => year,
  value: ({ valueCents }) => valueCents,
  change: ({ change90 }) => change90,
};

function compare(a: SortValue, b: SortValue, sign: number): number {
  if (a === null || b === null) return sign * (Number(a === null) - Number(b === null));
  return a < b ? -1 : a > b ? 1 : 0;
}

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
