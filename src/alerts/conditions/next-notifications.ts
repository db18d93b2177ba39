/**
 * Determines the notifications of a rule for an item, and its new reported state. Pure. Levels
 * (prices, lows, margins) are reported when the condition becomes true, and again only after it was
 * false, or after the rule's repeat interval. Flips and stock follow their events.
 */

import { dayMs } from '../../kernel/time.ts';
import type { EventDetails, LoggedEvent } from '../../market/events/events.ts';
import type { Retailer } from '../../market/source-rows/source-rows.ts';
import type { WatchingRule } from './alert-evaluation.ts';
import type { AlertCondition } from './alert-rule.ts';
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
import type { ReportedMatch } from './notification.ts';

export interface OwnFacts {
  readonly targetCents: number | null;
  readonly held: HeldFacts | null;
  /** The maximum price to pay, if it is at least this much; otherwise null. */
  findMaxBuy(atLeastCents: number): number | null;
}

export interface RuleOnItem {
  readonly rule: Pick<WatchingRule, 'condition' | 'repeatDays' | 'position'>;
  readonly item: ItemFacts;
  readonly own: OwnFacts;
  /** Events of the item, oldest first; null for a check that no event caused. */
  readonly events: readonly EventOfItem[] | null;
  /** Earlier reports of the rule for the item. */
  readonly reported: readonly Pick<ReportedMatch, 'retailer' | 'reportedAt' | 'baseCents'>[];
  readonly at: number;
}

export type EventOfItem = Pick<LoggedEvent, 'position' | 'kind' | 'retailer' | 'before' | 'after'>;

/** A match, with the facts that decided it. */
export interface Alert {
  readonly retailer: Retailer | null;
  readonly facts: MetFacts;
}

/** New matches, and changes of the reported state. */
export interface NextNotifications {
  readonly alerts: readonly Alert[];
  readonly reported: readonly Pick<ReportedMatch, 'retailer' | 'reportedAt' | 'baseCents'>[];
  /** Retailers for which the condition is no longer met. */
  readonly ended: readonly (Retailer | null)[];
}

const nothing: NextNotifications = { alerts: [], reported: [], ended: [] };

export function nextNotifications(work: RuleOnItem): NextNotifications {
  const { condition, position: start } = work.rule;
  const isReason = ({ kind, position }: EventOfItem) =>
    position > start && isConcerned(condition, kind);
  if (work.events !== null && !work.events.some(isReason)) return nothing;
  if (isLevel(condition)) return levels(work);
  const events = work.events?.filter(isReason) ?? [];
  return isEdge(condition)
    ? { ...nothing, alerts: edges(work, condition, events) }
    : valueMoves(work, events);
}

/** Current matches, which are recorded as reported when a rule is saved. */
export function matchesOf(work: LookedAtItem): Alert[] {
  const { condition } = work;
  return isLevel(condition) ? sides(work).filter(({ facts }) => isMet(condition, facts)) : [];
}

/** Whether a condition can be checked at any time, rather than following an event or a change. */
export function isLevel(condition: AlertCondition): boolean {
  return !isEdge(condition) && !isMove(condition);
}

type Edge = Extract<AlertCondition, { kind: 'flip' | 'back_in_stock' }>;

export function isEdge(condition: AlertCondition): condition is Edge {
  return condition.kind === 'flip' || condition.kind === 'back_in_stock';
}

export function isMove({ kind }: AlertCondition): boolean {
  return kind === 'value_up' || kind === 'value_down';
}

interface LookedAtItem {
  readonly condition: AlertCondition;
  readonly item: ItemFacts;
  readonly own: OwnFacts;
}

/** The facts to check: per retailer, or for the item as a whole. */
function sides({ item, own: { targetCents, held, findMaxBuy }, condition }: LookedAtItem): Alert[] {
  const valueCents = ruleValue(item);
  if (!isAboutOffers(condition)) {
    const { sellThrough } = item;
    return [{ retailer: null, facts: { ...noFacts, targetCents, held, valueCents, sellThrough } }];
  }
  return item.offers.map(({ retailer, priceCents, isAtLowest }) => {
    const maxBuyCents =
      condition.kind === 'price_of_max_buy' && priceCents !== null
        ? findMaxBuy((priceCents * 100) / condition.percent)
        : null;
    const offer = { priceCents, isAtLowest, maxBuyCents };
    return { retailer, facts: { ...noFacts, ...offer, targetCents, held, valueCents } };
  });
}

function levels({ rule, item, own, reported, at }: RuleOnItem): NextNotifications {
  const { condition, repeatDays } = rule;
  const alerts: Alert[] = [];
  const ended: (Retailer | null)[] = [];
  for (const side of sides({ item, own, condition })) {
    const before = reported.find(({ retailer }) => retailer === side.retailer);
    if (!isMet(condition, side.facts)) {
      if (before) ended.push(side.retailer);
    } else if (!before || isDueAgain(before.reportedAt, repeatDays, at)) {
      alerts.push(side);
    }
  }
  if (alerts.length === 0 && ended.length === 0) return nothing;
  const now = alerts.map(({ retailer }) => ({ retailer, reportedAt: at, baseCents: null }));
  return { alerts, reported: now, ended };
}

function isDueAgain(reportedAt: number, repeatDays: number | null, at: number): boolean {
  return repeatDays !== null && at - reportedAt >= repeatDays * dayMs;
}

/** Only the last event at a retailer counts. */
function edges({ item }: RuleOnItem, condition: Edge, events: readonly EventOfItem[]): Alert[] {
  const last = new Map(events.map(({ retailer, after }) => [retailer, after]));
  return item.offers.flatMap(({ retailer, priceCents, isAtLowest }) => {
    const after = last.get(retailer);
    const isMatch =
      after !== undefined &&
      (condition.kind === 'flip'
        ? after.sellerType === condition.to
        : // It may be out of stock again by now.
          after.inStock === true && priceCents !== null);
    const facts = { ...noFacts, priceCents, isAtLowest, valueCents: ruleValue(item) };
    return isMatch ? [{ retailer, facts }] : [];
  });
}

/** Measured from the value at the last alert, or before the first change that the rule saw. */
function valueMoves(work: RuleOnItem, events: readonly EventOfItem[]): NextNotifications {
  const { item, rule, reported, at } = work;
  const valueCents = ruleValue(item);
  const name: keyof EventDetails = item.kind === 'set' ? 'newCents' : 'usedCents';
  const [known] = reported;
  const baseCents = known?.baseCents ?? events.find(({ before }) => before[name])?.before[name];
  if (valueCents === null || baseCents === undefined) return nothing;
  const facts = { ...noFacts, valueCents, baseCents };
  const row = (cents: number) => [{ retailer: null, reportedAt: at, baseCents: cents }];
  if (isMet(rule.condition, facts)) {
    return { alerts: [{ retailer: null, facts }], reported: row(valueCents), ended: [] };
  }
  return known ? nothing : { ...nothing, reported: row(baseCents) };
}
