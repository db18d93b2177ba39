/** What sources say about a set or a minifigure. */
import type { ItemClass } from './item-class.ts';

/** Size and weight of the sealed box. */
export interface Box {
  readonly widthIn: number | null;
  readonly heightIn: number | null;
  readonly depthIn: number | null;
  readonly weightLbs: number | null;
}

/** A set as one source describes it. Null is unknown. */
export interface SetDescription {
  readonly number: string;
  /** Null, like the theme, when the source only adds to sets that others name. */
  readonly title: string | null;
  readonly theme: string | null;
  readonly subtheme: string | null;
  readonly pieces: number | null;
  readonly year: number | null;
  /** Minifig numbers, as the source spells them; null when the source does not list them. */
  readonly minifigs: readonly string[] | null;
  readonly minifigsCount: number | null;
  readonly upc: string | null;
  readonly ean: string | null;
  readonly msrpCents: number | null;
  readonly releaseDate: string | null;
  /** May lie ahead. */
  readonly retireDate: string | null;
  /** True when the source follows a shop that still has the set. */
  readonly isOnSale: true | null;
  readonly imageUrl: string | null;
  readonly box: Box | null;
  /** Null when the source does not say. */
  readonly itemClass: ItemClass | null;
}

/** A set as all of its sources together describe it: its title, theme and class are known. */
export interface SetFacts extends SetDescription {
  readonly title: string;
  readonly theme: string;
  readonly itemClass: ItemClass;
}

/** Whether a description says what the item is, and does not only add to what others say. */
export function isNaming(facts: SetDescription | MinifigFacts): boolean {
  return 'name' in facts || (facts.title !== null && facts.theme !== null);
}

/** A minifigure as one source describes it. */
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
