/** Documents of a minifig: the record and the search result. */

import type { MinifigFacts } from '../catalog/items/catalog.ts';
import type { MinifigSearchResult } from '../contract/catalog.ts';
import type { MinifigRecord } from '../contract/minifig.ts';
import { toUsd, toUsdOrNull } from '../kernel/money.ts';
import type { ItemInputs } from '../market/published/publishing.ts';
import type { Value } from '../market/values/estimator.ts';

export function minifigDocument(
  inputs: Pick<ItemInputs, 'number' | 'related'>,
  facts: MinifigFacts,
  value: Value | null,
): MinifigRecord {
  return {
    minifig_number: inputs.number,
    name: facts.name,
    category: facts.category,
    ...(facts.color === null ? {} : { color: facts.color }),
    year_released: facts.yearReleased,
    image_url: facts.imageUrl,
    current_value_usd: toUsdOrNull(value?.valueCents ?? null),
    value_range: value && { low: toUsd(value.lowCents), high: toUsd(value.highCents) },
    set_count: inputs.related.length,
    sets: [...inputs.related],
  };
}

export function minifigSearchResult(number: string, facts: MinifigFacts): MinifigSearchResult {
  return {
    minifig_number: number,
    name: facts.name,
    category: facts.category,
    year_released: facts.yearReleased,
    image_url: facts.imageUrl,
  };
}
