/**
 * How well categories of one catalog correspond to themes of another ("Town / City / Police" and
 * "City / Police"), learned from pairs of items that are certainly identical. A fixed mapping does
 * not exist and would need to change with every catalog.
 */
import { at } from '../../kernel/at.ts';

/** Between the parts of a category or theme, the broadest first. */
const separator = ' / ';

/** Limits the influence of affinity relative to other scores. */
export const affinityMax = 5;

/** A pair of items, by their indexes in the two catalogs. */
export type IndexPair = readonly [left: number, right: number];

/** Categories and themes of each item, by index. */
export interface Themes {
  readonly left: readonly (readonly string[])[];
  readonly right: readonly (readonly string[])[];
}

export class ThemeAffinity {
  /** Affinities by category and theme: thousands, while there are millions of item pairs. */
  private readonly known = new Map<string, Map<string, number>>();
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly themes: Themes,
    private readonly pairs: readonly IndexPair[],
  ) {
    for (const categories of themes.left) {
      for (const category of categories) {
        levelsOf(category).forEach((level, depth) => {
          this.count(`all ${depth} ${level}`, 1 / categories.length);
        });
      }
    }
    for (const [left, right] of pairs) this.learn(at(themes.left, left), at(themes.right, right));
  }

  /** Positive for items that belong together, negative for others; 0 if unknown. */
  of(left: number, right: number): number {
    const categories = at(this.themes.left, left);
    const themes = at(this.themes.right, right);
    if (categories.length === 0 || themes.length === 0) return 0;
    let best = -affinityMax;
    for (const category of categories) {
      for (const theme of themes) best = Math.max(best, this.between(category, theme));
    }
    return best;
  }

  private learn(categories: readonly string[], themes: readonly string[]): void {
    const share = 1 / (categories.length * themes.length);
    for (const category of categories) {
      this.count(`found ${rootOf(category)}`, 1 / categories.length);
      const levels = levelsOf(category);
      for (const theme of themes) {
        levelsOf(theme).forEach((level, depth) => {
          this.count(`theme ${depth} ${level}`, share);
          this.count(`both ${depth} ${levels[depth]} | ${level}`, share);
        });
      }
    }
  }

  /** Cached; see `known`. */
  private between(category: string, theme: string): number {
    const row = this.known.get(category) ?? new Map<string, number>();
    this.known.set(category, row);
    const known = row.get(theme);
    if (known !== undefined) return known;
    const affinity = Math.max(-affinityMax, Math.min(affinityMax, this.compute(category, theme)));
    row.set(theme, affinity);
    return affinity;
  }

  /** The log of observed over expected co-occurrence, at the broad and the full level. */
  private compute(category: string, theme: string): number {
    const levels = levelsOf(category);
    const among = levelsOf(theme).map((level, depth) =>
      this.surplus(
        this.counted(`both ${depth} ${levels[depth]} | ${level}`),
        this.shareOf(depth, levels[depth]) * this.counted(`theme ${depth} ${level}`),
      ),
    );
    // The other catalog may have nothing of this category.
    const expected = this.shareOf(0, rootOf(category)) * this.pairs.length;
    const found = this.surplus(this.counted(`found ${rootOf(category)}`), expected);
    return among.reduce((sum, part) => sum + part, Math.min(0, found));
  }

  private surplus(count: number, expected: number): number {
    return Math.log((count + 1) / (expected + 1));
  }

  /** The share of the left catalog that is in a category. */
  private shareOf(depth: number, level: string | undefined): number {
    return this.counted(`all ${depth} ${level}`) / this.themes.left.length;
  }

  private counted(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  private count(name: string, by: number): void {
    this.counts.set(name, this.counted(name) + by);
  }
}

function rootOf(theme: string): string {
  return theme.split(separator, 1)[0] ?? theme;
}

/** The broadest part and the whole. */
function levelsOf(theme: string): readonly [string, string] {
  return [rootOf(theme), theme];
}
