/** Matches paths to rows of a table. A path parameter is written `{name}`. */

/** A row, and its path parameters as sent, not decoded. */
export interface PathMatch<T> {
  readonly row: T;
  readonly params: Readonly<Record<string, string>>;
}

/** Null: no such path. */
export type FindPath<T> = (path: string) => PathMatch<T> | null;

/** Paths without parameters come first, then rows in their order. */
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
    // Every second part is a parameter, which is never empty.
    index % 2 === 0 ? RegExp.escape(part) : `(?<${part}>[^/]+)`,
  );
  return new RegExp(`^${parts.join('')}$`);
}
