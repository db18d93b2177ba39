/** The interface through which the server passes page requests on. */

export interface PageContext {
  readonly network: string;
  /** The server's URL, without a trailing slash. */
  readonly url: string;
  /** Called with a fault, after which the request is still answered. */
  onFault(error: unknown): void;
}

export type AnswerPage = (request: Request, context: PageContext) => Promise<Response>;
