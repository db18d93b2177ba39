/** What a rule holds for when it is saved: it is not told, and shown instead. */
import type { AccountStore } from '../domain/account/account-store.ts';
import { type AlertRuleFacts, alertLimits } from '../domain/alerts/alert-rule.ts';
import type { HeldUnits, Matches, NewTold } from '../domain/alerts/alert-store.ts';
import { isLevel, matchesOf } from '../domain/alerts/next-notifications.ts';
import { itemKey } from '../domain/catalog/numbers.ts';
import { yieldToEventLoop } from '../domain/kernel/event-loop.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import { heldFacts } from './evaluate.ts';
import { itemFacts } from './item-facts.ts';
import { buyerOf, MaxBuyPrices, type MaxBuySource } from './max-buy.ts';

/** What finding matches needs. */
export interface MatchDeps extends MaxBuySource {
  readonly market: Pick<
    MarketReading,
    'findResaleRecords' | 'listKeysAfter' | 'listThemeSets' | 'listEvents'
  >;
  readonly accounts: Pick<AccountStore, 'listWatchedItems' | 'findHoldings' | 'findBuyingSettings'>;
}

/** Items that are looked at in one go; whatever else waits gets its turn in between. */
const sliceItems = 200;

/** Sets that a rule of an account may hold for; a target where there is one. */
type Slice = ReadonlyMap<string, number | null>;

/** What a rule of an account holds for now; it may be more than a rule can begin with. */
export async function findMatches(
  deps: MatchDeps,
  accountId: number,
  rule: Pick<AlertRuleFacts, 'scope' | 'condition'>,
  at: number,
): Promise<Matches | 'too many'> {
  // First of all: what is published from here on may be found already, and is not missed.
  const position = await findLatest(deps.market);
  if (!isLevel(rule.condition)) return { told: [], position };
  const buyer =
    rule.condition.kind === 'price_of_max_buy'
      ? buyerOf(deps.findTables(), await deps.accounts.findBuyingSettings(accountId))
      : null;
  const isOfHeld = rule.condition.kind === 'margin' || rule.scope.kind === 'holdings';
  const held = isOfHeld ? await findHeld(deps, accountId) : new Map<string, HeldUnits[]>();
  const slices = isOfHeld && rule.scope.kind !== 'list' ? slicesOf([...held.keys()]) : null;
  const matches: NewTold[] = [];
  for await (const slice of slices ?? scopeSlices(deps, accountId, rule)) {
    const records = await deps.market.findResaleRecords('set', [...slice.keys()]);
    for (const [key, record] of records) {
      const item = itemFacts('set', record, at);
      const prices = new MaxBuyPrices(deps, record, at);
      const own = {
        targetCents: slice.get(key) ?? null,
        held: heldFacts(held.get(key) ?? [], item),
        findMaxBuy: (atLeast: number) => (buyer ? prices.find(buyer, atLeast) : null),
      };
      for (const { retailer } of matchesOf({ condition: rule.condition, item, own })) {
        matches.push({ itemKind: 'set', itemKey: item.key, retailer, baseCents: null });
      }
    }
    if (matches.length > alertLimits.matches) return 'too many';
    await yieldToEventLoop();
  }
  return { told: matches, position };
}

async function findLatest(market: Pick<MarketReading, 'listEvents'>): Promise<number> {
  const page = await market.listEvents({ after: null, kinds: null, items: null, limit: 1 });
  return 'next' in page ? page.next : page.oldest;
}

async function findHeld(
  { accounts }: MatchDeps,
  accountId: number,
): Promise<Map<string, HeldUnits[]>> {
  const { stakes } = await accounts.findHoldings(accountId);
  const units = stakes.map(({ setKey, condition, units, costCents }) => {
    return { ruleId: 0, itemKey: setKey, condition, units, costCents };
  });
  return Map.groupBy(units, (row) => row.itemKey);
}

async function* slicesOf(keys: readonly string[]): AsyncGenerator<Slice> {
  for (let from = 0; from < keys.length; from += sliceItems) {
    yield new Map(keys.slice(from, from + sliceItems).map((key) => [key, null]));
  }
}

/** The sets of a scope. Retailers have no minifigs. */
async function* scopeSlices(
  deps: MatchDeps,
  accountId: number,
  { scope }: Pick<AlertRuleFacts, 'scope'>,
): AsyncGenerator<Slice> {
  if (scope.kind === 'list') yield* listSlices(deps, accountId, scope.listId);
  if (scope.kind === 'theme') yield* themeSlices(deps, scope.theme);
  if (scope.kind !== 'all') return;
  for (let after = ''; ; ) {
    const keys = await deps.market.listKeysAfter('set', after, sliceItems);
    const last = keys.at(-1);
    if (last === undefined) return;
    yield new Map(keys.map((key) => [key, null]));
    after = last;
  }
}

async function* listSlices(
  { accounts }: MatchDeps,
  accountId: number,
  listId: number,
): AsyncGenerator<Slice> {
  for (let after = 0; ; ) {
    const page = { after, limit: sliceItems };
    const items = await accounts.listWatchedItems(accountId, listId, page);
    const last = items.at(-1);
    if (!last) return;
    const sets = items.filter(({ kind }) => kind === 'set');
    yield new Map(sets.map(({ key, targetCents }) => [key, targetCents]));
    after = last.id;
  }
}

async function* themeSlices({ market }: MatchDeps, theme: string): AsyncGenerator<Slice> {
  for (let offset = 0; ; offset += sliceItems) {
    const { rows } = await market.listThemeSets(theme, { limit: sliceItems, offset });
    if (rows.length === 0) return;
    const numbers = rows.map((row): string => JSON.parse(row).set_number);
    yield new Map(numbers.map((number) => [itemKey('set', number), null]));
  }
}
