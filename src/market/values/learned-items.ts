/**
 * The sample of items that a month is learned from, if there are more than needed: those with the
 * lowest ranks among the items sold before the month began. Later sales do not change the sample.
 */
import { type Month, monthStart } from '../../kernel/time.ts';

export interface Candidate {
  readonly rank: number;
  readonly firstSoldAt: number;
}

/** A pseudo-random rank that depends only on the key. */
export function sampleRank(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0;
}

/** The samples of each month, for the items of one kind. */
export class LearnedItems {
  readonly #byRank: readonly Candidate[];
  readonly #max: number;
  readonly #limits = new Map<Month, Candidate>();

  constructor(candidates: readonly Candidate[], max: number) {
    this.#byRank = [...candidates].sort((a, b) => a.rank - b.rank);
    this.#max = max;
  }

  /** Whether an item is in a month's sample. */
  has({ rank, firstSoldAt }: Candidate, month: Month): boolean {
    const limit = this.#limits.getOrInsertComputed(month, () => this.#findLimit(month));
    return firstSoldAt < limit.firstSoldAt && rank <= limit.rank;
  }

  /** The start of the month and the highest rank in its sample. */
  #findLimit(month: Month): Candidate {
    const start = monthStart(month);
    let count = 0;
    for (const { rank, firstSoldAt } of this.#byRank) {
      if (firstSoldAt < start && ++count === this.#max) return { rank, firstSoldAt: start };
    }
    return { rank: Number.POSITIVE_INFINITY, firstSoldAt: start };
  }
}
