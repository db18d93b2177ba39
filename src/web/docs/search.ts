/** Search in the docs: endpoints, parameters, fields, errors and headings. */
import type { DocEntry } from './library.ts';

export const termLengthMax = 100;
export const resultsMax = 40;

/** Synonyms, by the ID of the heading. */
export const otherNames: Readonly<Record<string, string>> = {
  paging: 'pagination cursor next page',
  'quota-and-costs': 'rate limit rate limiting throttling',
  'the-brickmark-api': 'time zone timezone',
  'typescript-client': 'sdk library javascript node deno bun',
  'python-client': 'sdk library httpx asyncio',
  'command-line': 'cli terminal shell',
  'event-stream': 'sse websocket push real time',
};

export interface DocsSearchResult {
  readonly entry: DocEntry;
  readonly excerpt: string;
}

/** An entry with its words in lower case, each after a space. */
interface Indexed {
  readonly entry: DocEntry;
  /** The name, whole and split at capitals: ` quotaexceeded`, ` quota exceeded`. */
  readonly names: readonly string[];
  readonly nameText: string;
  readonly nameAndSection: string;
  readonly allText: string;
}

export class DocsSearch {
  private readonly index: readonly Indexed[];

  constructor(entries: readonly DocEntry[]) {
    this.index = entries.map(indexed);
  }

  /** Entries that have, for each word of the term, a word that begins with it; best first. */
  find(typed: string): DocsSearchResult[] {
    const term = normalized(typed.slice(0, termLengthMax));
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
  const { id, name, section, isHeading, texts } = entry;
  const names = [name, splitCamelCase(name)].map(normalized);
  const others = isHeading ? (otherNames[id] ?? '') : '';
  const nameText = names.join('') + normalized(others);
  const nameAndSection = nameText + normalized(`${section} ${splitCamelCase(section)}`);
  return {
    entry,
    names,
    nameText,
    nameAndSection,
    allText: nameAndSection + normalized(texts.join(' ')),
  };
}

/**
 * How well an entry matches: its name counts most, then its section, then its text. Headings rank
 * above fields, except where only the text matches: that of a field is more specific.
 */
function rankOf(
  { entry, names, nameText, nameAndSection, allText }: Indexed,
  term: string,
  words: string[],
) {
  const hasAll = (text: string) => words.every((word) => text.includes(word));
  if (!hasAll(allText)) return 0;
  const first = entry.isHeading ? 1 : 0;
  if (names.includes(term)) return 10 + first;
  if (names.some((name) => name.startsWith(term))) return 8 + first;
  if (hasAll(nameText)) return 6 + first;
  return hasAll(nameAndSection) ? 4 + first : 2 - first;
}

/** `lengthBefore` is the length before the first match. */
const excerptLengthMax = 240;
const lengthBefore = 80;

/** From the first text that has one of the words, or else from the first text. */
function excerptOf({ texts }: DocEntry, words: readonly string[]): string {
  const has = (text: string) => words.some((word) => normalized(text).includes(word));
  const text = texts.find(has) ?? texts[0] ?? '';
  if (text.length <= excerptLengthMax) return text;
  const found = words.map((word) => text.toLowerCase().indexOf(word.trim()));
  const at = Math.min(...found.filter((index) => index >= 0), text.length);
  const isNear = at === text.length || at < excerptLengthMax - lengthBefore;
  const start = isNear ? 0 : text.indexOf(' ', at - lengthBefore) + 1;
  const end = start + excerptLengthMax;
  const cut = text.slice(start, end);
  const whole = end < text.length ? `${cut.slice(0, cut.lastIndexOf(' '))} …` : cut;
  return start > 0 ? `… ${whole}` : whole;
}

/** Words in lower case, each after one space, without punctuation. */
function normalized(text: string): string {
  return ` ${text}`
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trimEnd();
}

/** Splits camel case: `QuotaExceeded` into two words. */
function splitCamelCase(name: string): string {
  return name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
}
