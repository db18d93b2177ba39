/**
 * Which source decides which field: the one place where sources are ranked. `docs/formats.md` shows
 * these tables, and a test compares them.
 */
import type { Box, MinifigFacts, SetFacts } from './catalog.ts';
import { compareText } from './numbers.ts';

/** A field of a set. Those of the box are named on their own. */
export type SetField = Exclude<keyof SetFacts, 'number' | 'box'> | `box.${keyof Box}`;

/** A field of a minifig. Aliases are not ranked: those of all sources count. */
export type MinifigField = Exclude<keyof MinifigFacts, 'number' | 'aliases'>;

/** Fields that sources are asked for in one order. */
export interface PrecedenceRule<Field extends string> {
  readonly fields: readonly Field[];
  /**
   * The fields come together from the first source that knows these. When no source does, or when
   * none are named here, each field comes from the first source that knows it.
   */
  readonly together: readonly Field[];
  /** First to last. Sources that are not named come after these, in the order of their names. */
  readonly sources: readonly string[];
}

/** Brickset in its shapes, the most complete first; each is a source of its own. */
const brickset = ['brickset', 'brickset-full', 'brickset-flat', 'brickset-export'];

const naming = ['feed', 'rebrickable', ...brickset, 'bricklink', 'keepa'];
const selling = ['feed', ...brickset, 'keepa', 'rebrickable', 'bricklink'];
const boxes = ['feed', ...brickset, 'keepa', 'bricklink'];

/**
 * Sources whose retirement is the last day on which LEGO's own shop had the set. It was seen, while
 * others may tell of a plan.
 */
export const shopSources: readonly string[] = ['brickset-flat'];

/** The fields of a set. */
export const setPrecedence: readonly PrecedenceRule<SetField>[] = [
  { fields: ['title', 'year', 'pieces'], together: [], sources: naming },
  {
    fields: ['theme', 'subtheme'],
    together: ['theme'],
    sources: ['feed', 'rebrickable', ...brickset, 'bricklink'],
  },
  // Brickset has categories for it; what others say shows in themes and names alone.
  {
    fields: ['itemClass'],
    together: [],
    sources: ['feed', ...brickset, 'rebrickable', 'bricklink'],
  },
  // The market trades in the numbers of BrickLink, and Brickset lists those.
  {
    fields: ['minifigs', 'minifigsCount'],
    together: [],
    sources: ['feed', 'bricklink-inventory', ...brickset, 'bricklink', 'rebrickable'],
  },
  // Of these, the last two rule each other out: the source that comes first is right.
  { fields: ['upc', 'ean', 'msrpCents', 'retireDate', 'isOnSale'], together: [], sources: selling },
  // The first day in a shop, which is what the flat objects have, may be long after the release.
  {
    fields: ['releaseDate'],
    together: [],
    sources: ['feed', 'brickset', 'brickset-full', 'brickset-export', 'brickset-flat', 'keepa'],
  },
  { fields: ['imageUrl'], together: [], sources: naming },
  // Sides of two boxes would make a third one that nobody has.
  {
    fields: ['box.widthIn', 'box.heightIn', 'box.depthIn'],
    together: ['box.widthIn', 'box.heightIn', 'box.depthIn'],
    sources: boxes,
  },
  { fields: ['box.weightLbs'], together: [], sources: boxes },
];

/** The fields of a minifig. */
export const minifigPrecedence: readonly PrecedenceRule<MinifigField>[] = [
  {
    fields: ['name', 'category', 'color', 'yearReleased', 'imageUrl'],
    together: [],
    sources: [
      'feed',
      'bricklink',
      'bricklink-years',
      'bricklink-list',
      'bricklink-inventory',
      'rebrickable',
    ],
  },
];

/** Puts what sources say in the order of a rule; what one source says twice stays in order. */
export function inPrecedence<Record extends { readonly source: string }>(
  records: readonly Record[],
  order: readonly string[],
): Record[] {
  const rankOf = (source: string) => {
    const index = order.indexOf(source);
    return index < 0 ? order.length : index;
  };
  return [...records].sort(
    (a, b) => rankOf(a.source) - rankOf(b.source) || compareText(a.source, b.source),
  );
}
