/** Routes a path to its endpoint and handler. */

import { allEndpoints, type EndpointName } from '../contract/all-endpoints.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { type InputReader, inputOf } from '../contract/input.ts';
import { compilePaths, type FindPath } from '../http/paths.ts';
import type { AnyWork, Handlers } from './handler.ts';

export interface Route {
  readonly name: EndpointName;
  /** With the prefix of its API. */
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly input: InputReader;
  /** The value of `Allow`. */
  readonly allow: string;
  prepare(input: unknown): AnyWork;
}

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
        // The input was validated by the schema of this row, so it has the handler's type.
        prepare: handlers[name] as (input: unknown) => AnyWork,
      };
    }),
  );
}
