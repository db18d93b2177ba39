/** Retailers' offers on their way in. */

import { weekOf, weekStart } from '../../../domain/kernel/time.ts';
import type { MarketRow, RowOutcome } from '../../../domain/market/market-store.ts';
import type { Offer } from '../../../domain/market/source-rows.ts';
import { noItem } from '../../refusals.ts';
import { copyRows, runForRows } from '../bulk.ts';
import type { Connection } from '../client.ts';
import type { Batch } from './batch.ts';
import { loadRetailWeeks } from './retail-weeks.ts';

/** What a retailer asked for a set, known by its id. */
export interface SetOffer {
  readonly setId: number;
  readonly offer: Omit<Offer, 'setKey'>;
}

/** An offer while a batch is applied. */
interface HeldOffer extends SetOffer {
  readonly isStored: boolean;
  readonly isChanged: boolean;
}

/** Offers by set, retailer and instant. */
type HeldOffers = Map<string, HeldOffer>;

/** Reads what offers concern; then applies them. A second look at an instant replaces the first. */
export async function loadOfferRows(tx: Connection, rows: readonly MarketRow[], batch: Batch) {
  const { items, changes } = batch;
  const named = listNamed(rows, batch);
  const offers = await loadOffers(tx, named);
  const weeks = await loadRetailWeeks(tx, { named, replaced: listReplaced(named, offers) });
  return {
    apply(offer: Offer): RowOutcome {
      const setId = items.find('set', offer.setKey);
      if (setId === null) return noItem('set', offer.setKey);
      const name = nameOf({ setId, offer });
      const old = offers.get(name);
      if (old && isSame(old.offer, offer)) return { kind: 'unchanged' };
      offers.set(name, { setId, offer, isStored: old?.isStored ?? false, isChanged: true });
      const hasNewWeek = old ? weeks.replace({ setId, offer }) : weeks.add({ setId, offer });
      changes.touch(setId);
      // A week counts from its end on.
      if (hasNewWeek) changes.addAt(weekStart(weekOf(offer.observedAt) + 1));
      return { kind: old ? 'updated' : 'added' };
    },
    async save(): Promise<void> {
      const changed = [...offers.values()].filter((offer) => offer.isChanged);
      await saveOffers(tx, changed);
      await forgetStates(tx, changed);
      await weeks.save();
    },
  };
}

function nameOf({ setId, offer }: SetOffer): string {
  return `${setId} ${offer.retailer} ${offer.observedAt}`;
}

/** The offers of sets that are in the store already; there is nothing to read of others. */
function listNamed(rows: readonly MarketRow[], { items }: Batch): SetOffer[] {
  return rows.flatMap((row) => {
    const setId = row.kind === 'offer' ? items.get('set', row.offer.setKey) : null;
    return row.kind === 'offer' && setId !== null ? [{ setId, offer: row.offer }] : [];
  });
}

/** Those that say something else than what is there, or than another row of the batch. */
function listReplaced(named: readonly SetOffer[], offers: HeldOffers): SetOffer[] {
  const first = new Map<string, SetOffer['offer']>();
  return named.filter((some) => {
    const name = nameOf(some);
    const before = first.get(name) ?? offers.get(name)?.offer;
    if (before === undefined) first.set(name, some.offer);
    return before !== undefined && !isSame(before, some.offer);
  });
}

function isSame(a: SetOffer['offer'], b: SetOffer['offer']): boolean {
  return (
    a.priceCents === b.priceCents &&
    a.listPriceCents === b.listPriceCents &&
    a.sellerType === b.sellerType &&
    a.inStock === b.inStock &&
    a.asin === b.asin &&
    a.productUrl === b.productUrl &&
    a.lowestFbaCents === b.lowestFbaCents &&
    a.fbaSellers === b.fbaSellers &&
    a.buyBoxCents === b.buyBoxCents
  );
}

