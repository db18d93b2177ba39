/** Finds the endpoint of a path, from the endpoint table and the handlers that are there. */
import { type Endpoint, type EndpointName, endpoints } from '../contract/endpoints.ts';
import { compileInput, type InputReader } from '../contract/input.ts';
import type { Handlers, Work } from './handler.ts';

/** An endpoint ready to serve. */
export interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly input: InputReader;
  prepare(input: unknown): Work;
}

/** A path that exists, with the routes of its methods. */
export interface Match {
  readonly route: Route;
  /** The raw values of the path parameters, in order. */
  readonly segments: readonly string[];
  /** The methods that it answers. */
  readonly allow: string;
}

/** Matches paths relative to the API prefix; null for a path that is not there. */
export type Router = (path: string) => Match | null;

/** Compiles the router. */
export function compileRouter(handlers: Handlers): Router {
  const routes = (Object.keys(handlers) as EndpointName[]).map((name) => compile(name, handlers));
  return (path) => {
    const parts = path.split('/');
    for (const { route, pattern, allow } of routes) {
      const segments = matchPath(pattern, parts);
      if (segments) return { route, segments, allow };
    }
    return null;
  };
}

interface CompiledRoute {
  readonly route: Route;
  /** Literal segments; null where a parameter is. */
  readonly pattern: readonly (string | null)[];
  readonly allow: string;
}

function compile(name: EndpointName, handlers: Handlers): CompiledRoute {
  const endpoint: Endpoint = endpoints[name];
  const handler = handlers[name];
  if (!handler) throw new Error(`The endpoint ${name} has no handler.`);
  // The input was read by this row's own schema, which is what the handler's type says.
  const prepare = handler as (input: unknown) => Work;
  return {
    route: { name, endpoint, input: compileInput(endpoint), prepare },
    pattern: endpoint.path.split('/').map((part) => (part.startsWith('{') ? null : part)),
    allow: endpoint.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS',
  };
}

function matchPath(
  pattern: readonly (string | null)[],
  parts: readonly string[],
): readonly string[] | null {
  if (pattern.length !== parts.length) return null;
  const segments: string[] = [];
  for (const [index, literal] of pattern.entries()) {
    const part = parts[index] ?? '';
    if (literal === null) {
      if (part === '') return null;
      segments.push(part);
    } else if (literal !== part) return null;
  }
  return segments;
}
