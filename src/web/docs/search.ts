/** Searching the docs: endpoints, parameters, fields, errors and headings. */
import type { DocEntry } from './library.ts';

/** What is typed is cut to this length, and what is found to this number. */
export const termLengthMax = 100;
export const resultsMax = 40;

/** The entries in which every word occurs, the best first. */
export function searchDocs(entries: readonly DocEntry[], typed: string): DocEntry[] {
  const term = typed.trim().toLowerCase().slice(0, termLengthMax);
  const words = term.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, term, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, resultsMax)
    .map(({ entry }) => entry);
}

/** How well an entry fits: its name counts more than its place, and that more than its text. */
function rankOf({ name, place, text }: DocEntry, term: string, words: readonly string[]): number {
  const [named, all] = [name, `${name} ${place} ${text}`].map((each) => each.toLowerCase());
  if (named === undefined || !words.every((word) => all?.includes(word))) return 0;
  if (named === term) return 4;
  if (named.startsWith(term)) return 3;
  return words.every((word) => named.includes(word)) ? 2 : 1;
}
