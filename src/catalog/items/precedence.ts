/** Which source each field is taken from. A test compares these tables with `docs/formats.md`. */
import type { Box, MinifigFacts, SetFacts } from './catalog.ts';
import { compareText } from './numbers.ts';

/** A field of a set; the parts of the box are separate fields. */
export type SetField = Exclude<keyof SetFacts, 'number' | 'box'> | `box.${keyof Box}`;

/** A field of a minifig. Aliases of all sources are combined instead. */
export type MinifigField = Exclude<keyof MinifigFacts, 'number' | 'aliases'>;

/** Fields with the same order of sources. */
export interface PrecedenceRule<Field extends string> {
  readonly fields: readonly Field[];
  /**
   * If a source knows all of these fields, the whole group is taken from the first such source.
   * Otherwise, or if empty, each field is taken from the first source that knows it.
   */
  readonly together: readonly Field[];
  /** Highest precedence first. Other sources follow, ordered by name. */
  readonly sources: readonly string[];
}

/** Brickset's formats, each a separate source, the most complete first. */
const brickset = ['brickset', 'brickset-full', 'brickset-flat', 'brickset-export'];

/** Sources whose count of minifigs is the units in the newest version of an inventory. */
const inventories: readonly string[] = ['bricklink-inventory', 'rebrickable'];

/**
 * Whether a source's count of minifigs can be that of the set. A count below the number of
 * different minifigs in the list is incomplete, except in an inventory: its list also has minifigs
 * that were replaced while the set was sold.
 */
export function countsMinifigs(
  { source, facts }: { readonly source: string; readonly facts: Pick<SetFacts, 'minifigsCount'> },
  listed: number,
): boolean {
  const { minifigsCount } = facts;
  return minifigsCount !== null && (minifigsCount >= listed || inventories.includes(source));
}

const naming = ['feed', 'rebrickable', ...brickset, 'bricklink', 'keepa'];
const selling = ['feed', ...brickset, 'keepa', 'rebrickable', 'bricklink'];
const boxes = ['feed', ...brickset, 'keepa', 'bricklink'];

/**
 * Sources that report as retirement the last day on which LEGO's own shop had the set: an
 * observation, while other sources may report plans.
 */
export const shopSources: readonly string[] = ['brickset-flat'];

export const setPrecedence: readonly PrecedenceRule<SetField>[] = [
  { fields: ['title', 'year'], together: [], sources: naming },
  // Brickset has the number printed on the box; parts lists count spare parts, or nothing yet.
  {
    fields: ['pieces'],
    together: [],
    sources: ['feed', ...brickset, 'rebrickable', 'bricklink', 'keepa'],
  },
  {
    fields: ['theme', 'subtheme'],
    together: ['theme'],
    sources: ['feed', 'rebrickable', ...brickset, 'bricklink'],
  },
  // Brickset has categories for it; for other sources it is inferred from themes and names.
  {
    fields: ['itemClass'],
    together: [],
    sources: ['feed', ...brickset, 'rebrickable', 'bricklink'],
  },
  // The market uses BrickLink's numbers, and Brickset lists those.
  {
    fields: ['minifigs'],
    together: [],
    sources: ['feed', 'bricklink-inventory', ...brickset, 'bricklink', 'rebrickable'],
  },
  // Brickset has the number of the box. `countsMinifigs` says which counts are usable.
  {
    fields: ['minifigsCount'],
    together: [],
    sources: ['feed', ...brickset, ...inventories, 'bricklink'],
  },
  // `retireDate` and `isOnSale` exclude each other: the higher-ranked source decides.
  { fields: ['upc', 'ean', 'msrpCents', 'retireDate', 'isOnSale'], together: [], sources: selling },
  // `brickset-flat` has the first day in LEGO's shop, which may be long after the release.
  {
    fields: ['releaseDate'],
    together: [],
    sources: ['feed', 'brickset', 'brickset-full', 'brickset-export', 'brickset-flat', 'keepa'],
  },
  { fields: ['imageUrl'], together: [], sources: naming },
  // Sides from different sources would combine into a box that does not exist.
  {
    fields: ['box.widthIn', 'box.heightIn', 'box.depthIn'],
    together: ['box.widthIn', 'box.heightIn', 'box.depthIn'],
    sources: boxes,
  },
  { fields: ['box.weightLbs'], together: [], sources: boxes },
];

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

/** Sorts records by a rule's order; stable for several records of one source. */
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
