/** What is this box worth? Looks up what is in it, and works out the rest. */
import { type BoxQuestion, type BoxWorth, boxWorth } from '../domain/buying/box-worth.ts';
import type { FeeTables } from '../domain/buying/channels.ts';
import { type ItemKind, itemKey } from '../domain/catalog/numbers.ts';
import type { DataTier } from '../domain/market/evidence.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { Condition } from '../domain/market/source-rows.ts';
import { findResaleItems, type ResaleItem } from './resale-item.ts';

/** Units of an item, as somebody says what is in a box. */
export interface StatedItem {
  readonly kind: ItemKind;
  readonly number: string;
  readonly condition: Condition;
  readonly quantity: number;
}

/** An item of a box, and what is known of it. */
export interface EvaluatedItem {
  readonly kind: ItemKind;
  /** The canonical number; as it was stated, where there is no such item. */
  readonly number: string;
  readonly condition: Condition;
  readonly quantity: number;
  readonly isFound: boolean;
  readonly title: string | null;
  /** What one cost in shops; null when unknown, and for minifigs. */
  readonly msrpCents: number | null;
  readonly unitValueCents: number | null;
  readonly totalValueCents: number | null;
  /** Null where there is no value. */
  readonly tier: DataTier | null;
  /** Its share of what the box cost; null when that was not said. */
  readonly costCents: number | null;
  /** Days until all units are sold; null when nobody knows, or the bid does not count them. */
  readonly selloutDays: number | null;
}

/** What a box is worth, item by item and as a whole. */
export interface EvaluatedBox extends Omit<BoxWorth, 'costs' | 'selloutDays'> {
  /** Each item and condition once, in the order in which they were first stated. */
  readonly items: readonly EvaluatedItem[];
}

/** What evaluating needs. */
export interface EvaluateDeps {
  readonly market: Pick<MarketReading, 'findResaleRecords'>;
  readonly tables: FeeTables;
}

/** Evaluates a box. What is stated twice, in whatever form of its number, is added up. */
export async function evaluateBox(
  deps: EvaluateDeps,
  { items, ...question }: BoxQuestion & { readonly items: readonly StatedItem[] },
): Promise<EvaluatedBox> {
  const found = await findItems(deps.market, items);
  const contents = addUp(items, found).map(({ stated, item }) => ({
    stated,
    item,
    quantity: stated.quantity,
    resale: item?.resale[stated.condition] ?? null,
    range: item?.range[stated.condition] ?? null,
    msrpCents: item?.msrpCents ?? null,
  }));
  const { costs, selloutDays, ...worth } = boxWorth(deps.tables, contents, question);
  const evaluated = contents.map((content, index): EvaluatedItem => {
    const { stated, item, resale, quantity, msrpCents } = content;
    const unitValueCents = resale?.price.valueCents ?? null;
    return {
      kind: stated.kind,
      number: item?.number ?? stated.number.trim(),
      condition: stated.condition,
      quantity,
      isFound: item !== null,
      title: item?.title ?? null,
      msrpCents,
      unitValueCents,
      totalValueCents: unitValueCents === null ? null : quantity * unitValueCents,
      tier: resale?.tier ?? null,
      costCents: costs?.[index] ?? null,
      selloutDays: selloutDays[index] ?? null,
    };
  });
  return { ...worth, items: evaluated };
}

/** How many different items are stated: what evaluating them is charged by. */
export function countUniqueItems(items: readonly StatedItem[]): number {
  return new Set(items.map((stated) => nameOf(stated, keyOf(stated)))).size;
}

function keyOf({ kind, number }: StatedItem): string {
  return itemKey(kind, number);
}

function nameOf({ kind, condition }: StatedItem, key: string): string {
  return `${kind} ${condition} ${key}`;
}

/** The items that are there, by kind and the key that was asked for. */
type FoundItems = Readonly<Record<ItemKind, ReadonlyMap<string, ResaleItem>>>;

async function findItems(
  market: EvaluateDeps['market'],
  items: readonly StatedItem[],
): Promise<FoundItems> {
  const find = (kind: ItemKind) => {
    const keys = new Set(items.filter((item) => item.kind === kind).map(keyOf));
    return keys.size === 0 ? new Map() : findResaleItems(market, kind, [...keys]);
  };
  const [set, minifig] = await Promise.all([find('set'), find('minifig')]);
  return { set, minifig };
}

/** Each item and condition once, with all its units; a minifig may have several numbers. */
function addUp(items: readonly StatedItem[], found: FoundItems) {
  const unique = new Map<string, { stated: StatedItem; item: ResaleItem | null }>();
  for (const stated of items) {
    const item = found[stated.kind].get(keyOf(stated)) ?? null;
    const name = nameOf(stated, item?.key ?? keyOf(stated));
    const before = unique.get(name)?.stated;
    const quantity = (before?.quantity ?? 0) + stated.quantity;
    unique.set(name, { stated: { ...(before ?? stated), quantity }, item });
  }
  return [...unique.values()];
}
