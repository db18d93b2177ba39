/**
 * Finds the items a rule already matches when it, or a list it watches, is saved. They are shown
 * instead of reported.
 */

import type { BuyingRoomStore } from '../../buying/buying.store.ts';
import { type ItemKind, type ItemRef, itemKey } from '../../catalog/items/numbers.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import { pagesOf } from '../../kernel/pages.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { AlertRoomStore } from '../alerts.store.ts';
import { findLatest } from '../channels/own-webhooks.work.ts';
import type { WatchedItem } from '../watchlists/watch-list.ts';
import type { HeldStake } from './alert-evaluation.ts';
import { type AlertRuleFacts, type AlertScope, alertLimits } from './alert-rule.ts';
import { heldFacts } from './check-rules.work.ts';
import { itemFacts } from './item-facts.ts';
import { type Buyer, buyerOf, MaxBuyPrices, type MaxBuySource } from './max-buy-prices.ts';
import { isLevel, matchesOf } from './next-notifications.ts';
import type { Matches, NewMatch } from './notification.ts';

export interface MatchDeps extends MaxBuySource {
  readonly market: Pick<
    MarketReading,
    'findResaleRecords' | 'findSameKeys' | 'listKeysAfter' | 'listThemeSets' | 'listEvents'
  >;
  readonly accounts: Pick<
    AlertRoomStore & BuyingRoomStore,
    'listWatchedItems' | 'findBuyingSettings'
  > & {
    /** Held units, which a later room stores. */
    findHoldings(
      accountId: number,
      kind: null,
    ): Promise<{ readonly stakes: readonly (ItemRef & HeldStake)[] }>;
  };
}

export interface RecordDeps extends MatchDeps {
  readonly accounts: MatchDeps['accounts'] &
    Pick<AlertRoomStore, 'listAlertRules' | 'findWatched' | 'recordReported'>;
}

/** Items checked before yielding to the event loop. */
const itemsAtOnce = 200;

/** Items of a kind that a rule may match, with their targets if any. */
type Slice = ReadonlyMap<string, number | null>;

/** All current matches of a rule; can be more than a rule can start with. */
export async function findMatches(
  deps: MatchDeps,
  accountId: number,
  rule: Pick<AlertRuleFacts, 'scope' | 'condition'>,
  at: number,
): Promise<Matches | 'too many'> {
  // Read first, so that no later publication is missed; it may be found twice.
  const position = await findLatest(deps.market);
  if (!isLevel(rule.condition)) return { reported: [], position };
  const owner = await findOwner(deps, accountId, rule);
  const matches: NewMatch[] = [];
  const addMatches = async (slices: AsyncGenerator<Slice>, kind: ItemKind) => {
    for await (const slice of slices) {
      matches.push(...(await sliceMatches(deps, owner, { kind, slice, at })));
      if (matches.length > alertLimits.matches) return;
      await yieldToEventLoop();
    }
  };
  await addMatches(scopeSlices(deps, accountId, rule.scope, owner), 'set');
  await addMatches(minifigSlices(deps, owner), 'minifig');
  if (matches.length > alertLimits.matches) return 'too many';
  return { reported: matches, position };
}

/**
 * After sets were added to a list or their targets changed, records what its rules match already,
 * so that it is not reported, and forgets what they no longer match. Returns the number of new
 * matches.
 */
export async function recordMatches(
  deps: RecordDeps,
  accountId: number,
  listId: number,
  { setKeys, at }: { readonly setKeys: readonly string[]; readonly at: number },
): Promise<number> {
  const rules = (await deps.accounts.listAlertRules(accountId)).filter(
    ({ isOn, scope, condition }) =>
      isOn && scope.kind === 'list' && scope.listId === listId && isLevel(condition),
  );
  const found = new Set<string>();
  if (rules.length === 0) return 0;
  for (let from = 0; from < setKeys.length; from += itemsAtOnce) {
    const keys = setKeys.slice(from, from + itemsAtOnce);
    const watched = await deps.accounts.findWatched(accountId, { set: keys, minifig: [] });
    const listed = watched.filter((item) => item.listId === listId);
    const slice = new Map(listed.map(({ key, targetCents }) => [key, targetCents]));
    for (const rule of rules) {
      const owner = await findOwner(deps, accountId, rule);
      const reported = await sliceMatches(deps, owner, { kind: 'set', slice, at });
      const added = await deps.accounts.recordReported(accountId, rule.id, {
        setKeys: keys,
        reported,
        at,
      });
      for (const { itemKey } of added) found.add(itemKey);
    }
    await yieldToEventLoop();
  }
  return found.size;
}

/** A rule with its owner's data, as far as the rule needs it. */
interface RuleOwner {
  readonly condition: AlertRuleFacts['condition'];
  readonly buyer: Buyer | null;
  readonly held: HeldItems;
}

/** Holdings by lookup key; empty if the rule is not about them. */
type HeldItems = Readonly<Record<ItemKind, ReadonlyMap<string, readonly HeldStake[]>>>;

