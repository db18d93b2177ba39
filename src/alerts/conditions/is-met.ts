/** Whether the published facts of an item meet a rule's condition. Pure. */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { EventKind } from '../../market/events/events.ts';
import type { Condition, Retailer } from '../../market/source-rows/source-rows.ts';
import type { AlertCondition } from './alert-rule.ts';

/** The published facts of an item that rules depend on. */
export interface ItemFacts {
  readonly kind: ItemKind;
  readonly key: string;
  /** The canonical number. */
  readonly number: string;
  readonly title: string;
  /** Null for minifigs. */
  readonly theme: string | null;
  /** The value of one unit per condition; minifigs only have a used value. */
  readonly values: Readonly<Record<Condition, number | null>>;
  /** In percent; null if the units for sale are not known. */
  readonly sellThrough: number | null;
  /** One per retailer that ever listed it. */
  readonly offers: readonly OfferFacts[];
}

/** An item at one retailer. */
export interface OfferFacts {
  readonly retailer: Retailer;
  /** The current price; null if it is not available. */
  readonly priceCents: number | null;
  /** Whether the price is the lowest ever, and has been higher. */
  readonly isAtLowest: boolean;
}

/** The facts that decide whether a condition is met. Null: not applicable or unknown. */
export interface MetFacts {
  readonly priceCents: number | null;
  readonly isAtLowest: boolean;
  readonly valueCents: number | null;
  /** The value that changes are measured from. */
  readonly baseCents: number | null;
  readonly targetCents: number | null;
  readonly maxBuyCents: number | null;
  /** The value and cost basis of all held units. */
  readonly held: HeldFacts | null;
  readonly sellThrough: number | null;
}

export interface HeldFacts {
  readonly valueCents: number;
  readonly costCents: number;
}

export const noFacts: MetFacts = {
  priceCents: null,
  isAtLowest: false,
  valueCents: null,
  baseCents: null,
  targetCents: null,
  maxBuyCents: null,
  held: null,
  sellThrough: null,
};

/** The value that rules refer to: of a new set, or of a used minifig. */
export function ruleValue({ kind, values }: Pick<ItemFacts, 'kind' | 'values'>): number | null {
  return values[kind === 'set' ? 'sealed' : 'used'];
}

/** False for conditions that depend on an event: the event itself decides. */
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
      // Without a cost there is no margin.
      if (held === null || held.costCents <= 0) return false;
      return isAtMost(shareOf(held.costCents, 100 + condition.percent), held.valueCents);
    case 'sell_through':
      return isAtMost(condition.percent, facts.sellThrough);
    default:
      return false;
  }
}

/** Tolerance in cents for floating-point percentages. */
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
  'retail.offer',
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
  sell_through: ['value.move'],
};

/** Whether an event may change the result of a condition. */
export function isConcerned({ kind }: AlertCondition, event: EventKind): boolean {
  return eventsOf[kind].includes(event);
}

/** All kinds of events that may change a result. */
export const alertEvents: readonly EventKind[] = [...new Set(Object.values(eventsOf).flat())];

const wholeItem: ReadonlySet<AlertCondition['kind']> = new Set([
  'value_up',
  'value_down',
  'margin',
  'sell_through',
]);

/** Whether a condition is evaluated per retailer. */
export function isAboutOffers({ kind }: AlertCondition): boolean {
  return !wholeItem.has(kind);
}
