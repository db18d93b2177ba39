/**
 * Answers made from an account's own data, kept while nothing that they were made from has changed.
 * Both sides prove it: the account's version comes with the admission of each request, and the
 * market's publish stamp is compared before. Neither is ever assumed.
 */
import type { Caller } from '../domain/quota.ts';
import type { Freshness } from './freshness.ts';
import type { Answer } from './handler.ts';

/** How much is kept, in characters; an answer takes some room besides its text. */
const keptLengthMax = 16 * 1024 * 1024;
const answerRoom = 500;

interface Kept {
  readonly answer: Promise<Answer>;
  /** 0 while it is being made. */
  length: number;
}

/** Keeps private answers, each for its account alone. */
export class PrivateAnswers {
  private readonly kept = new Map<string, Kept>();
  private keptLength = 0;

  constructor(private readonly freshness: Freshness) {}

  /** The answer to a question of a caller; made when it is not there as things stand. */
  async find(caller: Caller, question: string, make: () => Promise<Answer>): Promise<Answer> {
    await this.freshness.refresh();
    // Everything that the answer depends on is in its name: what is stale is never found again.
    const { accountId, privateVersion } = caller;
    const name = `${accountId} ${privateVersion} ${this.freshness.stamp} ${question}`;
    const known = this.kept.get(name);
    if (known) return known.answer;
    // Whoever asks meanwhile waits for the same answer.
    const kept: Kept = { answer: make(), length: 0 };
    this.kept.set(name, kept);
    try {
      const answer = await kept.answer;
      if (typeof answer === 'string') this.measure(kept, name.length + answer.length);
      // What is not there is quickly found out again, and there is no end of such questions.
      else this.kept.delete(name);
      return answer;
    } catch (error) {
      this.kept.delete(name);
      throw error;
    }
  }

  private measure(kept: Kept, length: number): void {
    kept.length = length + answerRoom;
    this.keptLength += kept.length;
    // A map keeps its order of insertion: the first are the oldest.
    for (const [oldest, { length: oldLength }] of this.kept) {
      if (this.keptLength <= keptLengthMax) break;
      if (oldLength === 0) continue;
      this.kept.delete(oldest);
      this.keptLength -= oldLength;
    }
  }
}
