/** Themes that a search may mean, beside the sets that it finds. */
import { searchTerms } from './search-terms.ts';
import { americanWords, searchWords } from './search-words.ts';

/** The themes in whose names what was typed begins at a word: whole names first, then in order. */
export function matchThemes<Theme extends { readonly theme: string }>(
  themes: readonly Theme[],
  term: string,
): Theme[] {
  const { phrases } = searchTerms('set', term);
  const ranked = themes.flatMap((theme) => {
    const rank = Math.min(...phrases.map((phrase) => rankOf(theme.theme, phrase)));
    return rank < noMatch ? [{ theme, rank }] : [];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ theme }) => theme);
}

const noMatch = 3;

/** 0 for the whole name, 1 for its beginning, 2 for the beginning of another word. */
function rankOf(theme: string, phrase: string): number {
  if (phrase === '') return noMatch;
  const words = americanWords(searchWords(theme));
  const together = words.join('');
  if (together === phrase) return 0;
  if (together.startsWith(phrase)) return 1;
  const isLater = words.some((_, start) => words.slice(start).join('').startsWith(phrase));
  return isLater ? 2 : noMatch;
}
