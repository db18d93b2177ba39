/** Parses a URL to its endpoint and input, with a cache. */
import { neededScopes } from '../contract/endpoint.ts';
import { ApiError } from '../contract/errors.ts';
import { bad } from '../contract/input-messages.ts';
import { apiPrefix, plusPrefix, urlLengthMax } from '../contract/limits.ts';
import type { FindPath } from '../http/paths.ts';
import { pathOf, targetOf } from '../http/request-target.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import type { AnyWork } from './handler.ts';
import type { Route } from './router.ts';

export interface ParsedUrl {
  readonly route: Route;
  /** The scopes that the call needs, as bits. */
  readonly needs: number;
  /** The same for the other methods of the path; almost always empty. */
  readonly others: readonly ParsedUrl[];
  /** Valid work; null if the URL is not valid, or a body is needed. */
  readonly work: AnyWork | null;
  /** Prepares the work, with the body if there is one; throws an `ApiError` BadRequest. */
  prepare(body: string | null): AnyWork;
}

/** Cache size in characters: about 20,000 ordinary URLs. */
const cacheRoomMax = 24 * 1024 * 1024;

/** Size of a parsed URL, in characters. */
const parsedRoom = 1_000;

/** Longer URLs are not cached. */
const cachedLengthMax = 256;

/** Null: not a path of the API. Throws an `ApiError` BadRequest if the URL is too long. */
export type ParseUrl = (url: string) => ParsedUrl | null;

export function urlParser(findRoute: FindPath<Route>): ParseUrl {
  const remembered = new BoundedMap<ParsedUrl>(cacheRoomMax, () => parsedRoom);
  return (url) => {
    const known = remembered.get(url);
    if (known) return known;
    const parsed = parse(url, findRoute);
    if (parsed && url.length <= cachedLengthMax) remembered.set(url, parsed);
    return parsed;
  };
}

function parse(url: string, findRoute: FindPath<Route>): ParsedUrl | null {
  const target = targetOf(url);
  if (!prefixes.some((prefix) => target.startsWith(prefix))) return null;
  if (target.length > urlLengthMax) {
    throw bad(
      `The path and query must have at most ${urlLengthMax} characters; got ${target.length}.`,
    );
  }
  const path = pathOf(target);
  const match = findRoute(path);
  if (!match) return null;
  const search = target.slice(path.length + 1);
  const { row, params } = match;
  const others = row.others.map((route) => parsedFor(route, params, search));
  return { ...parsedFor(row, params, search), others };
}

function parsedFor(
  route: Route,
  params: Readonly<Record<string, string>>,
  search: string,
): ParsedUrl {
  const { endpoint } = route;
  const prepare = (body: string | null) =>
    route.prepare({
      params: route.input.readPath(params),
      query: route.input.readQuery(search),
      body: body === null ? null : route.input.readBody(body),
    });
  const work = endpoint.body ? null : validWork(prepare);
  return { route, needs: neededScopes(endpoint, search), others: [], prepare, work };
}

/** The same URL for a method; unchanged if the path does not have it. */
export function forMethod(parsed: ParsedUrl, method: string): ParsedUrl {
  if (parsed.others.length === 0) return parsed;
  return parsed.others.find(({ route }) => route.endpoint.method === method) ?? parsed;
}

const prefixes = [`${apiPrefix}/`, `${plusPrefix}/`];

/** Invalid input is reported later, after authentication. */
function validWork(prepare: (body: null) => AnyWork): AnyWork | null {
  try {
    return prepare(null);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
