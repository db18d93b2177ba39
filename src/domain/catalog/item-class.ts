/**
 * What a set of the catalog is in a shop: a set, or one of the things that catalogs list beside
 * sets. Sources say it in words of their own; this file knows these words.
 */

/** The classes, the ordinary one first. */
export const itemClasses = ['set', 'polybag', 'promotional', 'sample', 'gear', 'book'] as const;

/** What an item listed among sets is. */
export type ItemClass = (typeof itemClasses)[number];

/** What tells the class of an item, as one source says it; null is unknown. */
export interface ClassHints {
  readonly number: string;
  readonly title: string | null;
  readonly theme: string | null;
  readonly subtheme: string | null;
  /** Brickset's: Normal, Collection, Extended, Other, Random, Gear, Book. */
  readonly category?: string | null;
  /** Brickset's: Box, Polybag, Foil pack … */
  readonly packaging?: string | null;
  /** Brickset's: Retail, LEGO exclusive, Promotional … */
  readonly availability?: string | null;
}

/** Whether a search lists the class after all others: few people who search mean these. */
export function isFoundLast(itemClass: ItemClass): boolean {
  return itemClass === 'gear' || itemClass === 'book' || itemClass === 'promotional';
}

/** Whether a value may be modeled: what gear and books are worth, only their own sales tell. */
export function isModeled(itemClass: ItemClass): boolean {
  return itemClass !== 'gear' && itemClass !== 'book';
}

/** The class that a source's words say; null when they do not say it. */
export function classOf(hints: ClassHints): ItemClass | null {
  if (isBook(hints)) return 'book';
  if (isGear(hints)) return 'gear';
  if (isSample(hints)) return 'sample';
  if (isPromotional(hints)) return 'promotional';
  if (isPolybag(hints)) return 'polybag';
  return hints.category ? 'set' : null;
}

/** Brickset writes ISBN before the numbers of books, other catalogs write the number alone. */
const isbnPattern = /^(isbn|97[89]\d{10}(-\d+)?$)/i;

/** Gifts and giveaways, as themes, subthemes and availabilities name them. */
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

/** A source with categories of its own says by them, and not by its themes, what is gear. */
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
