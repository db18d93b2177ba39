/** Answers that may still be current, so that the server need not send them again. */

/** An answer and the tag by which the server knows it. */
interface KeptAnswer {
  readonly tag: string;
  readonly text: string;
}

const answersMax = 100;

/** The answers that were asked for last, by path and query. */
export class KeptAnswers {
  readonly #answers = new Map<string, KeptAnswer>();

  /** An answer that may still be current. */
  find(path: string): KeptAnswer | undefined {
    return this.#answers.get(path);
  }

  /** Keeps an answer that has a tag; the one that nobody has asked for the longest goes. */
  keep(path: string, tag: string | null, text: string): void {
    this.#answers.delete(path);
    if (tag !== null) this.#answers.set(path, { tag, text });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > answersMax && oldest !== undefined) this.#answers.delete(oldest);
  }
}
