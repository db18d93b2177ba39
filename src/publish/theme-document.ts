/** The document of the theme list. */

import { compareText } from '../catalog/items/numbers.ts';
import type { ThemeList } from '../contract/catalog.ts';
import { foldText } from '../kernel/text.ts';
import type { ThemeCount } from '../market/published/publishing.ts';

/** Sorted by name, ignoring case and accents. */
export function themeList(counts: readonly ThemeCount[]): ThemeList {
  const themes = counts
    .map(({ theme, setCount }) => ({ theme, set_count: setCount, folded: foldText(theme) }))
    .sort((a, b) => compareText(a.folded, b.folded) || compareText(a.theme, b.theme))
    .map(({ theme, set_count }) => ({ theme, set_count }));
  return { themes };
}