const nothingHeld: HeldItems = { set: new Map(), minifig: new Map() };

async function findOwner(
  deps: MatchDeps,
  accountId: number,
  { scope, condition }: Pick<AlertRuleFacts, 'scope' | 'condition'>,
): Promise<RuleOwner> {
  const buyer =
    condition.kind === 'price_of_max_buy'
      ? buyerOf(deps.findTables(), await deps.accounts.findBuyingSettings(accountId))
      : null;
  const isOfHeld = scope.kind === 'holdings';
  const held = isOfHeld ? await findHeld(deps, accountId) : nothingHeld;
  return { condition, buyer, held };
}

async function sliceMatches(
  deps: MatchDeps,
  { condition, buyer, held }: RuleOwner,
  { kind, slice, at }: { readonly kind: ItemKind; readonly slice: Slice; readonly at: number },
): Promise<NewMatch[]> {
  const matches: NewMatch[] = [];
  const records = await deps.market.findResaleRecords(kind, [...slice.keys()]);
  // A minifig may be held under several numbers.
  const stakes = Map.groupBy(records.keys(), (key) => records.get(key)?.key ?? key);
  for (const [key, record] of records) {
    const numbers = stakes.get(record.key) ?? [];
    if (numbers[0] !== key) continue;
    const item = itemFacts(kind, record, at);
    const prices = new MaxBuyPrices(deps, record, at);
    const own = {
      targetCents: slice.get(key) ?? null,
      held: heldFacts(
        numbers.flatMap((number) => held[kind].get(number) ?? []),
        item,
      ),
      findMaxBuy: (atLeast: number) => (buyer ? prices.find(buyer, atLeast) : null),
    };
    for (const { retailer } of matchesOf({ condition, item, own })) {
      matches.push({ itemKind: kind, itemKey: item.key, retailer, baseCents: null });
    }
  }
  return matches;
}

async function findHeld({ accounts }: MatchDeps, accountId: number): Promise<HeldItems> {
  const { stakes } = await accounts.findHoldings(accountId, null);
  const ofKind = (kind: ItemKind) =>
    Map.groupBy(
      stakes.filter((stake) => stake.kind === kind),
      ({ key }) => key,
    );
  return { set: ofKind('set'), minifig: ofKind('minifig') };
}

async function* heldSlices(keys: readonly string[]): AsyncGenerator<Slice> {
  for (let from = 0; from < keys.length; from += itemsAtOnce) {
    yield new Map(keys.slice(from, from + itemsAtOnce).map((key) => [key, null]));
  }
}

/** The held minifigs, each in one slice with all numbers it is held under. */
async function* minifigSlices({ market }: MatchDeps, owner: RuleOwner): AsyncGenerator<Slice> {
  const left = new Set(owner.held.minifig.keys());
  const same = await market.findSameKeys([...left]);
  let slice = new Map<string, null>();
  for (const key of left) {
    const held = [key, ...(same.get(key) ?? [])].filter((each) => left.delete(each));
    for (const each of held) slice.set(each, null);
    if (slice.size < itemsAtOnce) continue;
    yield slice;
    slice = new Map();
  }
  if (slice.size > 0) yield slice;
}

/** The sets of a scope. Retailers have no minifigs, so only their margin can be met. */
async function* scopeSlices(
  deps: MatchDeps,
  accountId: number,
  scope: AlertScope,
  { held }: RuleOwner,
): AsyncGenerator<Slice> {
  switch (scope.kind) {
    case 'holdings':
      return yield* heldSlices([...held.set.keys()]);
    case 'list':
      return yield* listSlices(deps, accountId, scope.listId);
    case 'theme':
      return yield* themeSlices(deps, scope.theme);
    case 'all':
      return yield* allSlices(deps);
  }
}

async function* allSlices({ market }: MatchDeps): AsyncGenerator<Slice> {
  const read = (last: string | null) => market.listKeysAfter('set', last ?? '', itemsAtOnce);
  for await (const keys of pagesOf(read)) yield new Map(keys.map((key) => [key, null]));
}

async function* listSlices(
  { accounts }: MatchDeps,
  accountId: number,
  listId: number,
): AsyncGenerator<Slice> {
  const pages = pagesOf<WatchedItem>((last) =>
    accounts.listWatchedItems(accountId, listId, { after: last?.id ?? 0, limit: itemsAtOnce }),
  );
  for await (const items of pages) {
    const sets = items.filter(({ kind }) => kind === 'set');
    yield new Map(sets.map(({ key, targetCents }) => [key, targetCents]));
  }
}

async function* themeSlices({ market }: MatchDeps, theme: string): AsyncGenerator<Slice> {
  for (let offset = 0; ; offset += itemsAtOnce) {
    const { rows } = await market.listThemeSets(theme, { limit: itemsAtOnce, offset });
    if (rows.length === 0) return;
    const numbers = rows.map((row): string => JSON.parse(row).set_number);
    yield new Map(numbers.map((number) => [itemKey('set', number), null]));
  }
}
