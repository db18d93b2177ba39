/** Reads the inventory of an account: its lots joined with published values. */

import { findEachItem } from '../../catalog/items/find-each-item.ts';
import { compareText } from '../../catalog/items/numbers.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { dayOf } from '../../kernel/time.ts';
import { type GradeEffects, gradeShare } from '../../market/grades/grades.ts';
import { fillDailyValues, gradedHistory } from '../../market/history/daily-values.ts';
import type { ListedItem } from '../../market/published/published-records.ts';
import { readEffects } from '../returns/grade-effects.work.ts';
import type { PortfolioData } from '../returns/portfolio-data.work.ts';
import type { Brickfolio } from './brickfolios.ts';
import { findListed } from './collection.work.ts';
import { unitValueCents, valueTier } from './holdings.ts';
import {
  filterInventory,
  type InventoryFilter,
  type InventoryRow,
  type InventoryTotal,
  type RowOrder,
  sortRows,
  totalOfRows,
} from './inventory.ts';
import { daysListed, type OwnField, outerPlaces, tagsOf } from './lot-details.ts';
import type { InventoryLot } from './lots.ts';

export interface Inventory {
  /** All matching rows, in order. */
  readonly rows: readonly InventoryRow[];
  readonly total: InventoryTotal;
  /** The themes of all lots, by name. */
  readonly themes: readonly string[];
  /** The tags and places of all lots, by name; places also have those they are in. */
  readonly tags: readonly string[];
  readonly places: readonly string[];
  /** Whether the account has no lots at all, not even sold-out ones. */
  readonly isEmpty: boolean;
}

/** Lots and items per read; other requests are answered in between. */
const lotsAtOnce = 10_000;
const itemsAtOnce = 5_000;

interface InventoryQuestion {
  readonly filter: InventoryFilter;
  readonly order: RowOrder;
  readonly brickfolios: readonly Brickfolio[];
  readonly ownFields: readonly OwnField[];
  /** All lookup keys of the minifig whose number is searched for, if it is one. */
  readonly minifigKeys?: readonly string[];
  readonly at: number;
}

export async function readInventory(
  portfolio: PortfolioData,
  accountId: number,
  question: InventoryQuestion,
): Promise<Inventory> {
  return inventoryOf(portfolio, await readLots(portfolio, accountId), question);
}

export async function inventoryOf(
  portfolio: PortfolioData,
  lots: readonly InventoryLot[],
  question: InventoryQuestion,
): Promise<Inventory> {
  const items = await readItems(portfolio, lots);
  const names = new Map(question.brickfolios.map(({ id, name }) => [id, name]));
  const effects = await readEffects(portfolio.market, lots);
  const today = dayOf(question.at);
  const rows = lots.map((lot) => rowOf(lot, { itemOf: items, names, effects, today }));
  await yieldToEventLoop();
  const matching = filterInventory(rows, question.filter, question.minifigKeys);
  await yieldToEventLoop();
  const found = sortRows(matching, question.order, question.ownFields);
  await yieldToEventLoop();
  const themes = [...new Set(rows.map(({ item }) => item.theme))].filter(Boolean);
  return {
    rows: found,
    total: totalOfRows(found),
    themes: themes.sort(compareText),
    tags: namesIn(new Set(lots.map(({ tags }) => tags)), tagsOf),
    places: namesIn(new Set(lots.map(({ place }) => place)), outerPlaces),
    isEmpty: lots.length === 0,
  };
}

/** The names in texts that each hold several, sorted. */
function namesIn(
  texts: ReadonlySet<string | null>,
  namesOf: (text: string | null) => readonly string[],
): readonly string[] {
  return [...new Set([...texts].flatMap(namesOf))].sort(compareText);
}

/** All lots of an account, also those that are sold out. */
export async function readLots(
  { accounts }: PortfolioData,
  accountId: number,
): Promise<readonly InventoryLot[]> {
  const lots: InventoryLot[] = [];
  for (;;) {
    const after = lots.at(-1)?.id ?? 0;
    const part = await accounts.listInventory(accountId, { after, limit: lotsAtOnce });
    for (const lot of part) lots.push(lot);
    if (part.length < lotsAtOnce) return lots;
    await yieldToEventLoop();
  }
}

type FindItem = Awaited<ReturnType<typeof findListed>>;

function readItems({ market }: PortfolioData, lots: readonly InventoryLot[]): Promise<FindItem> {
  const findListedItems: typeof market.findListedItems = async (kind, keys) => {
    const items = new Map<string, ListedItem>();
    for (let from = 0; from < keys.length; from += itemsAtOnce) {
      const part = await market.findListedItems(kind, keys.slice(from, from + itemsAtOnce));
      for (const [key, item] of part) items.set(key, item);
      await yieldToEventLoop();
    }
    return items;
  };
  return findListed({ findListedItems }, lots);
}

function rowOf(
  lot: InventoryLot,
  known: {
    readonly itemOf: FindItem;
    readonly names: ReadonlyMap<number, string>;
    readonly effects: GradeEffects;
    readonly today: number;
  },
): InventoryRow {
  const { itemOf, names, effects, today } = known;
  const item = itemOf(lot);
  const units = lot.quantity - lot.sold;
  const share = gradeShare(lot.grade, effects);
  return {
    lot,
    item,
    brickfolio: names.get(lot.brickfolioId) ?? '',
    units,
    costCents: units * lot.priceCents,
    unitCents: unitValueCents(item, lot.condition, share),
    daysListed: daysListed(lot, today),
    share,
    tier: valueTier(item, lot.condition, share),
  };
}

/** Sparklines cover 90 days, one value every 15 days. */
const sparkDays = 90;
const sparkStep = 15;

/** For each row, the value of a unit over the last 90 days, today last; null: unknown. */
export async function readRecentValues(
  { market }: PortfolioData,
  rows: readonly InventoryRow[],
  at: number,
): Promise<(number | null)[][]> {
  const values = await findEachItem(
    rows.map(({ lot }) => lot),
    async (kind, keys) => {
      const found = await market.findItemValues(kind, keys);
      return new Map(keys.map((key, index) => [key, found[index] ?? null]));
    },
  );
  const today = dayOf(at);
  const days = Int32Array.from(
    { length: sparkDays / sparkStep + 1 },
    (_, index) => today - sparkDays + index * sparkStep,
  );
  return rows.map(({ lot, unitCents, share }) => {
    const known = values(lot);
    const cents = new Float64Array(days.length);
    const early = known?.early[lot.condition] ?? [];
    const months = known?.months[lot.condition] ?? null;
    const history = gradedHistory({ early, months, liveCents: null }, share);
    fillDailyValues(cents, { ...history, liveCents: unitCents }, days);
    return Array.from(cents, (each) => (Number.isNaN(each) ? null : each));
  });
}
