/** What is known of a set of which next to nothing is known. */
import type { SetFacts } from '../../src/domain/catalog.ts';

/** A set with a number, a title and a theme; tests add what they are about. */
export const bareSet: SetFacts = {
  number: '75192',
  title: 'Castle',
  theme: 'Castles',
  subtheme: null,
  pieces: null,
  year: null,
  minifigs: null,
  minifigsCount: null,
  upc: null,
  ean: null,
  msrpCents: null,
  releaseDate: null,
  retireDate: null,
  imageUrl: null,
  box: null,
};
