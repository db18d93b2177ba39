/** Finds the endpoint of a path, from the endpoint table and the handlers that are there. */
import { type Endpoint, type EndpointName, endpoints } from '../contract/endpoints.ts';
import { compileInput, type InputReader } from '../contract/input.ts';
import type { Handlers, Work } from './handler.ts';

/** An endpoint ready to serve. */
export interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly input: InputReader;
  /** The methods that it answers. */
  readonly allow: string;
  prepare(input: unknown): Work;
}

/** A path that exists. */
export interface Match {
  readonly route: Route;
  /** The raw value of the path parameter; empty when the path has none. */
  readonly parameter: string;
}

/** Matches paths relative to the API prefix; null for a path that is not there. */
export type Router = (path: string) => Match | null;

/** Compiles the router. It allocates next to nothing: it runs for every request. */
export function compileRouter(handlers: Handlers): Router {
  const compiled = (Object.keys(handlers) as EndpointName[]).map((name) => compile(name, handlers));
  const fixed = new Map(
    compiled.flatMap(({ route }) =>
      route.endpoint.path.includes('{') ? [] : [[route.endpoint.path, { route, parameter: '' }]],
    ),
  );
  const open = compiled.filter(({ route }) => route.endpoint.path.includes('{'));
  return (path) => {
    for (const { route, prefix, suffix } of open) {
      if (!path.startsWith(prefix) || !path.endsWith(suffix)) continue;
      const parameter = path.slice(prefix.length, path.length - suffix.length);
      if (parameter !== '' && !parameter.includes('/')) return { route, parameter };
    }
    return fixed.get(path) ?? null;
  };
}

interface CompiledRoute {
  readonly route: Route;
  /** What stands before and after the one parameter that a path may have. */
  readonly prefix: string;
  readonly suffix: string;
}

function compile(name: EndpointName, handlers: Handlers): CompiledRoute {
  const endpoint: Endpoint = endpoints[name];
  const handler = handlers[name];
  const [prefix = '', suffix = ''] = endpoint.path.split(/\{\w+\}/);
  return {
    route: {
      name,
      endpoint,
      input: compileInput(endpoint),
      allow: endpoint.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS',
      // The input was read by this row's own schema, which is what the handler's type says.
      prepare: handler as (input: unknown) => Work,
    },
    prefix,
    suffix,
  };
}
