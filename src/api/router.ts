/** Finds the endpoint of a path, from the endpoint tables and the handlers that are there. */

import { allEndpoints, type EndpointName } from '../contract/all-endpoints.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { type InputReader, inputOf } from '../contract/input.ts';
import { compilePaths, type FindPath } from '../http/paths.ts';
import type { Handlers, Work } from './handler.ts';

/** An endpoint ready to serve. */
export interface Route {
  readonly name: EndpointName;
  /** With the prefix of its API. */
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly input: InputReader;
  /** The methods that it answers. */
  readonly allow: string;
  prepare(input: unknown): Work;
}

/** Compiles the tables. */
export function compileRoutes(handlers: Handlers): FindPath<Route> {
  return compilePaths(
    (Object.keys(handlers) as EndpointName[]).map((name) => {
      const endpoint: Endpoint = allEndpoints[name];
      return {
        name,
        path: `${endpoint.prefix}${endpoint.path}`,
        endpoint,
        input: inputOf(endpoint),
        allow: endpoint.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS',
        // The input was read by this row's own schema, which is what the handler's type says.
        prepare: handlers[name] as (input: unknown) => Work,
      };
    }),
  );
}
