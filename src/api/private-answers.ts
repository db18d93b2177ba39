/**
 * Answers made from an account's own data, kept while nothing that they were made from has changed.
 * Both sides prove it: the account's version comes with the admission of each request, and the
 * market's publish stamp is compared before. Neither is ever assumed.
 */
import type { Caller } from '../domain/quota.ts';
import { BoundedMap } from './bounded-map.ts';
import type { Freshness } from './freshness.ts';
import type { Answer } from './handler.ts';
import type { CacheFacts } from './metrics-server.ts';

/** How much is kept, in characters; an answer takes some room besides its text. */
const keptLengthMax = 16 * 1024 * 1024;
const answerRoom = 500;

interface Kept {
  readonly answer: Promise<Answer>;
  readonly size: number;
}

/** Keeps private answers, each for its account alone. */
export class PrivateAnswers {
  private readonly kept = new BoundedMap<Kept>(keptLengthMax, ({ size }) => size);
  private hits = 0;
  private misses = 0;

  constructor(private readonly freshness: Freshness) {}

  /** For operators. */
  get facts(): CacheFacts {
    const { hits, misses, kept } = this;
    return { entries: kept.count, characters: kept.size, hits, misses };
  }

  /** The answer to a question of a caller; made when it is not there as things stand. */
  async find(caller: Caller, question: string, make: () => Promise<Answer>): Promise<Answer> {
    await this.freshness.refresh();
    // Everything that the answer depends on is in its name: what is stale is never found again.
    const { accountId, privateVersion } = caller;
    const name = `${accountId} ${privateVersion} ${this.freshness.stamp} ${question}`;
    const known = this.kept.get(name);
    if (known) {
      this.hits++;
      return known.answer;
    }
    this.misses++;
    // Whoever asks meanwhile waits for the same answer, which takes no room until it is made.
    const made = make();
    this.kept.set(name, { answer: made, size: 0 });
    try {
      const answer = await made;
      if (typeof answer === 'string') {
        const size = name.length + answer.length + answerRoom;
        this.kept.set(name, { answer: made, size });
      }
      // What is not there is quickly found out again, and there is no end of such questions.
      else this.kept.delete(name);
      return answer;
    } catch (error) {
      this.kept.delete(name);
      throw error;
    }
  }
}
