/** Caches responses with their tags, so that the server need not send unchanged ones again. */

interface CachedAnswer {
  readonly tag: string;
  readonly text: string;
}

const answersMax = 100;

/** Of all responses together: some are megabytes long, and each takes two bytes per character. */
const charactersMax = 10_000_000;

/** The most recently used responses, by path and query. */
export class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer>();
  #characters = 0;

  find(path: string): CachedAnswer | undefined {
    return this.#answers.get(path);
  }

  /** Caches a response that has a tag; the least recently used are dropped. */
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
