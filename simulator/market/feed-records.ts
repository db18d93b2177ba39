/** Simulated rows as records of the feed. */

import type { Box, MinifigFacts, SetDescription } from '../../src/catalog/items/catalog.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { toUsd } from '../../src/kernel/money.ts';
import { formatInstant } from '../../src/kernel/time.ts';
import type { MarketRow } from '../../src/market/source-rows/market-ingest.ts';
import type {
  ExchangeRate,
  ListingCount,
  Offer,
  PartOutValue,
  Sale,
} from '../../src/market/source-rows/source-rows.ts';
import { detailFields } from '../../src/portfolio/lots/lot-fields.ts';
import type { BrickfolioFacts, GivenLot, LedgerSaleFacts } from '../../src/portfolio/lots/lots.ts';
import { numberFields } from '../../src/portfolio/lots/lots.ts';

export function marketRecord(row: MarketRow): JsonObject {
  switch (row.kind) {
    case 'set':
      return setRecord(row.facts);
    case 'minifig':
      return minifigRecord(row.facts);
    case 'sale':
      return saleRecord(row.sale);
    case 'retract':
      return retractRecord(row);
    case 'offer':
      return offerRecord(row.offer);
    case 'listings':
      return listingsRecord(row.listings);
    case 'part_out':
      return partOutRecord(row.partOut);
    case 'fx':
      return rateRecord(row.rate);
  }
}

export function setRecord(facts: SetDescription): JsonObject {
  return {
    kind: 'set',
    set_number: facts.number,
    title: facts.title,
    theme: facts.theme,
    subtheme: known(facts.subtheme),
    pieces: known(facts.pieces),
    year: known(facts.year),
    minifigs: known(facts.minifigs),
    minifigs_count: known(facts.minifigsCount),
    upc: known(facts.upc),
    ean: known(facts.ean),
    msrp_usd: usd(facts.msrpCents),
    release_date: known(facts.releaseDate),
    retire_date: known(facts.retireDate),
    image_url: known(facts.imageUrl),
    box: facts.box ? boxFields(facts.box) : undefined,
  };
}

function boxFields(box: Box): Record<string, unknown> {
  return {
    width_in: known(box.widthIn),
    height_in: known(box.heightIn),
    depth_in: known(box.depthIn),
    weight_lbs: known(box.weightLbs),
  };
}

function minifigRecord(facts: MinifigFacts): JsonObject {
  return {
    kind: 'minifig',
    minifig_number: facts.number,
    name: facts.name,
    category: known(facts.category),
    color: known(facts.color),
    year_released: known(facts.yearReleased),
    image_url: known(facts.imageUrl),
    aliases: facts.aliases.length > 0 ? facts.aliases : undefined,
  };
}

export function saleRecord(sale: Sale): JsonObject {
  return {
    kind: 'sale',
    source: sale.source,
    source_id: sale.sourceId,
    item_type: sale.itemKind,
    item: sale.itemKey,
    condition: sale.condition,
    price: usd(sale.priceCents),
    shipping: sale.shippingCents > 0 ? usd(sale.shippingCents) : undefined,
    currency: sale.currency === 'USD' ? undefined : sale.currency,
    quantity: sale.quantity === 1 ? undefined : sale.quantity,
    sold_at: formatInstant(sale.soldAt),
    channel: known(sale.channel),
    seller: known(sale.seller),
    completeness: known(sale.completeness),
  };
}

export function retractRecord(sale: Pick<Sale, 'source' | 'sourceId'>): JsonObject {
  return { kind: 'retract', source: sale.source, source_id: sale.sourceId };
}

/** A price of null is written, because it means that there was no offer. */
export function offerRecord(offer: Offer): JsonObject {
  return {
    kind: 'offer',
    retailer: offer.retailer,
    set_number: offer.setKey,
    observed_at: formatInstant(offer.observedAt),
    price: usd(offer.priceCents) ?? null,
    list_price: usd(offer.listPriceCents),
    seller_type: known(offer.sellerType),
    in_stock: known(offer.inStock),
    asin: known(offer.asin),
    product_url: known(offer.productUrl),
    lowest_fba: usd(offer.lowestFbaCents),
    fba_sellers: known(offer.fbaSellers),
    buy_box: usd(offer.buyBoxCents),
  };
}

function listingsRecord(count: ListingCount): JsonObject {
  return {
    kind: 'listings',
    item_type: count.itemKind,
    item: count.itemKey,
    condition: count.condition,
    channel: count.channel,
    observed_at: formatInstant(count.observedAt),
    units: count.units,
    lowest_price: usd(count.lowestCents),
    currency: count.currency === 'USD' ? undefined : count.currency,
  };
}

function partOutRecord(value: PartOutValue): JsonObject {
  return {
    kind: 'part_out',
    set_number: value.setKey,
    condition: value.condition,
    source: value.source,
    observed_at: formatInstant(value.observedAt),
    amount: usd(value.amountCents),
    currency: value.currency === 'USD' ? undefined : value.currency,
    lots: known(value.lots),
    units: known(value.units),
  };
}

export function rateRecord(rate: ExchangeRate): JsonObject {
  return {
    kind: 'fx',
    date: rate.date,
    currency: rate.currency,
    usd_per_unit: rate.usdPerUnit,
  };
}

export function brickfolioRecord(account: string, facts: BrickfolioFacts): JsonObject {
  return {
    kind: 'brickfolio',
    account,
    name: facts.name,
    description: known(facts.description),
    is_default: facts.isDefault,
  };
}

export function holdingRecord(account: string, facts: GivenLot): JsonObject {
  return {
    kind: 'holding',
    account,
    source_id: facts.sourceId,
    brickfolio: facts.brickfolio,
    ...numberFields(facts),
    quantity: facts.quantity,
    condition: facts.condition,
    purchase_price_usd: usd(facts.priceCents),
    purchase_date: facts.purchaseDate,
    status: facts.status,
    ...detailsOf(facts),
  };
}

/** Only those that are known. */
function detailsOf(facts: GivenLot): Record<string, unknown> {
  const known = detailFields.flatMap(({ field, wire, kind }) => {
    const value = facts[field];
    if (value === null || value === undefined) return [];
    if (kind === 'money') return [[wire, usd(Number(value))]];
    return [[wire, kind === 'own' ? JSON.parse(String(value)) : value]];
  });
  return Object.fromEntries(known);
}

export function ledgerSaleRecord(account: string, facts: LedgerSaleFacts): JsonObject {
  return {
    kind: 'ledger_sale',
    account,
    source_id: facts.sourceId,
    ...numberFields(facts),
    platform: facts.platform,
    sale_date: facts.saleDate,
    quantity: facts.quantity,
    gross_proceeds_usd: usd(facts.grossCents),
    platform_fees_usd: usd(facts.platformFeesCents),
    payment_fees_usd: usd(facts.paymentFeesCents),
    shipping_cost_usd: usd(facts.shippingCents),
    condition: facts.condition,
    cost_basis_usd: usd(facts.costCents),
    lot: known(facts.lot),
  };
}

/** Unknown values are omitted. */
function known<T>(value: T | null): T | undefined {
  return value ?? undefined;
}

function usd(cents: number | null): number | undefined {
  return cents === null ? undefined : toUsd(cents);
}
