/** The document of the theme list. */
import type { ThemeList } from '../contract/catalog.ts';
import { compareText } from '../domain/catalog/numbers.ts';
import { foldText } from '../domain/kernel/text.ts';
import type { ThemeCount } from '../domain/market/publishing.ts';

/** Sorted by name, ignoring case and accents. */
export function themeList(counts: readonly ThemeCount[]): ThemeList {
  const themes = counts
    .map(({ theme, setCount }) => ({ theme, set_count: setCount, folded: foldText(theme) }))
    .sort((a, b) => compareText(a.folded, b.folded) || compareText(a.theme, b.theme))
    .map(({ theme, set_count }) => ({ theme, set_count }));
  return { themes };
}
