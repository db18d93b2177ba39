/** Whether what is published of an item now is what a rule waits for. Pure. */
import type { ItemKind } from '../catalog/numbers.ts';
import type { EventKind } from '../market/events.ts';
import type { Condition, Retailer } from '../market/source-rows.ts';
import type { AlertCondition } from './alert-rule.ts';

/** What is published of an item, as far as rules ask for it. */
export interface ItemFacts {
  readonly kind: ItemKind;
  readonly key: string;
  /** The canonical number. */
  readonly number: string;
  readonly title: string;
  /** Null for minifigs. */
  readonly theme: string | null;
  /** What a unit is worth in each condition; a minifig is used. */
  readonly values: Readonly<Record<Condition, number | null>>;
  /** One for each retailer that ever had it. */
  readonly offers: readonly OfferFacts[];
}

/** An item at one retailer. */
export interface OfferFacts {
  readonly retailer: Retailer;
  /** What it can be bought for now; null when it cannot. */
  readonly priceCents: number | null;
  /** Whether that is the lowest price ever, and was higher before. */
  readonly isAtLowest: boolean;
}

/** What decides whether a condition is met. Null: there is none, or it is not known. */
export interface MetFacts {
  readonly priceCents: number | null;
  readonly isAtLowest: boolean;
  readonly valueCents: number | null;
  /** What moves of the value are counted from. */
  readonly baseCents: number | null;
  readonly targetCents: number | null;
  readonly maxBuyCents: number | null;
  /** All units that are held: what they are worth, and their cost basis. */
  readonly held: HeldFacts | null;
}

/** What is held of an item. */
export interface HeldFacts {
  readonly valueCents: number;
  readonly costCents: number;
}

/** Nothing is known. */
export const noFacts: MetFacts = {
  priceCents: null,
  isAtLowest: false,
  valueCents: null,
  baseCents: null,
  targetCents: null,
  maxBuyCents: null,
  held: null,
};

/** The value that rules speak of: of a set a new one's, of a minifig a used one's. */
export function ruleValue({ kind, values }: Pick<ItemFacts, 'kind' | 'values'>): number | null {
  return values[kind === 'set' ? 'sealed' : 'used'];
}

/** Whether a condition is met. What follows an event is met by the event alone. */
export function isMet(condition: AlertCondition, facts: MetFacts): boolean {
  const { priceCents, valueCents, baseCents, targetCents, maxBuyCents, held } = facts;
  switch (condition.kind) {
    case 'price_target':
      return isAtMost(priceCents, targetCents);
    case 'price_amount':
      return isAtMost(priceCents, condition.cents);
    case 'price_of_value':
      return isAtMost(priceCents, shareOf(valueCents, condition.percent));
    case 'price_of_max_buy':
      return isAtMost(priceCents, shareOf(maxBuyCents, condition.percent));
    case 'all_time_low':
      return priceCents !== null && facts.isAtLowest;
    case 'value_up':
      return isAtMost(shareOf(baseCents, 100 + condition.percent), valueCents);
    case 'value_down':
      return isAtMost(valueCents, shareOf(baseCents, 100 - condition.percent));
    case 'margin':
      // Of what cost nothing there is no margin.
      if (held === null || held.costCents <= 0) return false;
      return isAtMost(shareOf(held.costCents, 100 + condition.percent), held.valueCents);
    default:
      return false;
  }
}

/** What binary fractions of percents are off by, in cents. */
const tolerance = 1e-6;

function isAtMost(amount: number | null, limit: number | null): boolean {
  return amount !== null && limit !== null && amount <= limit + tolerance;
}

function shareOf(cents: number | null, percent: number): number | null {
  return cents === null ? null : (cents * percent) / 100;
}

const priceEvents: readonly EventKind[] = [
  'retail.price',
  'retail.low',
  'retail.stock',
  // A set that a retailer has for the first time is told of only when it is a deal.
  'deal.open',
  'deal.close',
];

const eventsOf: Readonly<Record<AlertCondition['kind'], readonly EventKind[]>> = {
  price_target: priceEvents,
  price_amount: priceEvents,
  price_of_value: [...priceEvents, 'value.move'],
  price_of_max_buy: [...priceEvents, 'value.move', 'value.tier'],
  all_time_low: priceEvents,
  flip: ['retail.flip'],
  back_in_stock: ['retail.stock'],
  value_up: ['value.move'],
  value_down: ['value.move'],
  margin: ['value.move'],
};

/** Whether an event can change whether a condition is met. */
export function isConcerned({ kind }: AlertCondition, event: EventKind): boolean {
  return eventsOf[kind].includes(event);
}

/** The kinds of events that can change anything. */
export const alertEvents: readonly EventKind[] = [...new Set(Object.values(eventsOf).flat())];

/** Whether a condition is about what retailers ask: it is told for each of them. */
export function isAboutOffers({ kind }: AlertCondition): boolean {
  return kind !== 'value_up' && kind !== 'value_down' && kind !== 'margin';
}
