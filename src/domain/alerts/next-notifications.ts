/**
 * What a rule has to tell of an item, and what it has told then. Pure. A price, a low and a margin
 * are told when they are found to be what the rule waits for, and told again only after they were
 * not, or after the days that the rule names. Flips and stock follow their events.
 */
import { dayMs } from '../kernel/time.ts';
import type { EventDetails, LoggedEvent } from '../market/events.ts';
import type { Retailer } from '../market/source-rows.ts';
import type { AlertCondition } from './alert-rule.ts';
import type { Told, WatchingRule } from './alert-store.ts';
import {
  type HeldFacts,
  type ItemFacts,
  isAboutOffers,
  isConcerned,
  isMet,
  type MetFacts,
  noFacts,
  ruleValue,
} from './is-met.ts';

/** What the owner of a rule has to do with an item. */
export interface OwnFacts {
  readonly targetCents: number | null;
  readonly held: HeldFacts | null;
  /** What may be paid for it, if that is at least so much; null otherwise. */
  findMaxBuy(atLeastCents: number): number | null;
}

/** A rule and an item that it has to do with. */
export interface RuleOnItem {
  readonly rule: Pick<WatchingRule, 'condition' | 'repeatDays' | 'position'>;
  readonly item: ItemFacts;
  readonly own: OwnFacts;
  /** What happened to the item, oldest first; null: it is looked at without any reason. */
  readonly events: readonly EventOfItem[] | null;
  /** What the rule has told of the item. */
  readonly told: readonly Pick<Told, 'retailer' | 'toldAt' | 'baseCents'>[];
  readonly at: number;
}

/** What must be known of an event. */
export type EventOfItem = Pick<LoggedEvent, 'position' | 'kind' | 'retailer' | 'before' | 'after'>;

/** Something to tell, with what decided it. */
export interface Alert {
  readonly retailer: Retailer | null;
  readonly facts: MetFacts;
}

/** What there is to tell, and what changes in what was told. */
export interface NextNotifications {
  readonly alerts: readonly Alert[];
  readonly told: readonly Pick<Told, 'retailer' | 'toldAt' | 'baseCents'>[];
  /** What is no longer true, by retailer. */
  readonly untold: readonly (Retailer | null)[];
}

const nothing: NextNotifications = { alerts: [], told: [], untold: [] };

/** What a rule tells of an item now. */
export function nextNotifications(work: RuleOnItem): NextNotifications {
  const { condition, position: start } = work.rule;
  const isReason = ({ kind, position }: EventOfItem) =>
    position > start && isConcerned(condition, kind);
  if (work.events !== null && !work.events.some(isReason)) return nothing;
  if (isLevel(condition)) return levels(work);
  const events = work.events?.filter(isReason) ?? [];
  return condition.kind === 'flip' || condition.kind === 'back_in_stock'
    ? { ...nothing, alerts: edges(work, condition, events) }
    : valueMoves(work, events);
}

/** What a rule holds for now, which is told when it is saved. */
export function matchesOf(work: LookedAtItem): Alert[] {
  const { condition } = work;
  return isLevel(condition) ? sides(work).filter(({ facts }) => isMet(condition, facts)) : [];
}

/** Whether a condition holds or not at any time, and does not follow an event or a move. */
export function isLevel({ kind }: AlertCondition): boolean {
  return (
    kind !== 'flip' && kind !== 'back_in_stock' && kind !== 'value_up' && kind !== 'value_down'
  );
}

/** An item, held against a condition. */
interface LookedAtItem {
  readonly condition: AlertCondition;
  readonly item: ItemFacts;
  readonly own: OwnFacts;
}

/** An item as a rule looks at it: at each retailer, or as a whole. */
function sides({ item, own, condition }: LookedAtItem): Alert[] {
  const { targetCents, held } = own;
  const valueCents = ruleValue(item);
  if (!isAboutOffers(condition)) {
    return [{ retailer: null, facts: { ...noFacts, targetCents, held, valueCents } }];
  }
  return item.offers.map(({ retailer, priceCents, isAtLowest }) => {
    const maxBuyCents =
      condition.kind === 'price_of_max_buy' && priceCents !== null
        ? own.findMaxBuy((priceCents * 100) / condition.percent)
        : null;
    const baseCents = null;
    const facts: MetFacts = {
      priceCents,
      isAtLowest,
      valueCents,
      baseCents,
      targetCents,
      maxBuyCents,
      held,
    };
    return { retailer, facts };
  });
}

function levels({ rule, item, own, told, at }: RuleOnItem): NextNotifications {
  const { condition, repeatDays } = rule;
  const alerts: Alert[] = [];
  const untold: (Retailer | null)[] = [];
  for (const side of sides({ item, own, condition })) {
    const before = told.find(({ retailer }) => retailer === side.retailer);
    if (!isMet(condition, side.facts)) {
      if (before) untold.push(side.retailer);
    } else if (!before || isDueAgain(before.toldAt, repeatDays, at)) {
      alerts.push(side);
    }
  }
  if (alerts.length === 0 && untold.length === 0) return nothing;
  const now = alerts.map(({ retailer }) => ({ retailer, toldAt: at, baseCents: null }));
  return { alerts, told: now, untold };
}

function isDueAgain(toldAt: number, repeatDays: number | null, at: number): boolean {
  return repeatDays !== null && at - toldAt >= repeatDays * dayMs;
}

/** Of several events at a retailer the last one counts, if it is what the rule waits for. */
function edges(
  { item }: RuleOnItem,
  condition: Extract<AlertCondition, { kind: 'flip' | 'back_in_stock' }>,
  events: readonly EventOfItem[],
): Alert[] {
  const last = new Map(events.map(({ retailer, after }) => [retailer, after]));
  return item.offers.flatMap(({ retailer, priceCents, isAtLowest }) => {
    const after = last.get(retailer);
    const isIt =
      after !== undefined &&
      (condition.kind === 'flip'
        ? after.sellerType === condition.to
        : // It may be gone again by now.
          after.inStock === true && priceCents !== null);
    const facts = { ...noFacts, priceCents, isAtLowest, valueCents: ruleValue(item) };
    return isIt ? [{ retailer, facts }] : [];
  });
}

/** Counted from the value at the last alert, or from before the first move that the rule saw. */
function valueMoves(work: RuleOnItem, events: readonly EventOfItem[]): NextNotifications {
  const { item, rule, told, at } = work;
  const valueCents = ruleValue(item);
  const name: keyof EventDetails = item.kind === 'set' ? 'newCents' : 'usedCents';
  const [known] = told;
  const baseCents = known?.baseCents ?? events.find(({ before }) => before[name])?.before[name];
  if (valueCents === null || baseCents === undefined) return nothing;
  const facts = { ...noFacts, valueCents, baseCents };
  const row = (cents: number) => [{ retailer: null, toldAt: at, baseCents: cents }];
  if (isMet(rule.condition, facts)) {
    return { alerts: [{ retailer: null, facts }], told: row(valueCents), untold: [] };
  }
  return known ? nothing : { ...nothing, told: row(baseCents) };
}
