/** Rebrickable's theme tree; sets have the root as theme and the leaf as subtheme. */
import { RowError } from '../runner/fields.ts';

interface ThemeRow {
  readonly name: string;
  readonly parent: string | null;
}

export interface SetTheme {
  readonly theme: string;
  readonly subtheme: string | null;
}

export class Themes {
  private readonly rows = new Map<string, ThemeRow>();
  private readonly known = new Map<string, SetTheme>();

  add(id: string, row: ThemeRow): void {
    this.rows.set(id, row);
  }

  /** Throws a `RowError` if the theme or one of its ancestors is missing. */
  find(id: string): SetTheme {
    const known = this.known.get(id);
    if (known) return known;
    const leaf = this.row(id, `theme '${id}' is not in themes.csv`);
    const root = this.rootOf(id, leaf);
    const found = { theme: root.name, subtheme: root === leaf ? null : leaf.name };
    this.known.set(id, found);
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
