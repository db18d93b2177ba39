/**
 * The events of a publication: an item is compared with the state that was last reported. Pure.
 * Nothing is reported for an item's first publication, nor for values that differ only because they
 * are computed in another way.
 */

import type { StatusId } from '../../catalog/items/status.ts';
import { percentOf } from '../../kernel/money.ts';
import type { Month } from '../../kernel/time.ts';
import type { DataTier } from '../evidence/evidence.ts';
import type { DealChange, DealHeadline } from '../published/deals.ts';
import {
  isSameOffer,
  type OfferChange,
  offerChanges,
  type PublishedOffer,
  publishedOffer,
} from '../retail/retail-history.ts';
import { confirmedFlip, isAtLowest, type RetailState } from '../retail/retail-state.ts';
import { type Retailer, retailers } from '../source-rows/source-rows.ts';
import type { EventDetails, EventKind, ItemEvent } from './events.ts';

/** The minimum change of a value for an event, in percent. */
export const valueMovePercent = 5;
const moveShare = valueMovePercent / 100;

/** The published facts of an item that events can be about. */
export interface EventFacts {
  /** Identifies how values are computed: the engine, parameters and restatement. */
  readonly basis: string;
  readonly values: Readonly<Record<ValueName, ValueFact | null>>;
  readonly tier: DataTier;
  /** Null for minifigs. */
  readonly statusId: StatusId | null;
  /** The last finalized month. */
  readonly lastMonth: Month;
  /** Retailers that have ever listed the set. */
  readonly retail: Readonly<Partial<Record<Retailer, RetailFacts>>>;
  /** Finalized months after the given one, oldest first. */
  monthsAfter(month: Month): readonly MonthFacts[];
}

const valueNames = ['newCents', 'usedCents'] as const;

type ValueName = (typeof valueNames)[number];

/** A value and its uncertainty (log scale). */
export interface ValueFact {
  readonly cents: number;
  readonly spread: number;
}

/** A finalized month: values at its end, and sales; unknown fields are absent. */
export interface MonthFacts
  extends Pick<EventDetails, 'newCents' | 'newSales' | 'usedCents' | 'usedSales'> {
  readonly month: Month;
}

export interface RetailFacts extends PublishedOffer {
  readonly lowestCents: number | null;
  readonly isAtLowest: boolean;
  /** Whether third parties sell instead of the retailer; null while that is unconfirmed. */
  readonly isFlipped: boolean | null;
}

/** The state of an item that was last reported. */
export interface EventState
  extends PublishedValues,
    Pick<EventFacts, 'basis' | 'tier' | 'statusId' | 'lastMonth'> {
  readonly retail: Readonly<Partial<Record<Retailer, ReportedRetail>>>;
}

/** The last reported state of a set at one retailer. */
type ReportedRetail = Omit<RetailFacts, 'isAtLowest' | 'isFlipped'> & {
  readonly isFlipped: boolean;
  /** Whether it was in stock when that was last known; null if it never was. */
  readonly knownStock: boolean | null;
};

/** Values; in a reported state, the ones that changes are measured from. Null if there is none. */
export type PublishedValues = Readonly<Record<ValueName, number | null>>;

/** The events to report, what changed at retailers, and the state once they are reported. */
export interface NextEvents {
  readonly events: readonly ItemEvent[];
  readonly offers: readonly OfferChange[];
  readonly state: EventState;
}

/** An item before its publication. */
export interface EarlierItem extends PublishedValues {
  /** Whether data was undone since: what changed at retailers is then a correction. */
  readonly isUndone?: boolean | null;
}

/**
 * Compares the published facts with the last reported state (null: none yet). The previously
 * published values are needed if they are computed in another way now.
 */
export function nextEvents(
  state: EventState | null,
  facts: EventFacts,
  { isUndone, ...published }: EarlierItem,
): NextEvents {
  if (state === null) {
    return { events: [], offers: offerChanges({}, facts.retail), state: firstState(facts) };
  }
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
      ...retailers.flatMap((retailer) =>
        isUndone ? offerEvents(retailer, state, facts) : retailEvents(retailer, state, facts),
      ),
      ...statusEvents(state, facts),
      ...moveEvents(state, facts, moved),
      ...(isQuiet ? [] : tierEvents(state, facts)),
      ...monthEvents(state, facts),
    ],
    offers: offerChanges(state.retail, facts.retail),
    state: {
      basis,
      newCents: base('newCents'),
      usedCents: base('usedCents'),
      tier,
      statusId,
      lastMonth: Math.max(state.lastMonth, facts.lastMonth),
      retail: reportedRetail(isUndone ? null : state, facts),
    },
  };
}

/**
 * A deal that opens is not reported with an item's first publication, because it may not be new. A
 * deal that closes always is.
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

export function retailFacts(state: RetailState, at: number): RetailFacts {
  return {
    ...publishedOffer(state),
    lowestCents: state.lowestCents,
    isAtLowest: isAtLowest(state),
    isFlipped: confirmedFlip(state, at),
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
    retail: reportedRetail(null, facts),
  };
}

/** Unknown facts keep their reported state; retailers that never listed the set are left out. */
function reportedRetail(state: EventState | null, { retail }: EventFacts): EventState['retail'] {
  const reported: Partial<Record<Retailer, ReportedRetail>> = {};
  for (const retailer of retailers) {
    const [now, before] = [retail[retailer], state?.retail[retailer]];
    if (now) reported[retailer] = reportedOf(now, before);
  }
  return reported;
}

