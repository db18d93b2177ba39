/** Evaluates a box: looks up its items, and computes value, bid and profit. */

import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import { at } from '../../kernel/at.ts';
import type { DataTier } from '../../market/evidence/evidence.ts';
import type { GradeReading } from '../../market/grades/grade-effects.store.ts';
import {
  assumedEffects,
  type Grade,
  type GradeEffects,
  type GradeShare,
  gradeShare,
} from '../../market/grades/grades.ts';
import type { ListingReading } from '../../market/published/listing.store.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import { findResaleItems, gradedItem, type ResaleItem } from '../prices/resale-item.work.ts';
import type { FeeTables } from '../prices/selling-channels.ts';
import { type BoxContent, type BoxQuestion, type BoxWorth, boxWorth } from './box-worth.ts';
import { splitCost } from './split-cost.ts';

/** An item of a box as entered, with the number of units. */
export interface EnteredItem {
  readonly kind: ItemKind;
  readonly number: string;
  readonly condition: Condition;
  /** Undefined or null: not stated. */
  readonly grade?: Grade | null;
  readonly quantity: number;
}

/** A grade, and its effect on the value. */
export interface GradedUnit {
  readonly grade: Grade;
  readonly effect: GradeShare;
}

export interface EvaluatedItem extends Omit<EnteredItem, 'grade'> {
  /** The canonical number; as entered if there is no such item. */
  readonly number: string;
  readonly grade: Grade | null;
  /** Absent without a grade. */
  readonly graded?: GradedUnit;
  readonly isFound: boolean;
  readonly title: string | null;
  /** List price; null if unknown, and for minifigs. */
  readonly msrpCents: number | null;
  readonly unitValueCents: number | null;
  readonly totalValueCents: number | null;
  /** Null: no value. */
  readonly tier: DataTier | null;
  /** Its share of the cost of the box; null if the cost was not given or there is no such item. */
  readonly costCents: number | null;
  /** Days until most of its units are sold; null if unknown, or if the bid has none of them. */
  readonly mostSoldDays: number | null;
}

export interface EvaluatedBox extends Omit<BoxWorth, 'contentDays'> {
  /** Each item, condition and grade once, in the order entered. */
  readonly items: readonly EvaluatedItem[];
}

export interface EvaluateDeps {
  readonly market: Pick<ListingReading & GradeReading, 'findResaleRecords' | 'findGradeEffects'>;
  readonly tables: FeeTables;
}

/** The same item entered twice, in any form of its number, is added up. */
export async function evaluateBox(
  deps: EvaluateDeps,
  { items, ...question }: BoxQuestion & { readonly items: readonly EnteredItem[] },
): Promise<EvaluatedBox> {
  return valueBox(deps.tables, await findItems(deps.market, items), { items, ...question });
}

/** Values a box whose items were looked up. */
export function valueBox(
  tables: FeeTables,
  found: FoundItems,
  { items, ...question }: BoxQuestion & { readonly items: readonly EnteredItem[] },
): EvaluatedBox {
  const contents = addUp(items, found).map(({ stated, item: whole }) => {
    const { grade } = stated;
    const effect = gradeShare(grade ?? null, found.effects);
    const item = whole && gradedItem(whole, stated.condition, effect);
    return {
      stated,
      graded: grade ? { grade, effect } : undefined,
      item,
      quantity: stated.quantity,
      theme: item?.theme ?? null,
      resale: item?.resale[stated.condition] ?? null,
      range: item?.range[stated.condition] ?? null,
      msrpCents: item?.msrpCents ?? null,
    };
  });
  const { contentDays, ...worth } = boxWorth(tables, contents, question);
  const costs = costsOf(question.costCents, contents);
  const evaluated = contents.map((content, index): EvaluatedItem => {
    const { stated, graded, item, resale, quantity, msrpCents } = content;
    const unitValueCents = resale?.price.valueCents ?? null;
    return {
      kind: stated.kind,
      number: item?.number ?? stated.number.trim(),
      condition: stated.condition,
      grade: stated.grade ?? null,
      ...(graded && { graded }),
      quantity,
      isFound: item !== null,
      title: item?.title ?? null,
      msrpCents,
      unitValueCents,
      totalValueCents: unitValueCents === null ? null : quantity * unitValueCents,
      tier: resale?.tier ?? null,
      costCents: costs[index] ?? null,
      mostSoldDays: contentDays[index] ?? null,
    };
  });
  return { ...worth, items: evaluated };
}

interface CostedContent extends Pick<BoxContent, 'quantity' | 'resale'> {
  readonly item: ResaleItem | null;
  readonly msrpCents: number | null;
}

/** Items that exist share the whole cost, as they do when the box is bought. */
function costsOf(
  costCents: number | null,
  contents: readonly CostedContent[],
): readonly (number | null)[] {
  if (costCents === null) return [];
  const found = contents.filter(({ item }) => item !== null);
  const parts = found.map(({ quantity, resale, msrpCents }) => {
    return { quantity, valueCents: resale?.price.valueCents ?? null, msrpCents };
  });
  const shares = splitCost(costCents, parts);
  let next = 0;
  return contents.map(({ item }) => (item === null ? null : at(shares, next++)));
}

export type EnteredUnit = Omit<EnteredItem, 'quantity'>;

/** Each item, condition and grade once, in any form of its number; each of them costs a call. */
export function uniqueItems<Item extends EnteredUnit>(items: readonly Item[]): Item[] {
  const unique = new Map<string, Item>();
  for (const item of items) unique.getOrInsert(nameOf(item, keyOf(item)), item);
  return [...unique.values()];
}

function keyOf({ kind, number }: Pick<EnteredItem, 'kind' | 'number'>): string {
  return itemKey(kind, number);
}

function nameOf({ kind, condition, grade }: EnteredUnit, key: string): string {
  return `${kind} ${condition} ${grade ?? ''} ${key}`;
}

/** Items by kind and requested key, and the effects of grades on their values. */
export interface FoundItems extends Readonly<Record<ItemKind, ReadonlyMap<string, ResaleItem>>> {
  readonly effects: GradeEffects;
}

export async function findItems(
  market: EvaluateDeps['market'],
  items: readonly Pick<EnteredItem, 'kind' | 'number' | 'grade'>[],
): Promise<FoundItems> {
  const find = (kind: ItemKind) => {
    const keys = new Set(items.filter((item) => item.kind === kind).map(keyOf));
    return keys.size === 0 ? new Map() : findResaleItems(market, kind, [...keys]);
  };
  const isGraded = items.some(({ grade }) => (grade ?? null) !== null);
  const [set, minifig, effects] = await Promise.all([
    find('set'),
    find('minifig'),
    isGraded ? market.findGradeEffects() : assumedEffects,
  ]);
  return { set, minifig, effects };
}

/** Merges the same item, condition and grade; a minifig can have several numbers. */
function addUp(items: readonly EnteredItem[], found: FoundItems) {
  const unique = new Map<string, { stated: EnteredItem; item: ResaleItem | null }>();
  for (const stated of items) {
    const item = found[stated.kind].get(keyOf(stated)) ?? null;
    const name = nameOf(stated, item?.key ?? keyOf(stated));
    const before = unique.get(name)?.stated;
    const quantity = (before?.quantity ?? 0) + stated.quantity;
    unique.set(name, { stated: { ...(before ?? stated), quantity }, item });
  }
  return [...unique.values()];
}
