/** The table of pages: which paths there are, who may see them, and what answers. */
import { compilePaths } from '../http/paths.ts';
import type { OwnRequest, PageRequest, SentRequest } from './page-request.ts';
import type { PageAnswer } from './respond.ts';

type Answering<R> = (request: R) => Promise<PageAnswer>;

/** A page that everybody may see. */
export interface OpenRoute {
  readonly access: 'open';
  readonly path: string;
  readonly get?: Answering<PageRequest>;
  readonly post?: Answering<SentRequest>;
}

/** A page for whoever is signed in, or for operators alone. */
export interface OwnRoute {
  readonly access: 'own' | 'operator';
  readonly path: string;
  /** Whether a file can be sent with its form. */
  readonly takesFile?: boolean;
  readonly get?: Answering<OwnRequest>;
  readonly post?: Answering<OwnRequest<SentRequest>>;
}

/** One row of the table. A parameter of the path is written `{name}`. */
export type PageRoute = OpenRoute | OwnRoute;

/** A path that is there, with the values of its parameters. */
export interface FoundRoute {
  readonly route: PageRoute;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the row of a path. */
export function pageRouter(routes: readonly PageRoute[]): (path: string) => FoundRoute | null {
  const find = compilePaths(routes);
  return (path) => {
    const match = find(path);
    const params = match && decoded(match.params);
    return params && { route: match.row, params };
  };
}

/** Null where they are no text. */
function decoded(params: FoundRoute['params']): FoundRoute['params'] | null {
  try {
    const pairs = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]);
    return Object.fromEntries(pairs);
  } catch {
    return null;
  }
}
