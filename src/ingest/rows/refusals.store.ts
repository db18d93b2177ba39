/** Reasons to reject a row that refers to missing data; the same on both engines. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { RowOutcome } from '../../market/source-rows/market-ingest.ts';

export function noItem(kind: ItemKind, key: string): RowOutcome {
  return missing(`${kind} '${key}' is not in the catalog`);
}

/** A source that only adds details describes a set that no other source names. */
export function noNamedSet(key: string): RowOutcome {
  return missing(`set '${key}' is not in the catalog; this source only adds details to known sets`);
}

/** A source would remove the only name of a set. */
export function onlyName(key: string): RowOutcome {
  return missing(`only this source names set '${key}', so it needs a title and a theme`);
}

/** A retraction names a sale that does not exist. */
export function noSale({ source, sourceId }: { source: string; sourceId: string }): RowOutcome {
  return missing(`source '${source}' has no sale '${sourceId}'`);
}

function missing(reason: string): RowOutcome {
  return { kind: 'rejected', reason, missing: true };
}
