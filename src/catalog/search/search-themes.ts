/** Finds themes that match a search. */
import { searchTerms } from './search-terms.ts';
import { americanWords, searchWords } from './search-words.ts';

/** Themes that contain the query at the start of a word: whole names first, then prefixes. */
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

/** 0 for the whole name, 1 for a prefix of it, 2 for a prefix of a later word. */
function rankOf(theme: string, phrase: string): number {
  if (phrase === '') return noMatch;
  const words = americanWords(searchWords(theme));
  const together = words.join('');
  if (together === phrase) return 0;
  if (together.startsWith(phrase)) return 1;
  const isLater = words.some((_, start) => words.slice(start).join('').startsWith(phrase));
  return isLater ? 2 : noMatch;
}
