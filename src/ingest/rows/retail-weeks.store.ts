/**
 * The retailers' own lowest price of each week, in US dollars. It always equals the minimum over
 * the week's offers, in whatever order they and their exchange rates arrive: a new offer can only
 * lower it, and for a replaced one or another rate all offers of the week are read again.
 */

import { at } from '../../kernel/at.ts';
import { weekOf, weekStart } from '../../kernel/time.ts';
import { type DollarOffer, offerInDollars } from '../../market/rates/exchange.ts';
import { loadRateBook } from '../../market/rates/rates.store.ts';
import { lookTimes } from '../../market/retail/offer-runs.ts';
import { type RunRow, toRun } from '../../market/retail/offer-weeks.store.ts';
import { ByItem } from '../../market/source-rows/by-item.store.ts';
import { type Offer, ownPriceCents, retailers } from '../../market/source-rows/source-rows.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';

/** The week of a set while a batch is applied. */
interface HeldWeek {
  readonly itemId: number;
  readonly week: number;
  storedCents: number | null;
  priceCents: number | null;
  /** All prices of the week by `lookKey`; null if no offer of the week is replaced. */
  prices: Map<number, number> | null;
}

/** Identifies an observation of one set. */
export function lookKey(retailer: Offer['retailer'], observedAt: number): number {
  return observedAt * retailers.length + retailers.indexOf(retailer);
}

/** An observation in US dollars. */
export type PricedLook = Pick<
  DollarOffer,
  'retailer' | 'observedAt' | 'priceCents' | 'sellerType' | 'inStock'
>;

/** An observation without a price, for one that is removed or waits for an exchange rate. */
export function unpriced(look: Pick<Offer, 'retailer' | 'observedAt'>): PricedLook {
  const { retailer, observedAt } = look;
  return { retailer, observedAt, priceCents: null, sellerType: null, inStock: null };
}

interface NamedLook {
  readonly itemId: number;
  readonly observedAt: number;
}

/** Loads the weeks of observations, with all prices where offers are replaced. */
export function* loadRetailWeeks(looks: readonly NamedLook[], replaced: readonly NamedLook[]) {
  const weeks = new ByItem<number, HeldWeek>();
  const weekFor = ({ itemId, observedAt }: NamedLook, isWhole: boolean): HeldWeek => {
    const week = weekOf(observedAt);
    return weeks.getOrMake(itemId, week, () => {
      const prices = isWhole ? new Map<number, number>() : null;
      return { itemId, week, storedCents: null, priceCents: null, prices };
    });
  };
  for (const look of replaced) weekFor(look, true);
  for (const look of looks) weekFor(look, false);
  yield* loadWeeks(weeks.list());
  yield* loadPrices(weeks.list().filter(({ prices }) => prices !== null));
  // A week that was not loaded belongs to a set this batch added, so it has no other prices.
  const heldWeek = (itemId: number, { observedAt }: PricedLook) =>
    weekFor({ itemId, observedAt }, true);

  return {
    /** Adds an offer; returns whether the week's price changed. */
    add(itemId: number, offer: PricedLook): boolean {
      const priceCents = ownPriceCents(offer);
      if (priceCents === null) return false;
      const week = heldWeek(itemId, offer);
      week.prices?.set(lookKey(offer.retailer, offer.observedAt), priceCents);
      if (week.priceCents !== null && week.priceCents <= priceCents) return false;
      week.priceCents = priceCents;
      return true;
    },
    /** Replaces an offer; returns whether the week's price may have changed. */
    replace(itemId: number, offer: PricedLook): boolean {
      const week = heldWeek(itemId, offer);
      if (week.prices === null) throw new Error('The prices of a week were not looked up.');
      const hadPrice = week.priceCents !== null;
      const priceCents = ownPriceCents(offer);
      if (priceCents === null) week.prices.delete(lookKey(offer.retailer, offer.observedAt));
      else week.prices.set(lookKey(offer.retailer, offer.observedAt), priceCents);
      week.priceCents = lowestOf(week);
      return hadPrice || week.priceCents !== null;
    },
    /** After rates changed; returns whether the week's price changed. */
    refresh(itemId: number, observedAt: number): boolean {
      const week = weekFor({ itemId, observedAt }, true);
      week.priceCents = lowestOf(week);
      return week.priceCents !== week.storedCents;
    },
    save: () => saveWeeks(weeks.list()),
  };
}

