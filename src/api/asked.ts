/** What a URL asks for. It never changes, so it is worked out once and remembered. */
import { ApiError } from '../contract/errors.ts';
import { apiPrefix, urlLengthMax } from '../contract/limits.ts';
import { targetOf } from '../contract/target.ts';
import { BoundedMap } from '../domain/kernel/bounded-map.ts';
import type { Work } from './handler.ts';
import type { Route, Router } from './router.ts';

/** A request as its URL states it. */
export interface Asked {
  readonly route: Route;
  /** Valid work; null where the URL is not valid, or a body is needed to know. */
  readonly work: Work | null;
  /** Prepares the work, with the body where there is one; throws an `ApiError` BadRequest. */
  prepare(body: string | null): Work;
}

/** The room for what URLs ask for, in characters: about 20,000 of the usual ones. */
const rememberedRoomMax = 24 * 1024 * 1024;

/** What a prepared request takes, in characters. */
const askedRoom = 1_000;

/** Longer URLs are not worth remembering. */
const rememberedLengthMax = 256;

/**
 * Finds what a request's URL asks of the API; null when there is no such path. Throws an `ApiError`
 * BadRequest for a URL that is too long to be looked at.
 */
export type FindAsked = (url: string) => Asked | null;

/** Remembers what URLs ask for, up to a limit. */
export function rememberAsked(router: Router): FindAsked {
  const remembered = new BoundedMap<Asked>(rememberedRoomMax, () => askedRoom);
  return (url) => {
    const known = remembered.get(url);
    if (known) return known;
    const asked = workOut(url, router);
    if (asked && url.length <= rememberedLengthMax) remembered.set(url, asked);
    return asked;
  };
}

function workOut(url: string, router: Router): Asked | null {
  const target = targetOf(url);
  if (!isApiTarget(target)) return null;
  if (target.length > urlLengthMax) {
    throw new ApiError('BadRequest', `The URL is longer than ${urlLengthMax} characters.`);
  }
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  const match = router(path.slice(apiPrefix.length));
  if (!match) return null;
  const search = at < 0 ? '' : target.slice(at + 1);
  const { route, parameter } = match;
  const prepare = (body: string | null) =>
    route.prepare({
      params: route.input.readPath(parameter),
      query: route.input.readQuery(search),
      body: body === null ? null : route.input.readBody(body),
    });
  return { route, prepare, work: route.endpoint.body ? null : validWork(prepare) };
}

/** The address of a server; an IPv6 address stands in brackets. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether a path and query lie under the API's prefix. */
function isApiTarget(target: string): boolean {
  return target.startsWith(apiPrefix) && target[apiPrefix.length] === '/';
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
