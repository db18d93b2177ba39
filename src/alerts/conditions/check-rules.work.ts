/** Checks published items against all rules that concern them. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { toUsdOrNull } from '../../kernel/money.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type {
  Concerned,
  Evaluated,
  HeldStake,
  HeldUnits,
  NewNotification,
  WatchingRule,
} from './alert-evaluation.ts';
import {
  type AlertCondition,
  type AlertSettings,
  type Digest,
  usualAlertSettings,
} from './alert-rule.ts';
import { type RetailerNames, reasonText } from './alert-words.ts';
import type { AlertWorkStore } from './alert-work.store.ts';
import {
  type HeldFacts,
  type ItemFacts,
  isAboutOffers,
  isConcerned,
  type MetFacts,
} from './is-met.ts';
import { itemFacts } from './item-facts.ts';
import { type Buyer, buyerOf, MaxBuyPrices, type MaxBuySource } from './max-buy-prices.ts';
import {
  type Alert,
  type EventOfItem,
  isEdge,
  isMove,
  nextNotifications,
  type OwnFacts,
} from './next-notifications.ts';
import { dayStart, dueTime } from './quiet-hours.ts';

export interface CheckDeps extends MaxBuySource {
  readonly market: Pick<MarketReading, 'findResaleRecords' | 'findListedItems' | 'findAllKeys'>;
  readonly accounts: Pick<AlertWorkStore, 'findConcerned'>;
  readonly retailerNames: RetailerNames;
}

/** Rules checked before yielding to the event loop, so that sending can go on. */
const rulesAtOnce = 20_000;

/** An item to check, with its events; null: part of the daily check. */
export interface CheckedItem {
  readonly kind: ItemKind;
  readonly key: string;
  readonly events: readonly EventOfItem[] | null;
}

/** The reports of rules about items at a point in time. */
export async function checkRules(
  deps: CheckDeps,
  items: readonly CheckedItem[],
  at: number,
): Promise<Evaluated> {
  const keysOf = (kind: ItemKind) =>
    items.filter((item) => item.kind === kind).map(({ key }) => key);
  const [set, minifig] = [keysOf('set'), keysOf('minifig')];
  const listings = await deps.market.findListedItems('set', set);
  const themes = new Set([...listings.values()].map(({ theme }) => theme));
  // A watch list can have a minifig under any of its numbers.
  const minifigs =
    minifig.length === 0
      ? new Map<string, ResaleRecord>()
      : await findMinifigs(deps.market, minifig);
  const found = await deps.accounts.findConcerned({ set, minifig: [...minifigs.keys()] }, [
    ...themes,
  ]);
  const evaluation = new Evaluation(deps, index(found, minifigs, deps), at);
  const valued = items.filter((item) =>
    evaluation.concerns(item, listings.get(item.key)?.theme ?? null),
  );
  const sets = valued.filter(({ kind }) => kind === 'set').map(({ key }) => key);
  const records =
    sets.length === 0
      ? new Map<string, ResaleRecord>()
      : await deps.market.findResaleRecords('set', sets);
  let rules = 0;
  for (const item of valued) {
    const record = (item.kind === 'set' ? records : minifigs).get(item.key);
    if (record) rules += evaluation.look(item, record);
    if (rules < rulesAtOnce) continue;
    rules = 0;
    await yieldToEventLoop();
  }
  return evaluation.result();
}

async function findMinifigs(
  market: CheckDeps['market'],
  keys: readonly string[],
): Promise<ReadonlyMap<string, ResaleRecord>> {
  const { minifig } = await market.findAllKeys({ set: [], minifig: keys });
  return market.findResaleRecords('minifig', minifig);
}

/** How an item is related to the owner of a rule. */
interface Tie {
  readonly rule: WatchingRule;
  readonly targetCents: number | null;
}

/** Rules by what they watch, with what they know about items by name. */
interface Index {
  readonly found: Concerned;
  readonly all: readonly Tie[];
  readonly allIds: ReadonlySet<number>;
  readonly byTheme: ReadonlyMap<string | null, readonly Tie[]>;
  /** From watch lists and holdings, by name of the item. */
  readonly byItem: ReadonlyMap<string, readonly Tie[]>;
  /** By name of the item, then by rule. */
  readonly held: ReadonlyMap<string, ReadonlyMap<number, readonly HeldUnits[]>>;
  readonly reported: ReadonlyMap<string, ReadonlyMap<number, Concerned['reported']>>;
  /** By account, if a rule needs its max buy prices. */
  readonly buyers: ReadonlyMap<number, Buyer>;
}

