/**
 * Retailers' own lowest price of each week. It is always what the offers of the week say, however
 * those arrived: a new offer can only lower it, and a replaced one has its week gone through again.
 */

import { weekOf, weekStart } from '../../../domain/kernel/time.ts';
import { type Offer, ownPriceCents, retailers } from '../../../domain/market/source-rows.ts';
import {
  givenRows,
  type Operation,
  queryEach,
  queryGroups,
  runEach,
  saveRows,
} from '../../sql/operation.ts';
import { tables } from '../../sql/tables.ts';

/** What a retailer asked for a set, known by its id. */
export interface SetOffer {
  readonly setId: number;
  readonly offer: Omit<Offer, 'setKey'>;
}

/** The week of a set while a batch is applied. */
interface HeldWeek {
  readonly itemId: number;
  readonly week: number;
  readonly storedCents: number | null;
  priceCents: number | null;
  /** All own prices, by retailer and instant; null when no offer of the week is replaced. */
  readonly prices: Map<string, number> | null;
}

/** Weeks by set and week. */
type HeldWeeks = Map<string, HeldWeek>;

/** Reads the weeks of offers, whole where offers are replaced; then keeps them up with offers. */
export function* loadRetailWeeks({
  named,
  replaced,
}: {
  named: readonly SetOffer[];
  replaced: readonly SetOffer[];
}) {
  const weeks = yield* loadWeeks(named, new Set(replaced.map(nameOf)));
  yield* loadPrices([...weeks.values()]);

  /** A week that was not read is one of a set that the batch itself has added. */
  const weekFor = (some: SetOffer): HeldWeek => {
    const known = weeks.get(nameOf(some));
    if (known) return known;
    const week = { ...weekName(some), storedCents: null, priceCents: null, prices: new Map() };
    weeks.set(nameOf(some), week);
    return week;
  };
  return {
    /** An offer was added; whether that changed its week. */
    add(some: SetOffer): boolean {
      const priceCents = ownPriceCents(some.offer);
      if (priceCents === null) return false;
      const week = weekFor(some);
      week.prices?.set(lookOf(some.offer), priceCents);
      if (week.priceCents !== null && week.priceCents <= priceCents) return false;
      week.priceCents = priceCents;
      return true;
    },
    /** An offer says something else than before; whether that may have changed its week. */
    replace(some: SetOffer): boolean {
      const week = weekFor(some);
      if (week.prices === null) throw new Error('The prices of a week were not looked up.');
      const hadPrice = week.priceCents !== null;
      const priceCents = ownPriceCents(some.offer);
      if (priceCents === null) week.prices.delete(lookOf(some.offer));
      else week.prices.set(lookOf(some.offer), priceCents);
      week.priceCents = week.prices.size === 0 ? null : lowest(week.prices.values());
      return hadPrice || week.priceCents !== null;
    },
    save: () => saveWeeks([...weeks.values()]),
  };
}

function weekName({ setId, offer }: SetOffer): Pick<HeldWeek, 'itemId' | 'week'> {
  return { itemId: setId, week: weekOf(offer.observedAt) };
}

function nameOf(some: SetOffer): string {
  const { itemId, week } = weekName(some);
  return `${itemId} ${week}`;
}

function lookOf({ retailer, observedAt }: Pick<SetOffer['offer'], 'retailer' | 'observedAt'>) {
  return `${retailer} ${observedAt}`;
}

function lowest(prices: Iterable<number>): number {
  let low = Number.POSITIVE_INFINITY;
  for (const price of prices) if (price < low) low = price;
  return low;
}

function* loadWeeks(
  named: readonly SetOffer[],
  replaced: ReadonlySet<string>,
): Operation<HeldWeeks> {
  const names = new Map(named.map((some) => [nameOf(some), weekName(some)]));
  const keys = [...names.values()];
  const stored = yield* queryEach<{ itemId: number; week: number; priceCents: number }>(
    `SELECT item_id::float8 AS "itemId", week::float8 AS week, price_cents::float8 AS "priceCents"
     FROM source.retail_week WHERE item_id = r."itemId" AND week = r.week`,
    givenRows(tables.retailWeek, ['itemId', 'week'], keys),
  );
  const prices = new Map(
    stored.map(({ itemId, week, priceCents }) => [`${itemId} ${week}`, priceCents]),
  );
  const hold = (name: string, key: { itemId: number; week: number }): HeldWeek => {
    const priceCents = prices.get(name) ?? null;
    const own = replaced.has(name) ? new Map<string, number>() : null;
    return { ...key, storedCents: priceCents, priceCents, prices: own };
  };
  return new Map([...names].map(([name, key]) => [name, hold(name, key)]));
}

/** Goes through the offers of the weeks in which any is replaced. */
function* loadPrices(weeks: readonly HeldWeek[]): Operation<void> {
  const whole = weeks.filter((week) => week.prices !== null);
  // Naming the retailers lets both engines go straight to the week.
  const groups = yield* queryGroups<
    Pick<Offer, 'retailer' | 'observedAt'> & { priceCents: number }
  >(
    `SELECT retailer, observed_at::float8 AS "observedAt", price_cents::float8 AS "priceCents"
     FROM source.offer
     WHERE item_id = r.id AND retailer IN ('${retailers.join("', '")}')
       AND observed_at >= r.since AND observed_at < r.until
       AND price_cents IS NOT NULL AND in_stock AND seller_type = 'retailer'`,
    {
      types: { id: 'bigint', since: 'bigint', until: 'bigint' },
      rows: whole.map(({ itemId, week }) => ({
        id: itemId,
        since: weekStart(week),
        until: weekStart(week + 1),
      })),
    },
  );
  for (const [index, looks] of groups.entries()) {
    for (const look of looks) whole[index]?.prices?.set(lookOf(look), look.priceCents);
  }
}

function* saveWeeks(weeks: readonly HeldWeek[]): Operation<void> {
  const changed = weeks.filter(({ storedCents, priceCents }) => priceCents !== storedCents);
  const dropped = changed.filter(({ priceCents }) => priceCents === null);
  yield* runEach(
    `DELETE FROM source.retail_week AS old USING {rows}
     WHERE old.item_id = r."itemId" AND old.week = r.week`,
    givenRows(tables.retailWeek, ['itemId', 'week'], dropped),
  );
  yield* saveRows(
    tables.retailWeek,
    ['itemId', 'week', 'priceCents'],
    changed.filter(({ priceCents }) => priceCents !== null),
  );
}
