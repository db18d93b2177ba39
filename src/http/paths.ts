/** Finds which row of a table a path belongs to. A parameter of a path is written `{name}`. */

/** A row, and the values of its path's parameters as they stand in the path, not decoded. */
export interface PathMatch<T> {
  readonly row: T;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the row of a path; null for a path that is not there. */
export type FindPath<T> = (path: string) => PathMatch<T> | null;

/** Compiles a table. A path without parameters comes first, then rows in their order. */
export function compilePaths<T extends { readonly path: string }>(rows: readonly T[]): FindPath<T> {
  const fixed = new Map<string, PathMatch<T>>();
  const open: { readonly row: T; readonly pattern: RegExp }[] = [];
  for (const row of rows) {
    if (row.path.includes('{')) open.push({ row, pattern: patternOf(row.path) });
    else fixed.set(row.path, { row, params: {} });
  }
  return (path) => {
    const match = fixed.get(path);
    if (match) return match;
    for (const { row, pattern } of open) {
      const params = pattern.exec(path)?.groups;
      if (params) return { row, params };
    }
    return null;
  };
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{(\w+)\}/).map((part, index) =>
    // Every second part is the name of a parameter, which is never empty.
    index % 2 === 0 ? RegExp.escape(part) : `(?<${part}>[^/]+)`,
  );
  return new RegExp(`^${parts.join('')}$`);
}
