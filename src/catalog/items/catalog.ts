/** The facts of sets and minifigs, as sources describe them. */
import type { ItemClass } from './item-class.ts';

/** Size and weight of the sealed box. */
export interface Box {
  readonly widthIn: number | null;
  readonly heightIn: number | null;
  readonly depthIn: number | null;
  readonly weightLbs: number | null;
}

export const unknownBox: Box = { widthIn: null, heightIn: null, depthIn: null, weightLbs: null };

/** A source's description of a set. Null is unknown. */
export interface SetDescription {
  readonly number: string;
  /** Null, like the theme, if the source only supplements sets that others name. */
  readonly title: string | null;
  readonly theme: string | null;
  readonly subtheme: string | null;
  readonly pieces: number | null;
  readonly year: number | null;
  /** Minifig numbers in the source's spelling; null if the source does not list them. */
  readonly minifigs: readonly string[] | null;
  readonly minifigsCount: number | null;
  readonly upc: string | null;
  readonly ean: string | null;
  readonly msrpCents: number | null;
  readonly releaseDate: string | null;
  /** May be in the future. */
  readonly retireDate: string | null;
  /** True if the source tracks a shop that still sells the set. */
  readonly isOnSale: true | null;
  readonly imageUrl: string | null;
  readonly box: Box | null;
  /** Null if the source does not say. */
  readonly itemClass: ItemClass | null;
}

/** A set merged from all of its sources, with a known title, theme and class. */
export interface SetFacts extends SetDescription {
  readonly title: string;
  readonly theme: string;
  readonly itemClass: ItemClass;
}

/** Whether a description names the item, rather than only supplementing others. */
export function isNaming(facts: SetDescription | MinifigFacts): boolean {
  return 'name' in facts || (facts.title !== null && facts.theme !== null);
}

/** A source's description of a minifig. */
export interface MinifigFacts {
  readonly number: string;
  readonly name: string;
  readonly category: string | null;
  readonly color: string | null;
  readonly yearReleased: number | null;
  readonly imageUrl: string | null;
  /** Its numbers in other catalogs. */
  readonly aliases: readonly string[];
}

/** The year of release; null if neither it nor the date is known. */
export function releaseYear({ year, releaseDate }: Pick<SetFacts, 'year' | 'releaseDate'>) {
  return year ?? (releaseDate === null ? null : Number(releaseDate.slice(0, 4)));
}
