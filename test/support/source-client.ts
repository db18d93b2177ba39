/** The real client, in front of a simulated source instead of the network. */
import type { SourceHandler } from '../../src/simulate/sources/faults.ts';
import { makeSourceClient, type SourceClient } from '../../src/sync/client.ts';
import type { Secret } from '../../src/sync/secret.ts';

/** A client, and what it has asked for: `PATH STATUS`, in order. */
export interface WatchedClient extends SourceClient {
  readonly asked: string[];
}

/** A client whose requests all go to one source. */
export function clientOf(source: SourceHandler, secrets: readonly Secret[] = []): WatchedClient {
  const asked: string[] = [];
  const client = makeSourceClient({
    userAgent: 'brickmark/test',
    clock: () => 0,
    secrets,
    fetch: async (url, init) => {
      const response = await source(new Request(url, init));
      asked.push(`${url.pathname} ${response.status}`);
      return response;
    },
  });
  return { asked, send: (request) => client.send(request) };
}