async function loadOffers(tx: Connection, named: readonly SetOffer[]): Promise<HeldOffers> {
  if (named.length === 0) return new Map();
  const stored = await tx.query<SetOffer['offer'] & { setId: number }>(
    `SELECT offer.* FROM unnest($1::bigint[], $2::text[], $3::bigint[]) AS named(id, retailer, at)
     CROSS JOIN LATERAL (
       SELECT item_id::float8 AS "setId", retailer, observed_at::float8 AS "observedAt",
         price_cents::float8 AS "priceCents", list_price_cents::float8 AS "listPriceCents",
         seller_type AS "sellerType", in_stock AS "inStock", asin, product_url AS "productUrl",
         lowest_fba_cents::float8 AS "lowestFbaCents", fba_sellers::float8 AS "fbaSellers",
         buy_box_cents::float8 AS "buyBoxCents"
       FROM source.offer
       WHERE item_id = named.id AND retailer = named.retailer AND observed_at = named.at
       LIMIT 1) AS offer`,
    [
      named.map(({ setId }) => setId),
      named.map(({ offer }) => offer.retailer),
      named.map(({ offer }) => offer.observedAt),
    ],
  );
  return new Map(
    stored.map(({ setId, ...offer }) => [
      nameOf({ setId, offer }),
      { setId, offer, isStored: true, isChanged: false },
    ]),
  );
}

const offerColumns = [
  'item_id',
  'retailer',
  'observed_at',
  'price_cents',
  'list_price_cents',
  'seller_type',
  'in_stock',
  'asin',
  'product_url',
  'lowest_fba_cents',
  'fba_sellers',
  'buy_box_cents',
];

function offerCells({ setId, offer }: SetOffer) {
  return [
    setId,
    offer.retailer,
    offer.observedAt,
    offer.priceCents,
    offer.listPriceCents,
    offer.sellerType,
    offer.inStock,
    offer.asin,
    offer.productUrl,
    offer.lowestFbaCents,
    offer.fbaSellers,
    offer.buyBoxCents,
  ];
}

async function saveOffers(tx: Connection, offers: readonly HeldOffer[]): Promise<void> {
  await copyRows(
    tx,
    { name: 'source.offer', columns: offerColumns },
    offers.filter((offer) => !offer.isStored).map(offerCells),
  );
  await runForRows(
    tx,
    `UPDATE source.offer SET price_cents = r."priceCents", list_price_cents = r."listPriceCents",
       seller_type = r."sellerType", in_stock = r."inStock", asin = r.asin,
       product_url = r."productUrl", lowest_fba_cents = r."lowestFbaCents",
       fba_sellers = r."fbaSellers", buy_box_cents = r."buyBoxCents"
     FROM json_to_recordset($1::text::json) AS r("setId" bigint, retailer text,
       "observedAt" bigint, "priceCents" bigint, "listPriceCents" bigint, "sellerType" text,
       "inStock" boolean, asin text, "productUrl" text, "lowestFbaCents" bigint,
       "fbaSellers" bigint, "buyBoxCents" bigint)
     WHERE offer.item_id = r."setId" AND offer.retailer = r.retailer
       AND offer.observed_at = r."observedAt"`,
    offers.filter((some) => some.isStored).map(({ setId, offer }) => ({ ...offer, setId })),
  );
}

/** A look that was made before one that is folded in already changes what came after it. */
async function forgetStates(tx: Connection, offers: readonly HeldOffer[]): Promise<void> {
  const earliest = new Map<string, { setId: number; retailer: string; at: number }>();
  for (const { setId, offer } of offers) {
    const { retailer, observedAt } = offer;
    const name = `${setId} ${retailer}`;
    const at = Math.min(observedAt, earliest.get(name)?.at ?? observedAt);
    earliest.set(name, { setId, retailer, at });
  }
  await runForRows(
    tx,
    `DELETE FROM source.retail_state AS state
     USING json_to_recordset($1::text::json) AS r("setId" bigint, retailer text, at bigint)
     WHERE state.item_id = r."setId" AND state.retailer = r.retailer AND state.checked_at >= r.at`,
    [...earliest.values()],
  );
}
