/**
 * Retailers' own lowest price of each week. It is always what the offers of the week say, however
 * those arrived: a new offer can only lower it, and a replaced one has its week gone through again.
 */

import { weekOf, weekStart } from '../../../domain/kernel/time.ts';
import { ownPriceCents, retailers } from '../../../domain/market/source-rows.ts';
import { runForRows } from '../bulk.ts';
import type { Connection } from '../client.ts';
import type { SetOffer } from './offer-rows.ts';

/** The week of a set while a batch is applied. */
interface HeldWeek {
  readonly setId: number;
  readonly week: number;
  readonly storedCents: number | null;
  priceCents: number | null;
  /** All own prices, by retailer and instant; null when no offer of the week is replaced. */
  readonly prices: Map<string, number> | null;
}

/** Weeks by set and week. */
type HeldWeeks = Map<string, HeldWeek>;

/** Reads the weeks of offers, whole where offers are replaced; then keeps them up with offers. */
export async function loadRetailWeeks(
  tx: Connection,
  { named, replaced }: { named: readonly SetOffer[]; replaced: readonly SetOffer[] },
) {
  const weeks = await loadWeeks(tx, named, new Set(replaced.map(nameOf)));
  await loadPrices(tx, weeks);

  /** A week that was not read is one of a set that the batch itself has added. */
  const weekFor = (some: SetOffer): HeldWeek => {
    const known = weeks.get(nameOf(some));
    if (known) return known;
    const key = { setId: some.setId, week: weekOf(some.offer.observedAt) };
    const week = { ...key, storedCents: null, priceCents: null, prices: new Map() };
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
    save: () => saveWeeks(tx, [...weeks.values()]),
  };
}

function nameOf({ setId, offer }: SetOffer): string {
  return `${setId} ${weekOf(offer.observedAt)}`;
}

function lookOf({ retailer, observedAt }: Pick<SetOffer['offer'], 'retailer' | 'observedAt'>) {
  return `${retailer} ${observedAt}`;
}

function lowest(prices: Iterable<number>): number {
  let low = Number.POSITIVE_INFINITY;
  for (const price of prices) if (price < low) low = price;
  return low;
}

async function loadWeeks(
  tx: Connection,
  named: readonly SetOffer[],
  replaced: ReadonlySet<string>,
): Promise<HeldWeeks> {
  const wanted = new Map(
    named.map((some) => [nameOf(some), { setId: some.setId, week: weekOf(some.offer.observedAt) }]),
  );
  if (wanted.size === 0) return new Map();
  const keys = [...wanted.values()];
  const stored = await tx.query<{ setId: number; week: number; priceCents: number }>(
    `SELECT item_id::float8 AS "setId", week, price_cents::float8 AS "priceCents"
     FROM unnest($1::bigint[], $2::integer[]) AS wanted(id, number)
     CROSS JOIN LATERAL (
       SELECT item_id, week, price_cents FROM source.retail_week
       WHERE item_id = wanted.id AND week = wanted.number LIMIT 1) AS stored`,
    [keys.map(({ setId }) => setId), keys.map(({ week }) => week)],
  );
  const prices = new Map(
    stored.map(({ setId, week, priceCents }) => [`${setId} ${week}`, priceCents]),
  );
  const hold = (name: string, key: { setId: number; week: number }): HeldWeek => {
    const priceCents = prices.get(name) ?? null;
    const own = replaced.has(name) ? new Map<string, number>() : null;
    return { ...key, storedCents: priceCents, priceCents, prices: own };
  };
  return new Map([...wanted].map(([name, key]) => [name, hold(name, key)]));
}

/** Goes through the offers of the weeks in which any is replaced. */
async function loadPrices(tx: Connection, weeks: HeldWeeks): Promise<void> {
  const whole = [...weeks.values()].filter((week) => week.prices !== null);
  if (whole.length === 0) return;
  const found = await tx.query<{
    setId: number;
    week: number;
    retailer: SetOffer['offer']['retailer'];
    observedAt: number;
    priceCents: number;
  }>(
    `SELECT wanted.id::float8 AS "setId", wanted.number AS week, retailer,
       observed_at::float8 AS "observedAt", price_cents::float8 AS "priceCents"
     FROM unnest($1::bigint[], $2::integer[], $3::bigint[], $4::bigint[])
       AS wanted(id, number, since, until)
     CROSS JOIN LATERAL (
       SELECT retailer, observed_at, price_cents FROM source.offer
       WHERE item_id = wanted.id AND retailer = ANY($5::text[])
         AND observed_at >= wanted.since AND observed_at < wanted.until
         AND price_cents IS NOT NULL AND in_stock AND seller_type = 'retailer'
       OFFSET 0) AS own`,
    [
      whole.map(({ setId }) => setId),
      whole.map(({ week }) => week),
      whole.map(({ week }) => weekStart(week)),
      whole.map(({ week }) => weekStart(week + 1)),
      retailers,
    ],
  );
  for (const { setId, week, priceCents, ...look } of found) {
    weeks.get(`${setId} ${week}`)?.prices?.set(lookOf(look), priceCents);
  }
}

async function saveWeeks(tx: Connection, weeks: readonly HeldWeek[]): Promise<void> {
  const changed = weeks
    .filter(({ storedCents, priceCents }) => priceCents !== storedCents)
    .map(({ setId, week, priceCents }) => ({ setId, week, priceCents }));
  await runForRows(
    tx,
    `DELETE FROM source.retail_week AS old
     USING json_to_recordset($1::text::json) AS r("setId" bigint, week integer)
     WHERE old.item_id = r."setId" AND old.week = r.week`,
    changed.filter(({ priceCents }) => priceCents === null),
  );
  await runForRows(
    tx,
    `INSERT INTO source.retail_week (item_id, week, price_cents)
     SELECT "setId", week, "priceCents" FROM json_to_recordset($1::text::json)
       AS r("setId" bigint, week integer, "priceCents" bigint)
     ON CONFLICT (item_id, week) DO UPDATE SET price_cents = excluded.price_cents`,
    changed.filter(({ priceCents }) => priceCents !== null),
  );
}
