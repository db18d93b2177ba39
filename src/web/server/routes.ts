/** Finds the route of a path. */
import { compilePaths } from '../../http/paths.ts';
import type { PageRoute } from '../page-table.ts';

export interface FoundRoute {
  readonly route: PageRoute;
  readonly params: Readonly<Record<string, string>>;
}

export function pageRouter(routes: readonly PageRoute[]): (path: string) => FoundRoute | null {
  const find = compilePaths(routes);
  return (path) => {
    const match = find(path);
    const params = match && decoded(match.params);
    return params && { route: match.row, params };
  };
}

/** Whether an address has the secret of a page, also if the rest of it leads nowhere. */
export function secretPaths(routes: readonly PageRoute[]): (path: string) => boolean {
  const secret = routes.filter(({ hasSecretPath }) => hasSecretPath);
  const starts = new Set(secret.map(({ path }) => path.slice(0, path.indexOf('{'))));
  return (path) => [...starts].some((start) => path.startsWith(start));
}

/** Null if a parameter is not valid percent-encoding. */
function decoded(params: FoundRoute['params']): FoundRoute['params'] | null {
  try {
    const pairs = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]);
    return Object.fromEntries(pairs);
  } catch {
    return null;
  }
}
