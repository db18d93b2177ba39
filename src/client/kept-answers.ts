/** Answers that may still be current, so that the server need not send them again. */

/** An answer and the tag by which the server knows it. */
interface KeptAnswer {
  readonly tag: string;
  readonly text: string;
}

const answersMax = 100;

/** Of all answers together: some are megabytes long, and each takes two bytes per character. */
const charactersMax = 10_000_000;

/** The answers that were asked for last, by path and query. */
export class KeptAnswers {
  readonly #answers = new Map<string, KeptAnswer>();
  #characters = 0;

  /** An answer that may still be current. */
  find(path: string): KeptAnswer | undefined {
    return this.#answers.get(path);
  }

  /** Keeps an answer that has a tag; those that nobody has asked for the longest go. */
  keep(path: string, tag: string | null, text: string): void {
    this.#forget(path);
    if (tag === null || text.length > charactersMax) return;
    this.#answers.set(path, { tag, text });
    this.#characters += text.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= answersMax && this.#characters <= charactersMax) return;
      this.#forget(oldest);
    }
  }

  #forget(path: string): void {
    this.#characters -= this.#answers.get(path)?.text.length ?? 0;
    this.#answers.delete(path);
  }
}
