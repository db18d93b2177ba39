/** Why a row is refused that refers to what is not there: the same words on every engine. */

import type { ItemKind } from '../../../domain/catalog/numbers.ts';
import { dayText } from '../../../domain/kernel/format.ts';
import { formatDay } from '../../../domain/kernel/time.ts';
import type { RowOutcome } from '../../../domain/market/market-ingest.ts';

/** There is no item under this number. */
export function noItem(kind: ItemKind, key: string): RowOutcome {
  return missing(`${kind} '${key}' is not in the catalog`);
}

/** A source describes a set without naming it, and nobody else has named it. */
export function noNamedSet(key: string): RowOutcome {
  return missing(`set '${key}' is not in the catalog; this source only adds details to known sets`);
}

/** A source takes back the only name that a set has. */
export function onlyName(key: string): RowOutcome {
  return missing(`only this source names set '${key}', so it needs a title and a theme`);
}

/** What was paid cannot be told in dollars. */
export function noRate(currency: string, soldAt: number): RowOutcome {
  return missing(
    `there is no ${currency} exchange rate on or before ${dayText(formatDay(soldAt))}`,
  );
}

/** There is no sale that could be taken back. */
export function noSale({ source, sourceId }: { source: string; sourceId: string }): RowOutcome {
  return missing(`source '${source}' has no sale '${sourceId}'`);
}

function missing(reason: string): RowOutcome {
  return { kind: 'rejected', reason, missing: true };
}
