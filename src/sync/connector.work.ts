/** Connectors: each knows one source, what to request, and how to read its responses. */

import type { DataKind, FormatName } from '../ingest/runner/import-formats.ts';
import type { JsonValue } from '../kernel/json.ts';
import type { Clock } from '../kernel/time.ts';
import type { BudgetRule, TokenLevel } from './budget.ts';
import type { SourceClient } from './client.work.ts';
import type { Planner, Topic } from './planning.ts';
import type { Question } from './source-state.ts';

/** The order of sources: sales need rates and items. */
export const syncSteps = ['rates', 'catalog', 'market'] as const;
export type SyncStep = (typeof syncSteps)[number];

export function stepOf(data: DataKind | null): SyncStep {
  if (data === 'Exchange rates') return 'rates';
  return data === 'Catalog' ? 'catalog' : 'market';
}

/** A source with its settings and secrets. */
export interface Connector extends Connection {
  /** As in the settings: `bricklink`, or the name of an `[[http]]`. */
  readonly name: string;
  readonly step: SyncStep;
  /** Changes with its settings; absent in some tests. */
  readonly settingsMark?: string;
}

export interface ConnectionDeps {
  readonly clock: Clock;
  /** Unique for every call. */
  readonly makeNonce: () => string;
}

/** How a source is called. */
export interface Connection {
  /** Questions about items; absent if the source is fetched as a whole. */
  readonly topics?: readonly Topic[];
  /** Null: no limit, because it is rarely called. */
  readonly budget: BudgetRule | null;
  /** Whether the source does not count the call of `check`. */
  readonly isCheckFree?: boolean;
  /**
   * Makes the cheapest call, and returns a sentence about the connection. Throws a `SourceError`.
   */
  check(client: SourceClient): Promise<string>;
  /** Makes no calls. */
  plan(request: PlanRequest): Promise<Plan>;
}

export interface PlanRequest {
  readonly source: string;
  readonly cursor: JsonValue;
  readonly at: number;
  /** Maximum number of calls. */
  readonly limit: number;
  readonly planner: Planner;
  /** Remaining calls or tokens; null until the source reports its tokens. */
  readonly left: number | null;
}

/** The next calls, and when to plan again after them. */
export interface Plan {
  readonly calls: readonly PlannedCall[];
  readonly nextAt: number;
}

export interface PlannedCall {
  /** Such as `75192-1, new`. */
  readonly subject: string;
  /** Why it is worth a call now, for operators. */
  readonly reason: string;
  /** Cost in calls or tokens. */
  readonly cost: number;
  /** Empty if the source is fetched as a whole. */
  readonly questions: readonly Question[];
  /** Throws a `SourceError` if there is no response. */
  ask(client: SourceClient): Promise<Answer>;
}

export interface Answer {
  /** Stored and imported; empty if nothing is new. */
  readonly files: readonly AnswerFile[];
  /** The cursor after the import; absent: it stays. */
  readonly cursor?: JsonValue;
  /** Questions about items that the source does not know. */
  readonly unknown?: readonly Question[];
  /** The token level reported by the source. */
  readonly tokens?: TokenLevel;
  /** Whether to continue at once, such as with the next page. */
  readonly hasMore?: boolean;
}

export interface AnswerFile {
  /** Such as `75192-1.new.json`; ends in `.gz` if compressed. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly format: FormatName;
  /** The mapping file, if the format needs one. */
  readonly mapping?: string;
}
