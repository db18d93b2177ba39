/** What a source says about a set or a minifigure. */

/** Size and weight of the sealed box. */
export interface Box {
  readonly widthIn: number | null;
  readonly heightIn: number | null;
  readonly depthIn: number | null;
  readonly weightLbs: number | null;
}

/** A set as one source describes it. Null is unknown. */
export interface SetFacts {
  readonly number: string;
  readonly title: string;
  readonly theme: string;
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
  readonly imageUrl: string | null;
  readonly box: Box | null;
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
