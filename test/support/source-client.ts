/** The real source client with a simulated source instead of the network. */
import type { SourceHandler } from '../../simulator/sources/faults.ts';
import {
  makeSourceClient,
  type SourceClient,
  type SourceRequest,
} from '../../src/sync/client.work.ts';
import type { ConnectionDeps } from '../../src/sync/connector.work.ts';
import type { Secret } from '../../src/sync/secret.ts';
import { readAt } from './read-options.ts';

export const connectionDeps: ConnectionDeps = {
  clock: () => readAt,
  makeNonce: () => crypto.randomUUID(),
};

/** A client that records its requests, and the `PATH STATUS` of each response. */
export interface WatchedClient extends SourceClient {
  readonly sent: SourceRequest[];
  readonly asked: string[];
}

export function clientOf(source: SourceHandler, secrets: readonly Secret[] = []): WatchedClient {
  const sent: SourceRequest[] = [];
  const asked: string[] = [];
  const client = makeSourceClient({
    userAgent: 'brickmark/test',
    clock: () => readAt,
    secrets,
    fetch: async (url, init) => {
      const response = await source(new Request(url, init));
      asked.push(`${url.pathname} ${response.status}`);
      return response;
    },
  });
  const send = (request: SourceRequest) => {
    sent.push(request);
    return client.send(request);
  };
  return { sent, asked, send };
}
