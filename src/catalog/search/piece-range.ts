/** Searches for a number of pieces, such as `9090 pieces` or `castle 500-1000 pcs`. */

export interface PieceSearch {
  /** The rest of the query. */
  readonly term: string;
  /** Inclusive; null: no limit on that side. */
  readonly pieces: { readonly from: number | null; readonly to: number | null };
}

/** Null if the query does not name a number of pieces. */
export function readPieces(query: string): PieceSearch | null {
  const [all = '', atLeast, atMost, first, plus, last] = pattern.exec(query) ?? [];
  const [from, to] = [countOf(first), countOf(last ?? first)];
  if (all === '' || to < from) return null;
  return {
    term: query.replace(all, ' ').replace(/\s+/g, ' ').trim(),
    pieces: { from: atMost ? null : from, to: atLeast || plus ? null : to },
  };
}

const countOf = (text = '') => Number(text.replaceAll(',', ''));

const count = String.raw`(\d{1,3}(?:,\d{3})+|\d{1,6})`;
const limit = '(?:(over|above|at least|from|more than)|(under|below|at most|up to|less than))';
const range = String.raw`${count}(?:(\+)|\s*(?:-|–|to)\s*${count})?`;
const pattern = new RegExp(
  String.raw`(?<!\S)(?:${limit}\s+)?${range}\s*(?:pieces?|pcs?|parts)(?!\S)`,
  'i',
);
