/** How a request that is not for the API is passed to whatever answers pages. */

/** Where the request came in. */
export interface PageContext {
  /** The network that it comes from. */
  readonly network: string;
  /** Where the server listens, without a slash at the end. */
  readonly url: string;
  /** Called with a failure on our side, which is answered all the same. */
  onFault(error: unknown): void;
}

/** Answers it. */
export type AnswerPage = (request: Request, context: PageContext) => Promise<Response>;
