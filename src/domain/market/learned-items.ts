/**
 * Which items a month is learned from, where there are more than needed: those with the lowest
 * ranks among the items that were sold before it began. What is sold later changes nothing in that.
 */
import { type Month, monthStart } from '../kernel/time.ts';

/** An item that may be learned from. */
export interface Candidate {
  readonly rank: number;
  readonly firstSoldAt: number;
}

/** A number that depends on a key alone, and not on what it is like. */
export function sampleRank(key: string): number {
  let lot = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    lot = Math.imul(lot ^ key.charCodeAt(index), 0x01000193);
  }
  return Math.imul(lot ^ (lot >>> 15), 0x85ebca6b) >>> 0;
}

/** Decides for candidates of one kind. */
export class LearnedItems {
  readonly #byLot: readonly Candidate[];
  readonly #max: number;
  readonly #limits = new Map<Month, Candidate>();

  constructor(candidates: readonly Candidate[], max: number) {
    this.#byLot = [...candidates].sort((a, b) => a.rank - b.rank);
    this.#max = max;
  }

  /** Whether a month is learned from an item. */
  has({ rank, firstSoldAt }: Candidate, month: Month): boolean {
    const limit = this.#limits.get(month) ?? this.#findLimit(month);
    return firstSoldAt < limit.firstSoldAt && rank <= limit.rank;
  }

  /** What an item was sold before, and the highest rank that is taken. */
  #findLimit(month: Month): Candidate {
    const start = monthStart(month);
    let [taken, highest] = [0, Number.POSITIVE_INFINITY];
    for (const { rank, firstSoldAt } of this.#byLot) {
      if (firstSoldAt >= start) continue;
      if (++taken === this.#max) {
        highest = rank;
        break;
      }
    }
    const limit = { rank: highest, firstSoldAt: start };
    this.#limits.set(month, limit);
    return limit;
  }
}
