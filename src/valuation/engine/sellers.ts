/** Sellers of an item: how far each may move its value, and sales reported by two sources. */
import { at } from '../../domain/kernel/at.ts';
import { dayMs } from '../../domain/kernel/time.ts';
import { type Rejection, type Row, type RowMark, wasTakenBack } from './admit.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** Sales of a seller within this time count together. */
const quarterMs = 90 * dayMs;

/** A seller without competition for this long is not bounded. */
const aloneMs = 365 * dayMs;

/** How far a sale has moved the value (log), and how far an ordinary one could have. */
interface Move {
  readonly at: number;
  readonly log: number;
  readonly limit: number;
}

export class Sellers {
  /** The moves of each seller, by latest sale. */
  readonly #moves = new Map<string, Move[] | StoredMoves>();
  #latest: { readonly seller: string; readonly at: number } | null = null;
  /** The latest sale of a seller other than that of `#latest`. */
  #othersAt = Number.NEGATIVE_INFINITY;
  readonly #atOnce: Row[] = [];
  /** No seller's latest sale is before this, so that most sales need no search for them. */
  #allAfter = Number.NEGATIVE_INFINITY;

  /** The number of sellers in the quarter before the latest sale. */
  get count(): number {
    return this.#moves.size;
  }

  /**
   * The share of a move (log) that a sale may cause, and records it. In a quarter, one seller moves
   * a value no further than a single sale can. `limit`: how far an ordinary sale could move it.
   */
  shareOf(row: RowMark, move: number, limit: number): number {
    const { seller } = row;
    const isAlone = this.#othersSoldAt(seller, row.at) < row.at - aloneMs;
    const recent = this.#recentMoves(seller, row.at - quarterMs);
    let [before, bound] = [0, limit];
    for (const each of recent) {
      before += each.log;
      bound = Math.max(bound, each.limit);
    }
    const after = Math.max(-bound, Math.min(bound, before + move));
    const share = isAlone || move === 0 ? 1 : Math.max(0, Math.min(1, (after - before) / move));
    recent.push({ at: row.at, log: share * move, limit });
    this.#record(seller, recent);
    return share;
  }

  /** Without sales of the current instant, which later rows cannot repeat. */
  write(to: StateWriter): void {
    to.list([...this.#moves], ([seller, moves]) => {
      to.text(seller);
      to.numbers(listOf(moves).flatMap(({ at, log, limit }) => [log, limit, at]));
    });
    to.optional(this.#latest, ({ seller, at }) => {
      to.text(seller);
      to.number(at);
    });
    to.number(this.#othersAt);
  }

  read(from: StateReader): void {
    from.list(() => this.#moves.set(from.text(), from.view()));
    this.#latest = from.optional(() => ({ seller: from.text(), at: from.number() }));
    this.#othersAt = from.number();
  }

  #recentMoves(seller: string, after: number): Move[] {
    const known = this.#moves.get(seller);
    if (!known) return [];
    const moves = listOf(known);
    return at(moves, 0).at > after ? moves : moves.filter((move) => move.at > after);
  }

  #othersSoldAt(seller: string, at: number): number {
    if (this.#latest && this.#latest.seller !== seller) this.#othersAt = this.#latest.at;
    this.#latest = { seller, at };
    return this.#othersAt;
  }

  /** Removes sellers without a recent sale. */
  #record(seller: string, moves: Move[]): void {
    this.#moves.delete(seller);
    this.#moves.set(seller, moves);
    const from = latestAt(moves) - quarterMs;
    if (this.#allAfter > from) return;
    for (const [other, own] of this.#moves) {
      this.#allAfter = latestAt(own);
      if (this.#allAfter > from) return;
      this.#moves.delete(other);
    }
  }

  /** Why a row is rejected; null if it is admitted. */
  rejectionOf(row: Row, knownBefore: number | null): Rejection | null {
    if (wasTakenBack(row, knownBefore)) return 'retracted';
    if (row.rejection) return row.rejection;
    return this.isDuplicate(row) ? 'duplicate' : null;
  }

  /** Whether another source has reported the same sale; records the sale. */
  isDuplicate(row: Row): boolean {
    if (row.sale.seller === null) return false;
    if (this.#atOnce[0]?.at !== row.at) this.#atOnce.length = 0;
    const isKnown = this.#atOnce.some((other) => isSameSale(row, other));
    if (this.#atOnce.length < atOnceMax) this.#atOnce.push(row);
    return isKnown;
  }
}

/** Three numbers for each move, of which the last is its time. Most are never needed again. */
type StoredMoves = Float64Array;

function listOf(moves: Move[] | StoredMoves): Move[] {
  if (!(moves instanceof Float64Array)) return moves;
  const list: Move[] = [];
  for (let index = 0; index < moves.length; index += 3) {
    const [log, limit, time] = [at(moves, index), at(moves, index + 1), at(moves, index + 2)];
    list.push({ at: time, log, limit });
  }
  return list;
}

function latestAt(moves: Move[] | StoredMoves): number {
  if (moves instanceof Float64Array) return at(moves, moves.length - 1);
  return at(moves, moves.length - 1).at;
}

/** At most this many sales of one instant are compared. */
const atOnceMax = 100;

function isSameSale({ sale: a }: Row, { sale: b }: Row): boolean {
  return (
    a.source !== b.source &&
    a.seller === b.seller &&
    a.condition === b.condition &&
    a.priceCents === b.priceCents &&
    a.currency === b.currency &&
    a.quantity === b.quantity
  );
}
