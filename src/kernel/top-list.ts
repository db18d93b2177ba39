/** The best entries of many, without sorting all of them (a heap). */

/** Keeps the entries with the highest scores; for equal scores, those added first. */
export class TopList {
  readonly #limit: number;
  readonly #scores: Float64Array;
  readonly #entries: Float64Array;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#scores = new Float64Array(limit);
    this.#entries = new Float64Array(limit);
  }

  /** Entries must be added in increasing order. */
  add(entry: number, score: number): void {
    if (this.#size < this.#limit) {
      this.#rise(this.#size++, entry, score);
    } else if (score > (this.#scores[0] ?? Number.POSITIVE_INFINITY)) {
      this.#sink(entry, score);
    }
  }

  /** Best first. */
  entries(): number[] {
    const order = Array.from({ length: this.#size }, (_, index) => index);
    const entryAt = (index: number) => this.#entries[index] ?? 0;
    const scoreAt = (index: number) => this.#scores[index] ?? 0;
    return order
      .sort((a, b) => scoreAt(b) - scoreAt(a) || entryAt(a) - entryAt(b))
      .map((index) => entryAt(index));
  }

  /** Inserts at the end of the heap and sifts up. */
  #rise(from: number, entry: number, score: number): void {
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (!this.#isWorse(entry, score, above)) break;
      this.#copy(above, index);
      index = above;
    }
    this.#set(index, entry, score);
  }

  /** Replaces the worst entry and sifts down. */
  #sink(entry: number, score: number): void {
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      if (below >= this.#size) break;
      const other = below + 1;
      if (
        other < this.#size &&
        this.#isWorse(this.#entries[other] ?? 0, this.#scores[other] ?? 0, below)
      ) {
        below = other;
      }
      if (this.#isWorse(entry, score, below)) break;
      this.#copy(below, index);
      index = below;
    }
    this.#set(index, entry, score);
  }

  /** Whether an entry is worse than the one at an index; the worst is at the top. */
  #isWorse(entry: number, score: number, index: number): boolean {
    const other = this.#scores[index] ?? 0;
    return score < other || (score === other && entry > (this.#entries[index] ?? 0));
  }

  #copy(from: number, to: number): void {
    this.#set(to, this.#entries[from] ?? 0, this.#scores[from] ?? 0);
  }

  #set(index: number, entry: number, score: number): void {
    this.#entries[index] = entry;
    this.#scores[index] = score;
  }
}
