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
  /** The value of `Allow`, for all methods of the path. */
  readonly allow: string;
  /** The routes of the same path with other methods. */
  readonly others: readonly Route[];
  prepare(input: unknown): AnyWork;
}

export function compileRoutes(handlers: Handlers): FindPath<Route> {
  const byPath = Map.groupBy(
    (Object.keys(handlers) as EndpointName[]).map((name) => [name, allEndpoints[name]] as const),
    ([, { prefix, path }]) => `${prefix}${path}`,
  );
  const routes = [...byPath].flatMap(([path, rows]) => {
    const allow = allowOf(rows.map(([, { method }]) => method));
    const [first, ...others] = rows.map(([name, endpoint]) => ({
      name,
      path,
      endpoint,
      input: inputOf(endpoint),
      allow,
      others: [] as Route[],
      // The input was validated by the schema of this row, so it has the handler's type.
      prepare: handlers[name] as (input: unknown) => AnyWork,
    }));
    return first ? [{ ...first, others }] : [];
  });
  return compilePaths(routes);
}

function allowOf(methods: readonly Endpoint['method'][]): string {
  const answered = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...answered, 'OPTIONS'].join(', ');
}