const nameOf = (kind: ItemKind, key: string) => `${kind} ${key}`;

function index(
  found: Concerned,
  minifigs: ReadonlyMap<string, ResaleRecord>,
  source: MaxBuySource,
): Index {
  const rules = new Map(found.rules.map((rule) => [rule.id, rule]));
  const own = (kind: ItemKind, key: string) =>
    nameOf(kind, kind === 'minifig' ? (minifigs.get(key)?.key ?? key) : key);
  const byItem = new Map<string, Map<number, Tie>>();
  const tie = (name: string, ruleId: number, targetCents: number | null) => {
    const rule = rules.get(ruleId);
    if (!rule) return;
    const ties = byItem.get(name) ?? new Map<number, Tie>();
    byItem.set(name, ties.set(ruleId, { rule, targetCents }));
  };
  for (const { ruleId, itemKind, itemKey, targetCents } of found.listed) {
    tie(own(itemKind, itemKey), ruleId, targetCents);
  }
  for (const { ruleId, itemKind, itemKey } of found.held) {
    if (rules.get(ruleId)?.scope.kind === 'holdings') tie(own(itemKind, itemKey), ruleId, null);
  }
  const broad = (kind: 'all' | 'theme') =>
    found.rules
      .filter(({ scope }) => scope.kind === kind)
      .map((rule): Tie => ({ rule, targetCents: null }));
  const grouped = <Row extends { readonly ruleId: number }>(
    rows: readonly Row[],
    name: (row: Row) => string,
  ) =>
    new Map(
      [...Map.groupBy(rows, name)].map(([item, those]) => [
        item,
        Map.groupBy(those, ({ ruleId }) => ruleId),
      ]),
    );
  const all = broad('all');
  return {
    found,
    all,
    allIds: new Set(all.map(({ rule }) => rule.id)),
    byTheme: Map.groupBy(broad('theme'), ({ rule }) =>
      rule.scope.kind === 'theme' ? rule.scope.theme : null,
    ),
    byItem: new Map([...byItem].map(([name, ties]) => [name, [...ties.values()]])),
    held: grouped(found.held, ({ itemKind, itemKey }) => own(itemKind, itemKey)),
    reported: grouped(found.reported, ({ itemKind, itemKey }) => own(itemKind, itemKey)),
    buyers: buyersOf(found, source),
  };
}

function buyersOf({ buying }: Concerned, source: MaxBuySource): Map<number, Buyer> {
  if (buying.size === 0) return new Map();
  const tables = source.findTables();
  return new Map([...buying].map(([id, settings]) => [id, buyerOf(tables, settings)]));
}

class Evaluation {
  private readonly notifications: NewNotification[] = [];
  private readonly reported: Evaluated['reported'][number][] = [];
  private readonly ended: Evaluated['ended'][number][] = [];
  private readonly times = new Map<WatchingRule, ReturnType<typeof timesOf>>();
  private readonly ties = new Map<CheckedItem, readonly Tie[]>();
  /** Rules that an item no longer belongs to, with the time they were turned on. */
  private readonly left = new Map<number, number>();

  constructor(
    private readonly deps: Pick<CheckDeps, 'retailerNames' | keyof MaxBuySource>,
    private readonly index: Index,
    private readonly at: number,
  ) {}

  /** Returns whether any rule concerns an item, and remembers which. */
  concerns(item: CheckedItem, theme: string | null): boolean {
    const name = nameOf(item.kind, item.key);
    const { all, byTheme, byItem, reported } = this.index;
    const kinds = item.events && [...new Set(item.events.map(({ kind }) => kind))];
    const isRuleWanted = ({ rule }: Tie) => {
      if (!canConcern(rule.condition, item.kind)) return false;
      if (kinds) return kinds.some((kind) => isConcerned(rule.condition, kind));
      // Without an event, a change is measured only from a known base.
      return (
        !isEdge(rule.condition) &&
        (!isMove(rule.condition) || reported.get(name)?.has(rule.id) === true)
      );
    };
    const near = [...(byTheme.get(theme) ?? []), ...(byItem.get(name) ?? [])];
    this.forget(name, near);
    const ties = [...all.filter(isRuleWanted), ...near.filter(isRuleWanted)];
    this.ties.set(item, ties);
    return ties.length > 0;
  }

