/**
 * Answers made from an account's own data, kept while nothing that they were made from has changed.
 * Both sides prove it: the account's version comes with the admission of each request, and the
 * market's publish stamp is compared before. Neither is ever assumed.
 */
import type { Caller } from '../domain/quota.ts';
import type { Freshness } from './freshness.ts';
import type { Answer } from './handler.ts';

/** How much text is kept, in characters. */
const keptLengthMax = 16 * 1024 * 1024;

/** Keeps private answers, each for its account alone. */
export class PrivateAnswers {
  private readonly kept = new Map<string, Promise<Answer>>();
  private readonly lengths = new Map<string, number>();
  private keptLength = 0;

  constructor(private readonly freshness: Freshness) {}

  /** The answer to a question of a caller; made when it is not there as things stand. */
  async find(caller: Caller, question: string, make: () => Promise<Answer>): Promise<Answer> {
    await this.freshness.refresh();
    // Everything that the answer depends on is in its name: what is stale is never found again.
    const { accountId, privateVersion } = caller;
    const name = `${accountId} ${privateVersion} ${this.freshness.stamp} ${question}`;
    const known = this.kept.get(name);
    if (known) return known;
    const answer = make();
    // Whoever asks meanwhile waits for the same answer.
    this.kept.set(name, answer);
    try {
      this.measure(name, await answer);
    } catch (error) {
      this.kept.delete(name);
      throw error;
    }
    return answer;
  }

  private measure(name: string, answer: Answer): void {
    const length = name.length + (typeof answer === 'string' ? answer.length : 0);
    this.lengths.set(name, length);
    this.keptLength += length;
    // A map keeps its order of insertion: the first are the oldest.
    for (const [oldest, oldLength] of this.lengths) {
      if (this.keptLength <= keptLengthMax) break;
      this.lengths.delete(oldest);
      this.kept.delete(oldest);
      this.keptLength -= oldLength;
    }
  }
}