function reportedOf(
  { priceCents, hasOffer, sellerType, inStock, lowestCents, isFlipped }: RetailFacts,
  before: ReportedRetail | undefined,
): ReportedRetail {
  return {
    priceCents,
    hasOffer,
    sellerType,
    inStock,
    lowestCents,
    isFlipped: isFlipped ?? before?.isFlipped ?? false,
    knownStock: inStock ?? before?.knownStock ?? null,
  };
}

/**
 * Events at a retailer. After `retail.price`, `retail.stock` and `retail.offer`, a copy of
 * the published offer equals `after`; so any change that has neither of the first two has the last.
 */
function retailEvents(retailer: Retailer, state: EventState, facts: EventFacts): ItemEvent[] {
  const [now, before] = [facts.retail[retailer], state.retail[retailer]];
  if (!now || now.priceCents === null || !before || before.priceCents === null) {
    const isPriced = now && now.priceCents !== null;
    const stock = isPriced && before ? stockEvents(retailer, before, now) : [];
    return [...offerEvents(retailer, state, facts), ...stock];
  }
  const events: ItemEvent[] = [];
  const report = (kind: EventKind, from: EventDetails, to: EventDetails) =>
    events.push({ kind, retailer, before: from, after: to });
  const { priceCents, lowestCents } = now;
  if (priceCents !== before.priceCents) {
    const prices = { before: before.priceCents, now: priceCents };
    report('retail.price', { priceCents: prices.before }, priceDetails(prices, now, facts));
  }
  // A past low that arrives late is not reported: it must be the current price.
  const isLow = before.lowestCents !== null && lowestCents !== null && now.isAtLowest;
  if (isLow && lowestCents < before.lowestCents) {
    report('retail.low', { lowestCents: before.lowestCents }, { lowestCents });
  }
  const { isFlipped } = reportedOf(now, before);
  if (isFlipped !== before.isFlipped) {
    report('retail.flip', sellerDetails(before.isFlipped), sellerDetails(isFlipped));
  }
  events.push(...stockEvents(retailer, before, now));
  const isTold = events.some(({ kind }) => kind === 'retail.price' || kind === 'retail.stock');
  return isTold ? events : [...events, ...offerEvents(retailer, state, facts)];
}

/** Unknown stock is not reported as a change of stock. */
function stockEvents(
  retailer: Retailer,
  { knownStock }: ReportedRetail,
  now: RetailFacts,
): ItemEvent[] {
  const { inStock } = now;
  if (knownStock === null || inStock === null || inStock === knownStock) return [];
  const [before, after] = [{ inStock: knownStock }, offerDetails(now)];
  return [{ kind: 'retail.stock', retailer, before, after }];
}

/**
 * The offer as a whole, if it changed: a retailer's first one, another seller, a correction.
 * `after` is empty if an undo took back all that was known.
 */
function offerEvents(retailer: Retailer, state: EventState, facts: EventFacts): ItemEvent[] {
  const [now, before] = [facts.retail[retailer], state.retail[retailer]];
  if (isSameOffer(now, before)) return [];
  const after = { ...offerDetails(now), ...valueDetails(now?.priceCents ?? null, facts) };
  return [{ kind: 'retail.offer', retailer, before: offerDetails(before), after }];
}

/** An offer without a price ever is nothing to report. */
function offerDetails(offer: PublishedOffer | undefined): EventDetails {
  if (!offer || offer.priceCents === null) return {};
  const { priceCents, hasOffer, sellerType, inStock } = offer;
  return {
    priceCents,
    hasOffer,
    ...(sellerType !== null && { sellerType }),
    ...(inStock !== null && { inStock }),
  };
}

function priceDetails(
  prices: { readonly before: number; readonly now: number },
  now: RetailFacts,
  facts: EventFacts,
): EventDetails {
  const { before, now: priceCents } = prices;
  return {
    ...offerDetails(now),
    changePercent: percentOf(priceCents - before, before),
    isAtLowest: now.isAtLowest,
    ...valueDetails(priceCents, facts),
  };
}

/** How far a price is below the value of a new set. */
function valueDetails(priceCents: number | null, { values }: EventFacts): EventDetails {
  const newCents = values.newCents?.cents;
  if (newCents === undefined || priceCents === null) return {};
  return { newCents, belowValuePercent: percentOf(newCents - priceCents, newCents) };
}

function sellerDetails(isFlipped: boolean): EventDetails {
  return { sellerType: isFlipped ? 'third_party' : 'retailer' };
}

function statusEvents(state: EventState, { statusId }: EventFacts): ItemEvent[] {
  if (state.statusId === null || statusId === null || statusId === state.statusId) return [];
  return [itemEvent('set.status', { statusId: state.statusId }, { statusId })];
}

/** Whether a value has changed by at least `valueMovePercent` and by more than its uncertainty. */
function hasMoved(baseCents: number | null, now: ValueFact | null): boolean {
  if (baseCents === null || now === null) return false;
  const isEnough = Math.abs(now.cents - baseCents) >= baseCents * moveShare;
  return isEnough && Math.abs(Math.log(now.cents / baseCents)) > now.spread;
}

/**
 * Scales the base of comparison when values are computed in another way, so that the relative
 * distance to the value stays the same.
 */
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

/** Months without any value are not reported. */
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
