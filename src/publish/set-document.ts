/** Documents of a set: the record and the search result. */

import { releaseYear, type SetFacts } from '../catalog/items/catalog.ts';
import { type Lifetime, statusAt } from '../catalog/items/status.ts';
import type { SetSearchResult } from '../contract/catalog.ts';
import type { RetailerSummary, SetRecord } from '../contract/set.ts';
import { toUsd, toUsdOrNull } from '../kernel/money.ts';
import { formatInstant } from '../kernel/time.ts';
import type { ItemInputs } from '../market/published/publishing.ts';
import { type RetailerPrice, summarizeRetail } from '../market/retail/retail.ts';
import type { RetailStates } from '../market/retail/retail-state.ts';
import type { Retailer } from '../market/source-rows/source-rows.ts';
import type { SetValuation } from '../market/values/estimator.ts';

export type RetailerNames = Readonly<Record<Retailer, string>>;

export function setDocument(
  inputs: ItemInputs,
  details: {
    readonly facts: SetFacts;
    readonly lifetime: Lifetime;
    readonly valuation: SetValuation;
    readonly retail: RetailStates;
    readonly names: RetailerNames;
    readonly at: number;
  },
): SetRecord {
  const { facts, lifetime, valuation, at } = details;
  const status = statusAt(lifetime, at);
  const { sealed, used } = valuation;
  return {
    set_number: inputs.number,
    title: facts.title,
    theme: facts.theme,
    subtheme: facts.subtheme,
    pieces: facts.pieces,
    minifigs_count: facts.minifigsCount ?? inputs.related.length,
    minifigs: [...inputs.related],
    barcodes: { upc: facts.upc, ean: facts.ean },
    msrp_usd: toUsdOrNull(facts.msrpCents),
    release_date: facts.releaseDate,
    retire_date: status === 4 ? lifetime.lastDay : null,
    status_id: status,
    data_tier: valuation.tier,
    image_url: facts.imageUrl,
    new_value_usd: toUsdOrNull(sealed?.valueCents ?? null),
    used_value_usd: toUsdOrNull(used?.valueCents ?? null),
    value_range: sealed && {
      low: toUsd(sealed.lowCents),
      high: toUsd(sealed.highCents),
      calculated_at: formatInstant(at),
    },
    retailers: summarizeRetail(details.retail, facts.msrpCents).map((price) =>
      retailerSummary(price, details.names),
    ),
    box: {
      width_in: facts.box?.widthIn ?? null,
      height_in: facts.box?.heightIn ?? null,
      depth_in: facts.box?.depthIn ?? null,
      weight_lbs: facts.box?.weightLbs ?? null,
    },
  };
}

function retailerSummary(price: RetailerPrice, names: RetailerNames): RetailerSummary {
  return {
    retailer: price.retailer,
    retailer_name: names[price.retailer],
    current_price: toUsd(price.priceCents),
    list_price: toUsd(price.listPriceCents),
    discount_percent: price.discountPercent,
    in_stock: price.inStock,
    is_first_party: price.isFirstParty,
    product_url: price.productUrl,
    last_checked_at: formatInstant(price.lastCheckedAt),
  };
}

export function setSearchResult(
  number: string,
  set: { readonly facts: SetFacts; readonly lifetime: Lifetime; readonly at: number },
): SetSearchResult {
  const { facts, lifetime, at } = set;
  return {
    set_number: number,
    title: facts.title,
    theme: facts.theme,
    subtheme: facts.subtheme,
    pieces: facts.pieces,
    year: releaseYear(facts),
    retired: statusAt(lifetime, at) === 4,
    image_url: facts.imageUrl,
  };
}
