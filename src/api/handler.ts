/**
 * The handler interface: a handler turns a valid request into work, and the work into a response.
 */

import type { Caller, KeyUse } from '../accounts/keys/quota.ts';
import type { allEndpoints, EndpointInput, EndpointName } from '../contract/all-endpoints.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { AnswerData } from './answer-data.ts';
import { AnswerParts } from './answer-parts.ts';

/**
 * The exact JSON of `data`, with its tag if both are cached, or in parts if it is long; the reason
 * for a 404, which is charged like a response; or a stream or file.
 */
export type Answer = string | AnswerData | AnswerParts | { readonly missing: string } | WholeAnswer;

/** Null: not JSON. */
export function jsonOf(answer: Answer): string | null {
  if (typeof answer === 'string') return answer;
  return answer instanceof AnswerData || answer instanceof AnswerParts ? answer.json : null;
}

/** A response that is not JSON in the envelope: a stream or a file. */
export interface WholeAnswer {
  /** Headers in addition to those of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Creates the body once the call is charged. Not called for HEAD. */
  start(): BodyInit;
  /** Called once the call is answered or refused; frees resources if `start` was not called. */
  release(): void;
}

/** The use of a key today, and the time it refers to. */
export interface Spent {
  readonly used: number;
  readonly at: number;
}

/** The origin of a call. Not available in a helper process. */
export interface CallSource {
  readonly request: Request;
  readonly requestId: string;
  readonly key: KeyUse;
}

/** A validated request that can be answered. Its cost is in the endpoint's row. */
export interface Work {
  /** Whether it is charged even if the caller disconnects, because it takes long. */
  readonly isExpensive?: boolean;
  /** The response if it is cached; undefined: it has to be read. */
  peek?(): Answer | undefined;
  read(caller: Caller, spent: Spent, source?: CallSource): Promise<Answer>;
  /** Called when the response is sent. */
  noteAnswered?(): void;
}

export interface BatchWork extends Work {
  readonly items: number;
}

/** Work whose cost is set by the operator, or was counted. */
export interface PricedWork extends Work {
  readonly cost: number;
}

/** Work whose cost depends on what is found. It is read only if the allowance covers the cost. */
export interface CountedWork {
  readonly peek?: undefined;
  readonly noteAnswered?: undefined;
  /** With less than it could return, if only `left` calls are left. */
  count(left: number): Promise<PricedWork>;
}

/** A change with a limit of its own, besides the allowance. */
export interface LimitedWork {
  readonly peek?: undefined;
  readonly noteAnswered?: undefined;
  /**
   * Counts it, and returns what is then charged and carried out. Throws an `ApiError`
   * TooManyRequests, which is free because nothing was charged yet.
   */
  permit(caller: Caller, spent: Spent): Promise<Work>;
}

export type AnyWork = Work | CountedWork | LimitedWork;

interface WorkAtCost extends Record<Exclude<Endpoint['cost'], 'per result'>, Work> {
  readonly 'per item': BatchWork;
  readonly 'per file': PricedWork;
  readonly 'per result': CountedWork;
}

/**
 * Prepares the work of one endpoint; throws an `ApiError` BadRequest for what no schema can check.
 */
export type Handler<N extends EndpointName> = (
  input: EndpointInput<N>,
) =>
  | WorkAtCost[(typeof allEndpoints)[N]['cost']]
  | ((typeof allEndpoints)[N] extends { readonly effect: string } ? LimitedWork : never);

export type Handlers = { readonly [N in EndpointName]: Handler<N> };

export function costOf({ cost }: Endpoint, work: Work | LimitedWork): number {
  if (cost === 'free') return 0;
  if (cost === 'per file' || cost === 'per result') return (work as PricedWork).cost;
  return cost === 'per item' ? (work as BatchWork).items : 1;
}