  /** An item that leaves a list, a theme or the holdings is reported again if it comes back. */
  private forget(name: string, near: readonly Tie[]): void {
    const { allIds, reported } = this.index;
    for (const [ruleId, rows] of reported.get(name) ?? []) {
      if (allIds.has(ruleId) || near.some(({ rule }) => rule.id === ruleId)) continue;
      for (const { itemKind, itemKey, retailer, since } of rows) {
        this.ended.push({ ruleId, itemKind, itemKey, retailer });
        this.left.set(ruleId, since);
      }
    }
  }

  /** Checks an item against its rules; returns the number of rules. */
  look(item: CheckedItem, record: ResaleRecord): number {
    const { at, index } = this;
    const name = nameOf(item.kind, item.key);
    const facts = itemFacts(item.kind, record, at);
    const prices = new MaxBuyPrices(this.deps, record, at);
    const reported = index.reported.get(name);
    const held = index.held.get(name);
    const ties = this.ties.get(item) ?? [];
    for (const { rule, targetCents } of ties) {
      const buyer = index.buyers.get(rule.accountId);
      const own: OwnFacts = {
        targetCents,
        held: heldFacts(held?.get(rule.id) ?? [], facts),
        findMaxBuy: (atLeast) => (buyer ? prices.find(buyer, atLeast) : null),
      };
      const before = reported?.get(rule.id) ?? [];
      const next = nextNotifications({
        rule,
        item: facts,
        own,
        events: item.events,
        reported: before,
        at,
      });
      for (const alert of next.alerts)
        this.notifications.push(this.notification(rule, facts, alert));
      const of = { ruleId: rule.id, itemKind: item.kind, itemKey: facts.key };
      for (const row of next.reported) this.reported.push({ ...of, ...row });
      for (const retailer of next.ended) this.ended.push({ ...of, retailer });
    }
    return ties.length;
  }

  result(): Evaluated {
    const { notifications, reported, ended, index } = this;
    const left = [...this.left].map(([id, since]) => ({ id, since }));
    const rules = [...index.found.rules.map(({ id, since }) => ({ id, since })), ...left];
    return { notifications, reported, ended, rules };
  }

  private notification(rule: WatchingRule, item: ItemFacts, alert: Alert): NewNotification {
    const { retailer, facts } = alert;
    const { kind: itemKind, key: itemKey, number, title } = item;
    const subject = { itemKind, number, title, retailer };
    const names = this.deps.retailerNames;
    return {
      ruleId: rule.id,
      itemKey,
      ...subject,
      at: this.at,
      say: () => ({
        reason: reasonText(rule.condition, facts, { subject, names }),
        facts: JSON.stringify(factsRecord(facts)),
      }),
      ...this.timesOf(rule),
    };
  }

  /** Cached, because time zone conversions are slow. */
  private timesOf(rule: WatchingRule): ReturnType<typeof timesOf> {
    const known = this.times.get(rule);
    if (known) return known;
    const settings = this.index.found.settings.get(rule.accountId) ?? usualAlertSettings;
    const times = timesOf(settings, rule.digest, this.at);
    this.times.set(rule, times);
    return times;
  }
}

function timesOf(settings: AlertSettings, digest: Digest, at: number) {
  return { ...dueTime(settings, digest, at), dayStart: dayStart(settings.timeZone, at) };
}

/** Retailers have no minifigs. */
function canConcern(condition: AlertCondition, kind: ItemKind): boolean {
  return kind === 'set' || !isAboutOffers(condition);
}

/** Null unless all units have a known value. */
export function heldFacts(
  held: readonly HeldStake[],
  { values }: Pick<ItemFacts, 'values'>,
): HeldFacts | null {
  if (held.length === 0) return null;
  let [valueCents, costCents] = [0, 0];
  for (const { condition, units, costCents: cost } of held) {
    const unit = values[condition];
    if (unit === null) return null;
    valueCents += unit * units;
    costCents += cost;
  }
  return { valueCents, costCents };
}

/** The facts that triggered the rule, for programs; unrelated ones are omitted. */
function factsRecord(facts: MetFacts): object {
  const { priceCents, valueCents, baseCents, targetCents, maxBuyCents, held } = facts;
  const amounts = {
    price_usd: priceCents,
    value_usd: held ? null : valueCents,
    value_before_usd: baseCents,
    target_usd: targetCents,
    max_buy_usd: maxBuyCents,
    held_value_usd: held?.valueCents ?? null,
    cost_basis_usd: held?.costCents ?? null,
  };
  const known = Object.entries(amounts).filter(([, cents]) => cents !== null);
  return {
    ...Object.fromEntries(known.map(([name, cents]) => [name, toUsdOrNull(cents)])),
    ...(facts.sellThrough !== null && { sell_through_pct: facts.sellThrough }),
  };
}
