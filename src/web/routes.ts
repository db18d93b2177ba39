/** The table of pages: which paths there are, who may see them, and what answers. */
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
  const rows = routes.map((route) => ({ route, parts: route.path.split('/') }));
  return (path) => {
    const parts = path.split('/');
    for (const { route, parts: wanted } of rows) {
      const params = wanted.length === parts.length ? matchParts(wanted, parts) : null;
      if (params) return { route, params };
    }
    return null;
  };
}

function matchParts(
  wanted: readonly string[],
  parts: readonly string[],
): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [index, want] of wanted.entries()) {
    const part = parts[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(want)?.[1];
    if (name === undefined) {
      if (want !== part) return null;
      continue;
    }
    const value = decoded(part);
    if (value === null || value === '') return null;
    params[name] = value;
  }
  return params;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