/** Null without a price. */
function lowestOf({ prices }: HeldWeek): number | null {
  let low = Number.POSITIVE_INFINITY;
  for (const price of prices?.values() ?? []) if (price < low) low = price;
  return low === Number.POSITIVE_INFINITY ? null : low;
}

function* loadWeeks(weeks: readonly HeldWeek[]): db.Operation<void> {
  const groups = yield* db.queryGroups<{ priceCents: number }>(
    `SELECT price_cents::float8 AS "priceCents" FROM source.retail_week
     WHERE item_id = r."itemId" AND week = r.week`,
    db.givenRows(tables.retailWeek, ['itemId', 'week'], weeks),
  );
  for (const [index, week] of weeks.entries()) {
    const [stored] = at(groups, index);
    week.storedCents = stored?.priceCents ?? null;
    week.priceCents = week.storedCents;
  }
}

/** Loads all prices of the weeks with replaced offers or other rates. */
function* loadPrices(weeks: readonly HeldWeek[]): db.Operation<void> {
  // With the retailers, the condition matches the primary key on both engines.
  const groups = yield* db.queryGroups<RunRow & Pick<Offer, 'retailer'>>(
    `SELECT ${columnsOf(tables.offer, 'o')} FROM source.offer AS o
     WHERE o.item_id = r.id AND o.retailer IN ('${retailers.join("', '")}')
       AND o.observed_at >= r.since AND o.observed_at < r.until
       AND o.price_cents IS NOT NULL AND o.in_stock AND o.seller_type = 'retailer'`,
    {
      types: { id: 'bigint', since: 'bigint', until: 'bigint' },
      rows: weeks.map(({ itemId, week }) => ({
        id: itemId,
        since: weekStart(week),
        until: weekStart(week + 1),
      })),
    },
  );
  const foreign = groups.map((group) => group.filter(({ currency }) => currency !== 'USD'));
  const convert = yield* loadConversion(foreign.flat());
  for (const [index, runs] of groups.entries()) {
    for (const run of runs) {
      const cents = ownPriceCents(convert(run));
      if (cents === null) continue;
      for (const time of lookTimes(toRun(run))) {
        weeks[index]?.prices?.set(lookKey(run.retailer, time), cents);
      }
    }
  }
}

/** Converts offers, by the rates in the store, to US dollars; one that waits has no price. */
export function* loadConversion(
  offers: readonly Pick<Offer, 'currency' | 'observedAt'>[],
): db.Operation<(offer: Omit<Offer, 'setKey'>) => PricedLook> {
  const book = yield* loadRateBook(
    offers.map(({ currency, observedAt: at }) => ({ currency, at })),
  );
  return (offer) => {
    const { currency, observedAt: at } = offer;
    if (currency === 'USD') return offer;
    const rate = book.find({ currency, at });
    return offerInDollars(offer, rate?.usdPerUnit ?? null) ?? unpriced(offer);
  };
}

function* saveWeeks(weeks: readonly HeldWeek[]): db.Operation<void> {
  const changed = weeks.filter(({ storedCents, priceCents }) => priceCents !== storedCents);
  const dropped = changed.filter(({ priceCents }) => priceCents === null);
  yield* db.deleteEach(tables.retailWeek, dropped);
  yield* db.saveRows(
    tables.retailWeek,
    changed.filter(({ priceCents }) => priceCents !== null),
  );
}
