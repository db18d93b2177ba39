/** Why a row is refused that refers to what is not there: the same words on every engine. */
import type { RowOutcome } from '../domain/market-store.ts';
import type { ItemKind } from '../domain/numbers.ts';
import { formatDay } from '../domain/time.ts';

/** There is no item under this number. */
export function noItem(kind: ItemKind, key: string): RowOutcome {
  return missing(`there is no ${kind} '${key}'`);
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
