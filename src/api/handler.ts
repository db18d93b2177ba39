/**
 * The handler interface: a handler turns a valid request into work, and the work into a response.
 */

import type { Caller, KeyUse } from '../accounts/keys/quota.ts';
import type { allEndpoints, EndpointInput, EndpointName } from '../contract/all-endpoints.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { AnswerData } from './answer-data.ts';

/**
 * The exact JSON of `data`; the reason for a 404, which is charged like a response; or a stream or
 * file.
 */
export type Answer = AnswerData | { readonly missing: string } | WholeAnswer;

/** Null: not JSON. */
export function jsonOf(answer: Answer): string | null {
  return answer instanceof AnswerData ? answer.json : null;
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

/** A validated request that can be answered. */
export interface Work {
  /** In calls, if the row of the endpoint does not say how many. */
  readonly cost?: number;
  /** Whether it is charged even if the caller disconnects, because it takes long. */
  readonly isExpensive?: boolean;
  /** The response if it is cached; undefined: it has to be read. */
  peek?(): Answer | undefined;
  read(caller: Caller, spent: Spent, source?: CallSource): Promise<Answer>;
  /** Called when the response is sent. */
  noteAnswered?(): void;
}

export interface PricedWork extends Work {
  readonly cost: number;
}

/**
 * Work that depends on the caller: its cost is that of what is found, or a change has a limit of
 * its own, besides the allowance.
 */
export interface LaterWork<Begun extends Work = Work> {
  readonly cost?: undefined;
  readonly peek?: undefined;
  readonly noteAnswered?: undefined;
  /**
   * Called once for a call that the allowance can cover. `left` is how many calls are left: with
   * fewer, less is found. Throws an `ApiError` TooManyRequests beyond the limit of a change, which
   * is free because nothing was charged yet.
   */
  begin(caller: Caller, spent: Spent, left: number): Promise<Begun>;
}

export type AnyWork = Work | LaterWork;

interface WorkAtCost extends Record<Exclude<Endpoint['cost'], 'per result'>, Work> {
  readonly 'per item': PricedWork;
  readonly 'per file': PricedWork;
  readonly 'per result': LaterWork<PricedWork>;
}

/**
 * Prepares the work of one endpoint; throws an `ApiError` BadRequest for what no schema can check.
 */
export type Handler<N extends EndpointName> = (
  input: EndpointInput<N>,
) =>
  | WorkAtCost[(typeof allEndpoints)[N]['cost']]
  | ((typeof allEndpoints)[N] extends { readonly effect: string } ? LaterWork : never);

export type Handlers = { readonly [N in EndpointName]: Handler<N> };

/** In calls. */
export function costOf({ cost }: Endpoint, work: AnyWork): number {
  return work.cost ?? (cost === 'free' ? 0 : 1);
}
