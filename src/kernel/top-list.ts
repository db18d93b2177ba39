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
    const order = Array.from({ length: this.#size }, (_, place) => place);
    const entryAt = (place: number) => this.#entries[place] ?? 0;
    const scoreAt = (place: number) => this.#scores[place] ?? 0;
    return order
      .sort((a, b) => scoreAt(b) - scoreAt(a) || entryAt(a) - entryAt(b))
      .map((place) => entryAt(place));
  }

  /** Inserts at the end of the heap and sifts up. */
  #rise(from: number, entry: number, score: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.#isWorse(entry, score, above)) break;
      this.#copy(above, place);
      place = above;
    }
    this.#set(place, entry, score);
  }

  /** Replaces the worst entry and sifts down. */
  #sink(entry: number, score: number): void {
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= this.#size) break;
      const other = below + 1;
      if (
        other < this.#size &&
        this.#isWorse(this.#entries[other] ?? 0, this.#scores[other] ?? 0, below)
      ) {
        below = other;
      }
      if (this.#isWorse(entry, score, below)) break;
      this.#copy(below, place);
      place = below;
    }
    this.#set(place, entry, score);
  }

  /** Whether an entry is worse than the one at an index; the worst is at the top. */
  #isWorse(entry: number, score: number, place: number): boolean {
    const other = this.#scores[place] ?? 0;
    return score < other || (score === other && entry > (this.#entries[place] ?? 0));
  }

  #copy(from: number, to: number): void {
    this.#set(to, this.#entries[from] ?? 0, this.#scores[from] ?? 0);
  }

  #set(place: number, entry: number, score: number): void {
    this.#entries[place] = entry;
    this.#scores[place] = score;
  }
}
