/** Searching the docs: endpoints, parameters, fields, errors and headings. */
import type { DocEntry } from './library.ts';

/** The maximum length of a search term, and number of results. */
export const termLengthMax = 100;
export const resultsMax = 40;

/** Other names of things, by the id of the heading. */
export const otherNames: Readonly<Record<string, string>> = {
  paging: 'pagination cursor next page',
  'quota-and-costs': 'rate limit rate limiting throttling',
  'the-brickmark-api': 'time zone timezone',
  'typescript-client': 'sdk library javascript node deno bun',
  'command-line': 'cli terminal shell',
  'event-stream': 'sse websocket push real time',
};

/** A result, with the part that has the words. */
export interface Finding {
  readonly entry: DocEntry;
  readonly excerpt: string;
}

/** An entry with its words in lower case, each after a space. */
interface Indexed {
  readonly entry: DocEntry;
  /** The name, whole and split at capitals: ` quotaexceeded`, ` quota exceeded`. */
  readonly names: readonly string[];
  readonly named: string;
  readonly placed: string;
  readonly all: string;
}

/** A search index of the docs. */
export class DocsSearch {
  private readonly index: readonly Indexed[];

  constructor(entries: readonly DocEntry[]) {
    this.index = entries.map(indexed);
  }

  /** The entries with a word that begins with each of those typed, the best first. */
  find(typed: string): Finding[] {
    const term = spelled(typed.slice(0, termLengthMax));
    const words = term.split(' ').flatMap((word) => (word === '' ? [] : [` ${word}`]));
    if (words.length === 0) return [];
    return this.index
      .map((each) => ({ entry: each.entry, rank: rankOf(each, term, words) }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank)
      .slice(0, resultsMax)
      .map(({ entry }) => ({ entry, excerpt: excerptOf(entry, words) }));
  }
}

function indexed(entry: DocEntry): Indexed {
  const { id, name, place, isHeading, texts } = entry;
  const names = [name, apart(name)].map(spelled);
  const others = isHeading ? (otherNames[id] ?? '') : '';
  const named = names.join('') + spelled(others);
  const placed = named + spelled(`${place} ${apart(place)}`);
  return { entry, names, named, placed, all: placed + spelled(texts.join(' ')) };
}

/**
 * How well an entry fits: its name counts most, then its place, then its text. Headings come before
 * the fields below them, but a field whose own text fits before a long section that has the word.
 */
function rankOf({ entry, names, named, placed, all }: Indexed, term: string, words: string[]) {
  const hasAll = (text: string) => words.every((word) => text.includes(word));
  if (!hasAll(all)) return 0;
  const first = entry.isHeading ? 1 : 0;
  if (names.includes(term)) return 10 + first;
  if (names.some((name) => name.startsWith(term))) return 8 + first;
  if (hasAll(named)) return 6 + first;
  return hasAll(placed) ? 4 + first : 2 - first;
}

/** The maximum length of an excerpt, and its length before the first match. */
const excerptLengthMax = 240;
const lengthBefore = 80;

/** The first text that has one of the words, or the first of all. */
function excerptOf({ texts }: DocEntry, words: readonly string[]): string {
  const has = (text: string) => words.some((word) => spelled(text).includes(word));
  const text = texts.find(has) ?? texts[0] ?? '';
  if (text.length <= excerptLengthMax) return text;
  const places = words.map((word) => text.toLowerCase().indexOf(word.trim()));
  const at = Math.min(...places.filter((place) => place >= 0), text.length);
  const isNear = at === text.length || at < excerptLengthMax - lengthBefore;
  const start = isNear ? 0 : text.indexOf(' ', at - lengthBefore) + 1;
  const end = start + excerptLengthMax;
  const cut = text.slice(start, end);
  const whole = end < text.length ? `${cut.slice(0, cut.lastIndexOf(' '))} …` : cut;
  return start > 0 ? `… ${whole}` : whole;
}

/** Words in lower case, with a space before each and nothing else between them. */
function spelled(text: string): string {
  return ` ${text}`
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trimEnd();
}

/** `QuotaExceeded` as two words. */
function apart(name: string): string {
  return name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
}
