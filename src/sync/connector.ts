/** What a connector is: it knows one source, what to ask it, and how to read its envelopes. */
import type { JsonValue } from '../domain/kernel/json.ts';
import type { BudgetRule, TokenLevel } from '../domain/sync/budget.ts';
import type { Planner, Topic } from '../domain/sync/planning.ts';
import type { Question } from '../domain/sync/sync-store.ts';
import type { SourceClient } from './client.ts';

/** In which order sources are asked: sales need rates and items. */
export const syncSteps = ['rates', 'catalog', 'market'] as const;
export type SyncStep = (typeof syncSteps)[number];

/** A source with its settings and secrets, ready to be asked. */
export interface Connector {
  /** As settings name it: `bricklink`, or the name of an `[[http]]`. */
  readonly name: string;
  readonly step: SyncStep;
  /** What it is asked item by item; left out: it is asked for everything at once. */
  readonly topics?: readonly Topic[];
  /** Null: it is only asked now and then. */
  readonly budget: BudgetRule | null;
  /** Asks the cheapest question; a sentence that says what works. Throws a `SourceError`. */
  check(client: SourceClient): Promise<string>;
  /** What to ask now. Asks nobody outside. */
  plan(asked: PlanRequest): Promise<Plan>;
}

/** What a plan is made from. */
export interface PlanRequest {
  readonly cursor: JsonValue;
  readonly at: number;
  /** Calls at most. */
  readonly limit: number;
  readonly planner: Planner;
  /** What is left of its budget: calls, or tokens, which are null until the source said. */
  readonly left: number | null;
}

/** The next calls, and when to plan again after them. */
export interface Plan {
  readonly calls: readonly PlannedCall[];
  readonly nextAt: number;
}

/** A call that is worth making. */
export interface PlannedCall {
  /** What it is about, such as `75192-1, new`. */
  readonly subject: string;
  /** Why now, for an operator. */
  readonly reason: string;
  /** What it takes from the budget. */
  readonly cost: number;
  /** The questions that it answers; empty where a source is not asked item by item. */
  readonly questions: readonly Question[];
  /** Throws a `SourceError` when there is no answer. */
  ask(client: SourceClient): Promise<Answer>;
}

/** What a call brought. */
export interface Answer {
  /** What is kept as it came, and imported; empty when nothing is new. */
  readonly files: readonly AnswerFile[];
  /** The bookmark once the files are imported; left out: it stays. */
  readonly cursor?: JsonValue;
  /** Questions that the source knows nothing about. */
  readonly unknown?: readonly Question[];
  /** What the source says of its bucket. */
  readonly tokens?: TokenLevel;
  /** Whether there is more to ask at once, such as a next page. */
  readonly hasMore?: boolean;
}

/** A file of an answer, as it came. */
export interface AnswerFile {
  /** Such as `75192-1.new.json`; `.gz` where it came packed. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** How it is imported: the name of a format. */
  readonly format: string;
  /** The file that names the columns, where the format needs one. */
  readonly mapping?: string;
}
