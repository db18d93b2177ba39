/** Which questions are worth a call: what a planner is asked, and what it answers. */

import type { ItemKind } from '../catalog/numbers.ts';
import type { Condition } from '../market/source-rows.ts';
import type { Coverage } from './source-state.ts';
import type { Question } from './sync-store.ts';

/** One kind of question that a source answers. */
export interface Topic {
  /** As it is kept, such as `sold-new`. */
  readonly name: string;
  readonly kind: ItemKind;
  /** Whose uncertainty an answer reduces; null: it is asked for its age alone. */
  readonly condition: Condition | null;
  /** How many days back an answer reaches: nothing should wait longer. */
  readonly reachDays: number;
  /** For so many days after an answer, it is not asked again. */
  readonly restDays: number;
  readonly needs: Need;
}

/** What an item has to have for a question to be asked; null: nothing but its number. */
export type Need = 'bricklink-number' | 'asin-or-barcode' | null;

/** A question, how much an answer is worth, and why. */
export interface RankedQuestion extends Question {
  /** The item's number as it is shown. */
  readonly number: string;
  readonly worth: number;
  readonly askedAt: number | null;
  /** For an operator, such as `never asked, held by 3, ± 18%`. */
  readonly reason: string;
}

/** An item of the catalog. */
export interface ItemName {
  readonly kind: ItemKind;
  readonly key: string;
}

/** By what names sources know an item. */
export interface SourceNames {
  /** Its numbers at BrickLink; more than one for a minifig that was joined from several. */
  readonly bricklink: readonly string[];
  readonly asin: string | null;
  readonly barcodes: readonly string[];
}

/** What a source can be asked at an instant. */
export interface PlanScope {
  readonly source: string;
  readonly topics: readonly Topic[];
  readonly at: number;
}

/** Where a question about an item stands. */
export interface QuestionPlace {
  readonly topic: string;
  /** When it was answered last; null: never. */
  readonly askedAt: number | null;
  /** Whether the source knew the item then. */
  readonly isKnown: boolean;
  /** How many questions come before it, and itself; null: it is not asked yet. */
  readonly place: number | null;
  /** From when on it may be asked; null: now. */
  readonly notBefore: number | null;
  readonly reason: string;
}

/** Says what to ask next. */
export interface Planner {
  /** The questions that are worth most, best first. */
  rank(asked: PlanScope & { readonly limit: number }): Promise<readonly RankedQuestion[]>;
  /** The names of items, by key. */
  findNames(kind: ItemKind, keys: readonly string[]): Promise<ReadonlyMap<string, SourceNames>>;
}

/** Looks at questions from outside, for operators. */
export interface PlanOverview {
  /** How recent the answers to all questions of some topics are. */
  findCoverage(source: string, topics: readonly Topic[], at: number): Promise<Coverage>;
  /** Where the questions about one item stand, in order of the topics. */
  findPlaces(scope: PlanScope, item: ItemName): Promise<readonly QuestionPlace[]>;
}
