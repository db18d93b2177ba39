/** Sellers of an item: how far each may move its value, and sales reported by two sources. */
import { at } from '../../../kernel/at.ts';
import { dayMs } from '../../../kernel/time.ts';
import { type Rejection, type Row, type RowMark, wasTakenBack } from './admit.ts';
import { OtherSellers, RecentSales } from './recent-sales.ts';
import { quarterMs } from './seller-sales.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** A seller without competition for this long is not bounded. */
const aloneMs = 365 * dayMs;

/** How far a sale moves the value (log), and how far an ordinary one could. */
interface Move {
  readonly log: number;
  readonly limit: number;
}

export class Sellers {
  readonly #moves = new Moves();
  /** Of sources that name no sellers. */
  readonly #sourceMoves = new Moves();
  readonly #others = new OtherSellers();
  readonly #atOnce: Row[] = [];

  /** The number of sellers in the quarter before the latest sale. */
  get count(): number {
    return this.#moves.size;
  }

  /**
   * The share of a move that a sale may cause, and records it. In a quarter, one seller moves a
   * value no further than a single sale can, and a source no further than `sellersMax` of them.
   */
  shareOf(row: RowMark, sellersMax: number, { log, limit }: Move): number {
    const isAlone = this.#others.lastAt(row.seller, row.at) < row.at - aloneMs;
    const ofSeller = isAlone ? 1 : this.#moves.share(row.seller, row.at, { log, limit });
    const ofSource =
      row.source === null
        ? 1
        : this.#sourceMoves.share(row.source, row.at, { log, limit }, sellersMax);
    const share = Math.min(ofSeller, ofSource);
    const moved = { log: share * log, limit };
    this.#moves.record(row.seller, row.at, moved);
    if (row.source !== null) this.#sourceMoves.record(row.source, row.at, moved);
    return share;
  }

  /** Without sales of the current instant, which later rows cannot repeat. */
  write(to: StateWriter): void {
    this.#moves.write(to);
    this.#sourceMoves.write(to);
    this.#others.write(to);
  }

  read(from: StateReader): void {
    this.#moves.read(from);
    this.#sourceMoves.read(from);
    this.#others.read(from);
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

/** The moves of each seller within a quarter. */
class Moves extends RecentSales {
  constructor() {
    super(quarterMs, 3);
  }

  /** The share of a move up to `most` times the largest that an ordinary sale could cause. */
  share(seller: string, now: number, { log, limit }: Move, most = 1): number {
    const { numbers, start } = this.of(seller, now);
    let [before, bound] = [0, limit];
    for (let index = start; index < numbers.length; index += 3) {
      before += at(numbers, index);
      bound = Math.max(bound, at(numbers, index + 1));
    }
    if (log === 0) return 1;
    const after = Math.max(-most * bound, Math.min(most * bound, before + log));
    return Math.max(0, Math.min(1, (after - before) / log));
  }

  record(seller: string, now: number, { log, limit }: Move): void {
    this.add(seller, log, limit, now);
  }
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
