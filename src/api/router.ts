/** Finds the endpoint of a path, from the endpoint table and the handlers that are there. */
import { type Endpoint, type EndpointName, endpoints } from '../contract/endpoints.ts';
import { compileInput, type InputReader } from '../contract/input.ts';
import { compilePaths, type FindPath } from '../http/paths.ts';
import type { Handlers, Work } from './handler.ts';

/** An endpoint ready to serve. */
export interface Route {
  readonly name: EndpointName;
  /** Relative to the API prefix. */
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly input: InputReader;
  /** The methods that it answers. */
  readonly allow: string;
  prepare(input: unknown): Work;
}

/** Compiles the table. */
export function compileRoutes(handlers: Handlers): FindPath<Route> {
  return compilePaths(
    (Object.keys(handlers) as EndpointName[]).map((name) => {
      const endpoint: Endpoint = endpoints[name];
      return {
        name,
        path: endpoint.path,
        endpoint,
        input: compileInput(endpoint),
        allow: endpoint.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS',
        // The input was read by this row's own schema, which is what the handler's type says.
        prepare: handlers[name] as (input: unknown) => Work,
      };
    }),
  );
}
