/** What the readers of private files make of a row, before anything is looked up. */
import type { Condition } from '../../domain/market/source-rows.ts';
import type { LooseMoney } from '../loose.ts';
import type { Place, Refusal } from '../placed.ts';

/** A lot as a file tells it. */
export interface LotDraft extends Place {
  /** Names the lot by itself; or only the source, where rows have no names of their own. */
  readonly id: { readonly own: string } | { readonly source: string };
  readonly number: string;
  readonly quantity: number;
  readonly condition: Condition;
  /** What one unit cost; null when the file does not tell. */
  readonly price: LooseMoney | null;
  /** The day of purchase; null when the file does not tell. */
  readonly date: string | null;
  /** The retail price that the file gives, in US cents. */
  readonly retailCents: number | null;
}

/** Whether a draft was refused. */
export function isRefusal<T extends Place>(draft: T | Refusal): draft is Refusal {
  return 'reason' in draft;
}
