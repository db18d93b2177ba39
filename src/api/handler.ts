/** What a handler is: it turns a valid request into work, and the work into an answer. */

import type { allEndpoints, EndpointInput, EndpointName } from '../contract/all-endpoints.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { KeyHash } from '../domain/account/keys.ts';
import type { Caller } from '../domain/account/quota.ts';
import { AnswerData } from './answer-data.ts';

/**
 * The exact JSON of `data`, with its tag where both are kept; why the item is not there (404, and
 * charged like an answer); or what is written as it is.
 */
export type Answer = string | AnswerData | { readonly missing: string } | WholeAnswer;

/** The JSON of an answer; null when it is none. */
export function jsonOf(answer: Answer): string | null {
  if (typeof answer === 'string') return answer;
  return answer instanceof AnswerData ? answer.json : null;
}

/** An answer that is not JSON in the envelope: a stream, or a file. */
export interface WholeAnswer {
  /** Its own headers, beside those of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Makes the body, once the call is granted and charged. A HEAD has none. */
  start(): BodyInit;
  /** Called once the call is answered or refused: what was not started gives back what it holds. */
  release(): void;
}

/** What a key had spent of its day when its request was looked at, and when that was. */
export interface Spent {
  readonly used: number;
  readonly at: number;
}

/** Where a call comes from. Answers that are made in another process know nothing of it. */
export interface CallSource {
  readonly request: Request;
  readonly requestId: string;
  readonly keyHash: KeyHash;
}

/** A request that is understood, and how it is answered. What it costs is in the endpoint's row. */
export interface Work {
  /** Whether it takes so long that it is charged once it is done, also when the caller has left. */
  readonly isExpensive?: boolean;
  /** The answer if it is in memory already; undefined when it has to be read. */
  peek?(): Answer | undefined;
  read(caller: Caller, spent: Spent, source?: CallSource): Promise<Answer>;
  /** Called when the answer was granted and is given. */
  noteAnswered?(): void;
}

/** Work that is charged by the item. */
export interface BatchWork extends Work {
  readonly items: number;
}

/** Work whose cost the operator has set. */
export interface PricedWork extends Work {
  readonly cost: number;
}

/** What each cost in a row asks of work. */
interface WorkAtCost extends Record<Endpoint['cost'], Work> {
  readonly 'per item': BatchWork;
  readonly 'per file': PricedWork;
}

/** Prepares the work of one endpoint; an `ApiError` BadRequest says what no schema can. */
export type Handler<N extends EndpointName> = (
  input: EndpointInput<N>,
) => WorkAtCost[(typeof allEndpoints)[N]['cost']];

/** The handlers of all endpoints, by name. */
export type Handlers = { readonly [N in EndpointName]: Handler<N> };

/** What work costs of the daily allowance, as its endpoint's row says. */
export function costOf({ cost }: Endpoint, work: Work): number {
  if (cost === 'free') return 0;
  if (cost === 'per file') return (work as PricedWork).cost;
  return cost === 'per item' ? (work as BatchWork).items : 1;
}
