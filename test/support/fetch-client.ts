/** The client that sources are asked with, on a function that answers like a server. */
import {
  makeSourceClient,
  type SourceClient,
  type SourceRequest,
  type SourceResponse,
} from '../../src/sync/client.ts';
import { readAt } from './read-options.ts';

/** Sends calls to the function instead of the network, and keeps them. */
export class FetchClient implements SourceClient {
  readonly sent: SourceRequest[] = [];
  readonly #client: SourceClient;

  constructor(answer: (request: Request) => Response | Promise<Response>) {
    this.#client = makeSourceClient({
      userAgent: 'brickmark/test',
      clock: () => readAt,
      secrets: [],
      fetch: async (url, init) => answer(new Request(url, init)),
    });
  }

  send(request: SourceRequest): Promise<SourceResponse> {
    this.sent.push(request);
    return this.#client.send(request);
  }
}
