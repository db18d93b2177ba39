/** Rebrickable's themes: a tree, of which sets show the root and the leaf. */
import { RowError } from '../fields.ts';

interface ThemeRow {
  readonly name: string;
  readonly parent: string | null;
}

/** Where a set belongs. */
export interface SetTheme {
  readonly theme: string;
  readonly subtheme: string | null;
}

/** Themes by id. */
export class Themes {
  private readonly rows = new Map<string, ThemeRow>();
  private readonly resolved = new Map<string, SetTheme>();

  add(id: string, row: ThemeRow): void {
    this.rows.set(id, row);
  }

  /** The root and, where it is another, the theme itself. Throws a `RowError` when it hangs. */
  find(id: string): SetTheme {
    const known = this.resolved.get(id);
    if (known) return known;
    const leaf = this.row(id, `theme '${id}' is not in themes.csv`);
    const root = this.rootOf(id, leaf);
    const found = { theme: root.name, subtheme: root === leaf ? null : leaf.name };
    this.resolved.set(id, found);
    return found;
  }

  private rootOf(id: string, leaf: ThemeRow): ThemeRow {
    const visited = new Set([id]);
    let row = leaf;
    while (row.parent !== null) {
      const { parent } = row;
      if (visited.has(parent)) {
        throw new RowError(`theme '${id}' is its own ancestor, through '${parent}'`);
      }
      visited.add(parent);
      row = this.row(parent, `theme '${parent}', above theme '${id}', is not in themes.csv`);
    }
    return row;
  }

  private row(id: string, problem: string): ThemeRow {
    const row = this.rows.get(id);
    if (!row) throw new RowError(problem);
    return row;
  }
}
