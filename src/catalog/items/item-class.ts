/**
 * The class of an item that catalogs list among sets, such as a polybag or a book, derived from the
 * different terms that sources use.
 */

/** The default class comes first. */
export const itemClasses = ['set', 'polybag', 'promotional', 'sample', 'gear', 'book'] as const;

export type ItemClass = (typeof itemClasses)[number];

/** The class of an item by one source; null is unknown. */
export interface ClassHints {
  readonly number: string;
  readonly title: string | null;
  readonly theme: string | null;
  readonly subtheme: string | null;
  /** Brickset's category: Normal, Collection, Extended, Other, Random, Gear, Book. */
  readonly category?: string | null;
  /** Brickset's packaging: Box, Polybag, Foil pack … */
  readonly packaging?: string | null;
  /** Brickset's availability: Retail, LEGO exclusive, Promotional … */
  readonly availability?: string | null;
}

/**
 * Whether searches list an item after all others, because few searches are for it: gear, books,
 * giveaways, and single days of advent calendars. Minifigs have no class.
 */
export function ranksLast(itemClass: ItemClass | null, name: string): boolean {
  if (itemClass === null) return false;
  return lastClasses.has(itemClass) || calendarDay.test(name);
}

const lastClasses: ReadonlySet<ItemClass> = new Set(['gear', 'book', 'promotional']);

/** Catalogs list each as a variant: "Advent Calendar 2020, Star Wars (Day 12) - Porg". */
const calendarDay = /\(day\s+\d+\)/i;

/** Gear and books are valued only by their own sales, never from similar items. */
export function isModeled(itemClass: ItemClass): boolean {
  return itemClass !== 'gear' && itemClass !== 'book';
}

/** The class according to a source; null if it does not say. */
export function classOf(hints: ClassHints): ItemClass | null {
  if (isBook(hints)) return 'book';
  if (isGear(hints)) return 'gear';
  if (isSample(hints)) return 'sample';
  if (isPromotional(hints)) return 'promotional';
  if (isPolybag(hints)) return 'polybag';
  return hints.category ? 'set' : null;
}

/** Brickset prefixes the numbers of books with ISBN; other catalogs use the plain number. */
const isbnPattern = /^(isbn|97[89]\d{10}(-\d+)?$)/i;

/** Gifts and giveaways, as named in themes, subthemes and availabilities. */
const promotionalWords = [
  'promotional',
  'not sold',
  'gift with purchase',
  'magazine gift',
  'employee gift',
  'lego employee gift',
  'insiders reward',
];

function isBook({ number, theme, category }: ClassHints): boolean {
  if (category) return isWord(category, 'book');
  return isWord(theme, 'books') || isbnPattern.test(number);
}

/** If a source has categories, they decide instead of its themes. */
function isGear({ theme, category }: ClassHints): boolean {
  return category ? isWord(category, 'gear') : isWord(theme, 'gear');
}

function isSample({ title, theme, subtheme }: ClassHints): boolean {
  return [title, theme, subtheme].some((text) => /\bsamples?\b/i.test(text ?? ''));
}

function isPromotional({ theme, subtheme, availability }: ClassHints): boolean {
  // BrickLink's subthemes are paths: "Classic Town / Promotional".
  const parts = (subtheme ?? '').split(' / ');
  return [theme, availability, ...parts].some((text) => isGiveaway(text ?? ''));
}

function isGiveaway(text: string): boolean {
  const lower = text.trim().toLowerCase();
  return promotionalWords.some((words) => lower.startsWith(words));
}

function isPolybag({ title, packaging }: ClassHints): boolean {
  return isWord(packaging, 'polybag') || /\bpolybags?\b/i.test(title ?? '');
}

function isWord(text: string | null | undefined, word: string): boolean {
  return text?.trim().toLowerCase() === word;
}
