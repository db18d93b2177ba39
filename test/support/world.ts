/** A small real service for tests: a world with a server. */
import { type ServerSettings, startServer } from '../../src/api/server.ts';
import { apiPrefix } from '../../src/contract/limits.ts';
import { withOwnIds } from './own-things.ts';
import { serverSettings } from './server-settings.ts';
import { openWorld, type StoredWorld } from './stored-world.ts';
import { until } from './until.ts';

export { type FeedLine, importFeed, noon } from './stored-world.ts';

export interface World extends StoredWorld {
  readonly url: string;
  readonly failures: unknown[];
  /** Calls the API with a key; `init` overrides the defaults. */
  call(path: string, key: string, init?: RequestInit): Promise<Response>;
}

/** Starts a world, by default with the plain engine on a new store. */
export async function startWorld(...options: Parameters<typeof openWorld>): Promise<World> {
  return serveWorld(await openWorld(...options));
}

/** Nothing is in transit when a test ends. */
const atOnce = { drainMsMax: 0 };

/** Starts a server for a world, which ends with it. */
export async function serveWorld(
  stored: StoredWorld,
  settings: Pick<ServerSettings, 'drainMsMax'> = atOnce,
): Promise<World> {
  const { store } = stored;
  const clock = () => stored.now;
  const failures: unknown[] = [];
  const server = startServer(store, { ...serverSettings(clock, failures), ...settings });
  // One object, since tests set its time.
  const world: World = Object.assign(stored, {
    url: server.url,
    failures,
    call: async (path: string, key: string, init: RequestInit = {}) =>
      fetch(`${server.url}${withPrefix(await withOwnIds(path, { store, key, at: clock() }))}`, {
        ...init,
        headers: { Authorization: `Bearer ${key}`, ...init.headers },
      }),
    stop: async () => {
      await server.stop();
      await store.close();
    },
  });
  await until(() => server.findFacts().isWarm, 'the server to be warm');
  return world;
}

/** Adds the API's prefix unless the path has one. */
export function withPrefix(path: string): string {
  return path.startsWith('/api/') ? path : `${apiPrefix}${path}`;
}

/** A POST request with a JSON body. */
export function batch(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}
