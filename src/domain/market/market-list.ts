/**
 * Everything on the market as one list: what it is filtered and sorted by, how themes did, and what
 * moved most. Made from what is published, once for each publication that is asked about.
 */
import { type ItemClass, isFoundLast } from '../catalog/item-class.ts';
import { compareText, type ItemKind } from '../catalog/numbers.ts';
import type { StatusId } from '../catalog/status.ts';
import { canonicalTheme } from '../catalog/themes.ts';
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
  /** How much it is traded; more comes first. */
  readonly interest: number;
  /** How well sales support the value; in the list, null where there is none. */
  readonly tier: DataTier | null;
  /** What a set is worth sealed, and a minifig used. */
  readonly valueCents: number | null;
  /** What a set was worth sealed at the ends of recent months. */
  readonly months: RecentMonths | null;
}

/** An item of the list. */
export interface MarketItem extends Omit<MarketRecord, 'itemClass' | 'months'> {
  readonly isFoundLast: boolean;
  /** By how much its value changed, in percent; null where sales do not support both ends. */
  readonly change90: number | null;
  readonly change365: number | null;
}

/** The item that a record is of, on a day, counted from 1970. */
export function toMarketItem(record: MarketRecord, day: number): MarketItem {
  const { itemClass, months, ...item } = record;
  const { kind, theme, valueCents } = item;
  const changes = item.tier === 'modeled' ? null : changesOf(record, day);
  return {
    ...item,
    // A minifig is listed with the sets of its theme: "Town / City / Police" with those of Town.
    theme: kind === 'set' || theme === null ? theme : canonicalTheme(theme.split(' / ')[0] ?? ''),
    tier: valueCents === null ? null : item.tier,
    isFoundLast: itemClass !== null && isFoundLast(itemClass),
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

/** What items are wanted; null does not limit. */
export interface MarketFilters {
  readonly theme: string | null;
  readonly yearFrom: number | null;
  readonly yearTo: number | null;
  readonly statusId: StatusId | null;
  readonly tier: DataTier | null;
  readonly valueFromCents: number | null;
  readonly valueToCents: number | null;
}

/** Filters that leave everything. */
export const noFilters: MarketFilters = {
  theme: null,
  yearFrom: null,
  yearTo: null,
  statusId: null,
  tier: null,
  valueFromCents: null,
  valueToCents: null,
};

/** What the list can be sorted by; relevance without a search is how much an item is traded. */
export const marketSorts = ['relevance', 'name', 'theme', 'year', 'value', 'change'] as const;
export type MarketSort = (typeof marketSorts)[number];

/** What is asked of the list. */
export interface MarketQuestion extends PageRange {
  readonly kind: ItemKind;
  /** The keys that a search found, best first; null for everything. */
  readonly matches: readonly string[] | null;
  readonly filters: MarketFilters;
  readonly sort: MarketSort;
  readonly isDescending: boolean;
}

/** How a theme did. */
export interface ThemeSummary {
  readonly theme: string;
  readonly setCount: number;
  /** Sets whose value rests on sales, now and a year ago. */
  readonly valuedCount: number;
  /** The median of their changes over a year, in percent; null for fewer than a few sets. */
  readonly change365: number | null;
  /** Its set that gained most in 90 days; null for none. */
  readonly topMover: MarketItem | null;
}

/** What gained and lost most in 90 days. */
export interface Movers {
  readonly gainers: readonly MarketItem[];
  readonly losers: readonly MarketItem[];
}

/** A theme with fewer sets that sales support has no index. */
export const indexSetsMin = 3;

/** Movers of each kind that are shown. */
const moversMax = 5;

/** What is cheaper is no mover: a dollar more would be many percent. */
const moverCentsMin = 10_00;

/** What a set is worth that is worth showing to strangers. */
const exampleCents = { min: 150_00, max: 400_00 } as const;

/** The list at one moment. */
export class MarketList {
  private readonly orders = new Map<string, readonly MarketItem[]>();
  private summaries: readonly ThemeSummary[] | null = null;

  /** By kind and key, as `marketName` writes them. */
  constructor(private readonly items: ReadonlyMap<string, MarketItem>) {}

  /** The items that are wanted, and how many there are in all. */
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

  /** What may be wanted, in order. */
  private candidates({ kind, matches, sort, isDescending }: MarketQuestion): readonly MarketItem[] {
    if (matches === null) return this.inOrder(kind, sort, isDescending);
    const found = matches.flatMap((key) => this.items.get(marketName({ kind, key })) ?? []);
    return sort === 'relevance' ? found : sorted(found, sort, isDescending);
  }

  /** Everything of a kind, sorted once. */
  private inOrder(kind: ItemKind, sort: MarketSort, isDescending: boolean): readonly MarketItem[] {
    const name = `${kind} ${sort} ${isDescending}`;
    const known = this.orders.get(name);
    if (known) return known;
    const all = [...this.items.values()].filter((item) => item.kind === kind);
    const order = sorted(all, sort, isDescending);
    this.orders.set(name, order);
    return order;
  }

  /** How many items of each kind there are. */
  get counts(): Readonly<Record<ItemKind, number>> {
    const set = this.inOrder('set', 'relevance', false).length;
    return { set, minifig: this.items.size - set };
  }

  /** A set worth showing: retired, well known, neither cheap nor dear, and traded much. */
  get example(): MarketItem | null {
    const isShown = ({ statusId, tier, valueCents }: MarketItem) =>
      statusId === 4 &&
      tier === 'high' &&
      (valueCents ?? 0) >= exampleCents.min &&
      (valueCents ?? 0) <= exampleCents.max;
    return this.inOrder('set', 'relevance', false).find(isShown) ?? null;
  }

  /** All themes of sets by name, ignoring case and accents. */
  get themes(): readonly ThemeSummary[] {
    this.summaries ??= this.summarize();
    return this.summaries;
  }

  private summarize(): ThemeSummary[] {
    const sets = this.inOrder('set', 'change', true);
    return [...Map.groupBy(sets, ({ theme }) => theme ?? '')]
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

  /** What moved most, of a theme or of all. */
  movers(theme: string | null): Movers {
    const sets = this.inOrder('set', 'change', true);
    return moversOf(theme === null ? sets : sets.filter((item) => item.theme === theme));
  }
}

/** What an item is listed under. */
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

/** What is not known comes last either way; equals are in the order of their keys. */
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
  relevance: ({ isFoundLast: isLast, interest }) => (isLast ? 1e12 : 0) - interest,
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

/** Only values that recent sales support: what is estimated moves for reasons of its own. */
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
