/** Which endpoint a URL is for, and with what input. It never changes, so it is remembered. */
import { ApiError } from '../contract/errors.ts';
import { apiPrefix, plusPrefix, urlLengthMax } from '../contract/limits.ts';
import { BoundedMap } from '../domain/kernel/bounded-map.ts';
import type { FindPath } from '../http/paths.ts';
import { targetOf } from '../http/target.ts';
import type { Work } from './handler.ts';
import type { Route } from './router.ts';

/** A call as its URL states it. */
export interface ParsedUrl {
  readonly route: Route;
  /** Valid work; null where the URL is not valid, or a body is needed to know. */
  readonly work: Work | null;
  /** Prepares the work, with the body where there is one; throws an `ApiError` BadRequest. */
  prepare(body: string | null): Work;
}

/** The room for parsed URLs, in characters: about 20,000 of the usual ones. */
const rememberedRoomMax = 24 * 1024 * 1024;

/** What a parsed URL takes, in characters. */
const parsedRoom = 1_000;

/** Longer URLs are not worth remembering. */
const rememberedLengthMax = 256;

/**
 * Parses the URL of a request; null when it is no path of the API. Throws an `ApiError` BadRequest
 * for a URL that is too long to be looked at.
 */
export type ParseUrl = (url: string) => ParsedUrl | null;

/** Remembers parsed URLs, up to a limit. */
export function urlParser(findRoute: FindPath<Route>): ParseUrl {
  const remembered = new BoundedMap<ParsedUrl>(rememberedRoomMax, () => parsedRoom);
  return (url) => {
    const known = remembered.get(url);
    if (known) return known;
    const parsed = parse(url, findRoute);
    if (parsed && url.length <= rememberedLengthMax) remembered.set(url, parsed);
    return parsed;
  };
}

function parse(url: string, findRoute: FindPath<Route>): ParsedUrl | null {
  const target = targetOf(url);
  if (!isApiTarget(target)) return null;
  if (target.length > urlLengthMax) {
    throw new ApiError(
      'BadRequest',
      `The path and query must have at most ${urlLengthMax} characters; got ${target.length}.`,
    );
  }
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  const match = findRoute(path);
  if (!match) return null;
  const search = at < 0 ? '' : target.slice(at + 1);
  const { row: route, params } = match;
  const prepare = (body: string | null) =>
    route.prepare({
      params: route.input.readPath(params),
      query: route.input.readQuery(search),
      body: body === null ? null : route.input.readBody(body),
    });
  return { route, prepare, work: route.endpoint.body ? null : validWork(prepare) };
}

const prefixes = [`${apiPrefix}/`, `${plusPrefix}/`];

/** Whether a path and query lie under the prefix of one of the APIs. */
function isApiTarget(target: string): boolean {
  return prefixes.some((prefix) => target.startsWith(prefix));
}

/** Invalid input is reported later, after the key has been looked at. */
function validWork(prepare: (body: null) => Work): Work | null {
  try {
    return prepare(null);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
