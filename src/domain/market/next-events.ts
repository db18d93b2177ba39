/**
 * What a publication tells of an item: it is compared with what was told last. Pure. Nothing is
 * told of an item that is published for the first time, nor of values that are others because they
 * are made in another way.
 */
import type { StatusId } from '../catalog/status.ts';
import { percentOf } from '../kernel/money.ts';
import type { Month } from '../kernel/time.ts';
import type { DealChange, DealHeadline } from './deals.ts';
import type { EventDetails, EventKind, ItemEvent } from './events.ts';
import type { DataTier } from './evidence.ts';
import { confirmedFlip, isAtLowest, type RetailState } from './retail-state.ts';
import { type Retailer, retailers } from './source-rows.ts';

/** By how many percent a value has to move for an event. */
export const valueMovePercent = 5;
const moveShare = valueMovePercent / 100;

/** What events of an item can be about, as it is published now. */
export interface EventFacts {
  /** Names how values are made: by which engine, parameters and restatement. */
  readonly basis: string;
  readonly values: Readonly<Record<ValueName, ValueFact | null>>;
  readonly tier: DataTier;
  /** Null for minifigs. */
  readonly statusId: StatusId | null;
  /** The last month that is final. */
  readonly lastMonth: Month;
  /** Where a retailer ever had it. */
  readonly retail: Readonly<Partial<Record<Retailer, RetailFacts>>>;
  /** Its final months after one, oldest first. */
  monthsAfter(month: Month): readonly MonthFacts[];
}

const valueNames = ['newCents', 'usedCents'] as const;

/** A value of an item: of a new one, or of a used one. */
type ValueName = (typeof valueNames)[number];

/** A value, and how uncertain it is itself (logarithm). */
export interface ValueFact {
  readonly cents: number;
  readonly spread: number;
}

/** A final month: what a unit was worth at its end, and sales; what is not known is left out. */
export interface MonthFacts
  extends Pick<EventDetails, 'newCents' | 'newSales' | 'usedCents' | 'usedSales'> {
  readonly month: Month;
}

/** A set at one retailer. */
export interface RetailFacts {
  /** The latest price that was asked, also when there is no offer now. */
  readonly priceCents: number | null;
  readonly lowestCents: number | null;
  readonly isAtLowest: boolean;
  /** Whether the retailer has given way to third parties; null when that is open. */
  readonly isFlipped: boolean | null;
  /** Null when it is not known. */
  readonly inStock: boolean | null;
}

/** What was told of an item last. */
export interface EventState extends PublishedValues {
  readonly basis: string;
  readonly tier: DataTier;
  readonly statusId: StatusId | null;
  readonly lastMonth: Month;
  readonly retail: Readonly<Partial<Record<Retailer, ToldRetail>>>;
}

/** What was told of a set at one retailer. */
type ToldRetail = Omit<RetailFacts, 'isAtLowest' | 'isFlipped'> & { readonly isFlipped: boolean };

/** Values; of what was told, those that moves are counted from. Null where there is none. */
export type PublishedValues = Readonly<Record<ValueName, number | null>>;

/** What there is to tell, and what has been told then. */
export interface NextEvents {
  readonly events: readonly ItemEvent[];
  readonly state: EventState;
}

/**
 * Compares what is published now with what was told last (null: nothing yet). `published` are the
 * values of before, for when they are made in another way now.
 */
export function nextEvents(
  state: EventState | null,
  facts: EventFacts,
  published: PublishedValues,
): NextEvents {
  if (state === null) return { events: [], state: firstState(facts) };
  const { basis, tier, statusId, values } = facts;
  const isQuiet = basis !== state.basis;
  const moved = isQuiet ? [] : valueNames.filter((name) => hasMoved(state[name], values[name]));
  const base = (name: ValueName) => {
    const now = values[name]?.cents ?? null;
    if (now === null || state[name] === null || moved.includes(name)) return now;
    return isQuiet ? movedAlong(state[name], published[name], now) : state[name];
  };
  return {
    events: [
      ...retailers.flatMap((retailer) => retailEvents(retailer, state, facts)),
      ...statusEvents(state, facts),
      ...moveEvents(state, facts, moved),
      ...(isQuiet ? [] : tierEvents(state, facts)),
      ...monthEvents(state, facts),
    ],
    state: {
      basis,
      newCents: base('newCents'),
      usedCents: base('usedCents'),
      tier,
      statusId,
      lastMonth: Math.max(state.lastMonth, facts.lastMonth),
      retail: toldRetail(state, facts),
    },
  };
}

/**
 * A deal that began or ended. None begins where nothing was told before: it is not news that it is
 * there. Its end is always told, to those who know of it.
 */
export function dealEvents(state: EventState | null, deals: readonly DealChange[]): ItemEvent[] {
  return deals.flatMap(({ retailer, priceCents, change }): ItemEvent[] => {
    if ('ending' in change) {
      const after = { reason: change.ending };
      return [{ kind: 'deal.close', retailer, before: { priceCents }, after }];
    }
    if (state === null) return [];
    const after = { priceCents, deal: headlineOf(change.prediction) };
    return [{ kind: 'deal.open', retailer, before: {}, after }];
  });
}

function headlineOf(prediction: string): DealHeadline {
  const { maxBuyCents, channel, medianNetCents, profitCents, roiPercent, waitDays, warnings } =
    JSON.parse(prediction) as DealHeadline;
  return { maxBuyCents, channel, medianNetCents, profitCents, roiPercent, waitDays, warnings };
}

