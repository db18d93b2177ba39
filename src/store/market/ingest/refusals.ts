/** Why a row is refused that refers to what is not there: the same words on every engine. */

import type { ItemKind } from '../../../domain/catalog/numbers.ts';
import { formatDay } from '../../../domain/kernel/time.ts';
import type { RowOutcome } from '../../../domain/market/market-ingest.ts';

/** There is no item under this number. */
export function noItem(kind: ItemKind, key: string): RowOutcome {
  return missing(`there is no ${kind} '${key}'`);
}

/** A source describes a set without naming it, and nobody else has named it. */
export function noNamedSet(key: string): RowOutcome {
  return missing(`there is no set '${key}'; this source only adds to sets that others name`);
}

/** A source takes back the only name that a set has. */
export function onlyName(key: string): RowOutcome {
  return missing(`set '${key}' is named by this source alone; it needs a title and a theme`);
}

/** What was paid cannot be told in dollars. */
export function noRate(currency: string, soldAt: number): RowOutcome {
  return missing(`there is no ${currency} exchange rate on or before ${formatDay(soldAt)}`);
}

/** There is no sale that could be taken back. */
export function noSale({ source, sourceId }: { source: string; sourceId: string }): RowOutcome {
  return missing(`there is no sale '${sourceId}' of source '${source}'`);
}

function missing(reason: string): RowOutcome {
  return { kind: 'rejected', reason, missing: true };
}
