/** The interface of the planner, which decides which questions to sources are worth a call. */

import type { InterestCounts } from '../catalog/interest/interest.ts';
import type { ItemKind } from '../catalog/items/numbers.ts';
import type { Condition } from '../market/source-rows/source-rows.ts';
import type { KeptUncertainty } from '../market/values/uncertainty.ts';
import type { Coverage, Question } from './source-state.ts';

/** A kind of question that a source answers. */
export interface Topic {
  /** The stored name, such as `sold-new`. */
  readonly name: string;
  readonly kind: ItemKind;
  /** The condition with the uncertainty that an answer reduces; null: ranked by age alone. */
  readonly condition: Condition | null;
  /** The number of past days that an answer covers: asking later than that loses data. */
  readonly reachDays: number;
  /** The minimum number of days between two answers. */
  readonly restDays: number;
  readonly needs: Need;
}

/** Required of an item for a question to be asked; null: only its number. */
export type Need = 'bricklink-number' | 'asin-or-barcode' | null;

/** A question with the expected value of an answer, and the reason for it. */
export interface RankedQuestion extends Question {
  /** The item's canonical number. */
  readonly number: string;
  readonly worth: number;
  readonly askedAt: number | null;
  /** For operators, such as `never asked, 3 units held, ± 18%`. */
  readonly reason: string;
}

export interface ItemName {
  readonly kind: ItemKind;
  readonly key: string;
}

/** The identifiers of an item at sources. */
export interface SourceNames {
  /** Its BrickLink numbers; several for a minifig that was joined from several. */
  readonly bricklink: readonly string[];
  readonly asin: string | null;
  readonly barcodes: readonly string[];
}

/** The questions to be ranked. */
export interface PlanScope {
  readonly source: string;
  readonly topics: readonly Topic[];
  readonly at: number;
}

/** The state of a question about an item. */
export interface QueuedQuestion {
  readonly topic: string;
  /** When it was last answered; null: never. */
  readonly askedAt: number | null;
  /** Whether the source knew the item then. */
  readonly isKnown: boolean;
  /** Its position in the queue, from 1; null: it is not queued. */
  readonly queueNumber: number | null;
  /** The earliest time to ask it; null: now. */
  readonly notBefore: number | null;
  readonly reason: string;
}

export interface Planner {
  /** The most valuable questions, best first. */
  rank(scope: PlanScope & { readonly limit: number }): Promise<readonly RankedQuestion[]>;
  findNames(kind: ItemKind, keys: readonly string[]): Promise<ReadonlyMap<string, SourceNames>>;
}

/** The state of questions, for operators. */
export interface PlanOverview {
  /** How recent the answers to all questions on these topics are. */
  findCoverage(source: string, topics: readonly Topic[], at: number): Promise<Coverage>;
  /** The questions about one item, in order of topics. */
  findQueued(scope: PlanScope, item: ItemName): Promise<readonly QueuedQuestion[]>;
}

/** An item that questions can be about. */
export interface PlannedItem extends KeptUncertainty {
  readonly itemId: number;
  readonly key: string;
}

export interface AskedQuestion {
  readonly key: string;
  readonly topic: string;
  /** Null: it was never answered. */
  readonly askedAt: number | null;
  /** It is not asked again before this instant; null: the last call did not fail. */
  readonly retryAt: number | null;
  /** Whether the source knows the item, as far as is known. */
  readonly isKnown: boolean;
}

/** A question about one item at a source. */
export interface ItemQuestion extends Omit<AskedQuestion, 'key'> {
  readonly source: string;
  readonly failures: number;
}

export type InterestOfItem = InterestCounts & { readonly key: string };