/** What events of a set at a retailer can be about, at an instant. */
export function retailFacts(state: RetailState, at: number): RetailFacts {
  return {
    priceCents: state.priced?.cents ?? null,
    lowestCents: state.lowestCents,
    isAtLowest: isAtLowest(state),
    isFlipped: confirmedFlip(state, at),
    inStock: state.latest.inStock,
  };
}

function firstState(facts: EventFacts): EventState {
  const { basis, values, tier, statusId, lastMonth } = facts;
  return {
    basis,
    newCents: values.newCents?.cents ?? null,
    usedCents: values.usedCents?.cents ?? null,
    tier,
    statusId,
    lastMonth,
    retail: toldRetail(null, facts),
  };
}

/** What is not known now is as it was told; a retailer that never had the set is left out. */
function toldRetail(state: EventState | null, { retail }: EventFacts): EventState['retail'] {
  const told: Partial<Record<Retailer, ToldRetail>> = {};
  for (const retailer of retailers) {
    const [now, before] = [retail[retailer], state?.retail[retailer]];
    if (now) told[retailer] = toldOf(now, before);
  }
  return told;
}

function toldOf(
  { priceCents, lowestCents, isFlipped, inStock }: RetailFacts,
  before: ToldRetail | undefined,
): ToldRetail {
  return {
    priceCents,
    lowestCents,
    isFlipped: isFlipped ?? before?.isFlipped ?? false,
    inStock: inStock ?? before?.inStock ?? null,
  };
}

/** Nothing is told of a retailer that has the set for the first time. */
function retailEvents(retailer: Retailer, state: EventState, facts: EventFacts): ItemEvent[] {
  const [now, before] = [facts.retail[retailer], state.retail[retailer]];
  if (!now || !before) return [];
  const events: ItemEvent[] = [];
  const tell = (kind: EventKind, from: EventDetails, to: EventDetails) =>
    events.push({ kind, retailer, before: from, after: to });
  const { priceCents, lowestCents } = now;
  if (before.priceCents !== null && priceCents !== null && priceCents !== before.priceCents) {
    const prices = { before: before.priceCents, now: priceCents };
    tell('retail.price', { priceCents: prices.before }, priceDetails(prices, now, facts));
  }
  // A low of the past that comes to light late is none: it has to be asked now.
  const isLow = before.lowestCents !== null && lowestCents !== null && now.isAtLowest;
  if (isLow && lowestCents < before.lowestCents) {
    tell('retail.low', { lowestCents: before.lowestCents }, { lowestCents });
  }
  const { isFlipped, inStock } = toldOf(now, before);
  if (isFlipped !== before.isFlipped) {
    tell('retail.flip', sellerDetails(before.isFlipped), sellerDetails(isFlipped));
  }
  if (before.inStock !== null && inStock !== null && inStock !== before.inStock) {
    tell('retail.stock', { inStock: before.inStock }, { inStock });
  }
  return events;
}

function priceDetails(
  prices: { readonly before: number; readonly now: number },
  { isAtLowest }: RetailFacts,
  { values }: EventFacts,
): EventDetails {
  const { before, now: priceCents } = prices;
  const details = {
    priceCents,
    changePercent: percentOf(priceCents - before, before),
    isAtLowest,
  };
  const newCents = values.newCents?.cents;
  if (newCents === undefined) return details;
  const belowValuePercent = percentOf(newCents - priceCents, newCents);
  return { ...details, newCents, belowValuePercent };
}

function sellerDetails(isFlipped: boolean): EventDetails {
  return { sellerType: isFlipped ? 'third_party' : 'retailer' };
}

function statusEvents(state: EventState, { statusId }: EventFacts): ItemEvent[] {
  if (state.statusId === null || statusId === null || statusId === state.statusId) return [];
  return [itemEvent('set.status', { statusId: state.statusId }, { statusId })];
}

/** Whether a value is another one: by enough, and by more than it is uncertain. */
function hasMoved(baseCents: number | null, now: ValueFact | null): boolean {
  if (baseCents === null || now === null) return false;
  const isEnough = Math.abs(now.cents - baseCents) >= baseCents * moveShare;
  return isEnough && Math.abs(Math.log(now.cents / baseCents)) > now.spread;
}

/** What is counted from keeps its distance to the value, which is made in another way now. */
function movedAlong(baseCents: number, beforeCents: number | null, nowCents: number): number {
  return beforeCents === null ? nowCents : Math.round((baseCents * nowCents) / beforeCents);
}

function moveEvents(
  state: EventState,
  { values }: EventFacts,
  moved: readonly ValueName[],
): ItemEvent[] {
  if (moved.length === 0) return [];
  const of = (cents: (name: ValueName) => number | null | undefined): EventDetails =>
    Object.fromEntries(moved.map((name) => [name, cents(name)]));
  const [before, after] = [of((name) => state[name]), of((name) => values[name]?.cents)];
  return [itemEvent('value.move', before, after)];
}

function tierEvents(state: EventState, { tier }: EventFacts): ItemEvent[] {
  return tier === state.tier ? [] : [itemEvent('value.tier', { tier: state.tier }, { tier })];
}

/** Months of which nothing is known become final without a word. */
function monthEvents(state: EventState, facts: EventFacts): ItemEvent[] {
  if (facts.lastMonth <= state.lastMonth) return [];
  return facts
    .monthsAfter(state.lastMonth)
    .filter(({ newCents, usedCents }) => newCents !== undefined || usedCents !== undefined)
    .map((month) => itemEvent('history.month', {}, month));
}

function itemEvent(kind: ItemEvent['kind'], before: EventDetails, after: EventDetails): ItemEvent {
  return { kind, retailer: null, before, after };
}
