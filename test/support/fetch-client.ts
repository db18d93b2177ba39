/** A client that only fetches: for tests of connectors against simulated sources. */
import { type SourceClient, SourceError, type SourceRequest } from '../../src/sync/client.ts';

/** Sends calls to a function that answers like a server, and keeps them. */
export class FetchClient implements SourceClient {
  readonly sent: SourceRequest[] = [];

  constructor(private readonly answer: (request: Request) => Response | Promise<Response>) {}

  async send(request: SourceRequest) {
    this.sent.push(request);
    const { url, method = 'GET', headers = {}, body = null, returnedErrors = [] } = request;
    const answer = await this.answer(new Request(url, { method, headers, body }));
    const { status } = answer;
    const isRead = status < 400 || status === 404 || returnedErrors.includes(status);
    if (!isRead) throw new SourceError(`status ${status}`, status < 429 ? 'stopped' : 'later');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return {
      status,
      headers: answer.headers,
      bytes,
      validators: { etag: null, lastModified: null },
    };
  }
}
