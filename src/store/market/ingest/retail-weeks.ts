/**
 * Retailers' own lowest price of each week. It is always what the offers of the week say, however
 * those arrived: a new offer can only lower it, and a replaced one has its week gone through again.
 */
import { weekOf, weekStart } from '../../../domain/kernel/time.ts';
import { type Offer, ownPriceCents, retailers } from '../../../domain/market/source-rows.ts';
import { givenRows, type Operation, queryGroups, runEach, saveRows } from '../../sql/operation.ts';
import { tables } from '../../sql/tables.ts';
import { ByItem } from './by-item.ts';

/** The week of a set while a batch is applied. */
interface HeldWeek {
  readonly itemId: number;
  readonly week: number;
  storedCents: number | null;
  priceCents: number | null;
  /** All own prices, by look; null when no offer of the week is replaced. */
  prices: Map<number, number> | null;
}

/** Tells the looks at one set apart. */
export function lookKey(retailer: Offer['retailer'], observedAt: number): number {
  return observedAt * retailers.length + retailers.indexOf(retailer);
}

/** What a week takes from an offer. */
type PricedLook = Pick<Offer, 'retailer' | 'observedAt' | 'priceCents' | 'sellerType' | 'inStock'>;

/** A look at a set in the store. */
interface NamedLook {
  readonly itemId: number;
  readonly observedAt: number;
}

/** Reads the weeks of looks, whole where offers are replaced; then keeps them up with offers. */
export function* loadRetailWeeks(looks: readonly NamedLook[], replaced: readonly NamedLook[]) {
  const weeks = new ByItem<number, HeldWeek>();
  const weekFor = ({ itemId, observedAt }: NamedLook, isWhole: boolean): HeldWeek => {
    const week = weekOf(observedAt);
    const known = weeks.get(itemId, week);
    if (known) return known;
    const prices = isWhole ? new Map<number, number>() : null;
    const held = { itemId, week, storedCents: null, priceCents: null, prices };
    weeks.set(itemId, week, held);
    return held;
  };
  for (const look of replaced) weekFor(look, true);
  for (const look of looks) weekFor(look, false);
  yield* loadWeeks(weeks.list());
  yield* loadPrices(weeks.list().filter(({ prices }) => prices !== null));
  // A week that was not read is one of a set that the batch itself has added: it is whole.
  const heldWeek = (itemId: number, { observedAt }: PricedLook) =>
    weekFor({ itemId, observedAt }, true);

  return {
    /** An offer was added; whether that changed its week. */
    add(itemId: number, offer: PricedLook): boolean {
      const priceCents = ownPriceCents(offer);
      if (priceCents === null) return false;
      const week = heldWeek(itemId, offer);
      week.prices?.set(lookKey(offer.retailer, offer.observedAt), priceCents);
      if (week.priceCents !== null && week.priceCents <= priceCents) return false;
      week.priceCents = priceCents;
      return true;
    },
    /** An offer says something else than before; whether that may have changed its week. */
    replace(itemId: number, offer: PricedLook): boolean {
      const week = heldWeek(itemId, offer);
      if (week.prices === null) throw new Error('The prices of a week were not looked up.');
      const hadPrice = week.priceCents !== null;
      const priceCents = ownPriceCents(offer);
      if (priceCents === null) week.prices.delete(lookKey(offer.retailer, offer.observedAt));
      else week.prices.set(lookKey(offer.retailer, offer.observedAt), priceCents);
      week.priceCents = week.prices.size === 0 ? null : lowest(week.prices.values());
      return hadPrice || week.priceCents !== null;
    },
    save: () => saveWeeks(weeks.list()),
  };
}

function lowest(prices: Iterable<number>): number {
  let low = Number.POSITIVE_INFINITY;
  for (const price of prices) if (price < low) low = price;
  return low;
}

function* loadWeeks(weeks: readonly HeldWeek[]): Operation<void> {
  const groups = yield* queryGroups<{ priceCents: number }>(
    `SELECT price_cents::float8 AS "priceCents" FROM source.retail_week
     WHERE item_id = r."itemId" AND week = r.week`,
    givenRows(tables.retailWeek, ['itemId', 'week'], weeks),
  );
  for (const [index, week] of weeks.entries()) {
    const [stored] = groups[index] ?? [];
    week.storedCents = stored?.priceCents ?? null;
    week.priceCents = week.storedCents;
  }
}

/** Goes through the offers of the weeks in which any is replaced. */
function* loadPrices(weeks: readonly HeldWeek[]): Operation<void> {
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
      rows: weeks.map(({ itemId, week }) => ({
        id: itemId,
        since: weekStart(week),
        until: weekStart(week + 1),
      })),
    },
  );
  for (const [index, looks] of groups.entries()) {
    for (const { retailer, observedAt, priceCents } of looks) {
      weeks[index]?.prices?.set(lookKey(retailer, observedAt), priceCents);
    }
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
