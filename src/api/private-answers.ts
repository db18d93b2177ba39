/**
 * Answers made from an account's own data, kept while nothing that they were made from has changed.
 * Both sides prove it: the account's version comes with the admission of each request, and the
 * market's publish stamp is compared before. Neither is ever assumed.
 */
import type { EndpointName } from '../contract/all-endpoints.ts';
import type { Caller } from '../domain/account/quota.ts';
import { BoundedMap } from '../domain/kernel/bounded-map.ts';
import type { CacheFacts } from '../http/metrics-server.ts';
import { Slots } from '../http/slots.ts';
import { AnswerData, roomOf } from './answer-data.ts';
import type { Freshness } from './freshness.ts';
import type { Answer, Work } from './handler.ts';

/** How much is kept, in characters, names and all. */
const keptLengthMax = 16 * 1024 * 1024;

/** What the promise of an answer takes besides its text. */
const promiseRoom = 300;

/** Answers that are made at a time: one account's wait for each other, and not others for them. */
const makingLimits = {
  each: 4,
  all: 16,
  waitingEach: 300,
  waitingAll: 2_000,
  patienceMs: 30_000,
};

/**
 * Answers longer than this take the loop a while to send, also from memory. They leave in turn,
 * with so many characters a millisecond for one account, and twice as many for all.
 */
const longLength = 200_000;
const charactersPerMs = 50_000;
const leavingLimits = {
  each: 1,
  all: 2,
  waitingEach: 300,
  waitingAll: 2_000,
  patienceMs: 30_000,
};

/** What is asked of an endpoint. */
export interface Question {
  readonly endpoint: EndpointName;
  /** As the endpoint's schema has read it. */
  readonly input: object;
  /** The day that the answer is of, where it is another one every day. */
  readonly day?: number;
}

/** An answer, and the publication of the market that it was made from. */
export interface MadeAnswer {
  readonly answer: Answer;
  readonly stamp: number;
}

/** Where answers are made that would take so long that all other callers had to wait. */
export interface AnswerProcess {
  /** Whether the caller's answers are to be made there. */
  isFor(caller: Caller): Promise<boolean>;
  make(caller: Caller, question: Question): Promise<MadeAnswer>;
}

interface Kept {
  readonly made: Promise<MadeAnswer>;
  readonly size: number;
}

/** Makes private answers, and keeps each for its account alone. */
export class PrivateAnswers {
  private readonly kept = new BoundedMap<Kept>(keptLengthMax, ({ size }) => size);
  private readonly making = new Slots(makingLimits);
  private readonly leaving = new Slots(leavingLimits);
  private hits = 0;
  private misses = 0;

  constructor(
    private readonly freshness: Freshness,
    private readonly process: AnswerProcess | null = null,
  ) {}

  /** For operators. */
  get facts(): CacheFacts {
    const { hits, misses, kept } = this;
    return { entries: kept.count, characters: kept.size, hits, misses };
  }

  /** Work whose answer depends on the caller's data and the published values alone, and is kept. */
  keptWork(question: Question, make: (accountId: number) => Promise<Answer>): Work {
    return {
      isExpensive: true,
      read: (caller) => this.find(caller, question, () => make(caller.accountId)),
    };
  }

  /** The answer to a question of a caller; made when it is not there as things stand. */
  async find(caller: Caller, question: Question, make: () => Promise<Answer>): Promise<Answer> {
    return this.inTurn(caller, await this.findKept(caller, question, make));
  }

  /** The answer to a question that has another answer a moment later. */
  async findNow(caller: Caller, question: Question, make: () => Promise<Answer>): Promise<Answer> {
    return this.inTurn(caller, (await this.make(caller, question, make)).answer);
  }

  private async findKept(
    caller: Caller,
    question: Question,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    await this.freshness.refresh();
    // Everything that the answer depends on is in its name: what is stale is never found again.
    const { stamp } = this.freshness;
    const { accountId, privateVersion } = caller;
    const name = `${accountId} ${privateVersion} ${stamp} ${JSON.stringify(question)}`;
    const known = this.kept.get(name);
    if (known) {
      this.hits++;
      return (await known.made).answer;
    }
    this.misses++;
    // Whoever asks meanwhile waits for the same answer.
    const made = this.make(caller, question, make);
    this.kept.set(name, { made, size: promiseRoom });
    try {
      const { answer, stamp: madeFrom } = await made;
      // What is not there is quickly found out again, and there is no end of such questions. What
      // another process made from an older publication is right, but not for long.
      const isKept = answer instanceof AnswerData && madeFrom >= stamp;
      if (isKept) this.kept.set(name, { made, size: promiseRoom + roomOf(answer) });
      else this.kept.delete(name);
      return answer;
    } catch (error) {
      this.kept.delete(name);
      throw error;
    }
  }

  /** Makes an answer where that holds nobody up. */
  private async make(
    caller: Caller,
    question: Question,
    make: () => Promise<Answer>,
  ): Promise<MadeAnswer> {
    const { process } = this;
    const made = await this.making.take(String(caller.accountId), async () => {
      if (process && (await process.isFor(caller))) return process.make(caller, question);
      return { answer: await make(), stamp: this.freshness.stamp };
    });
    if (!made) throw new Error('Too many answers of one account are waited for.');
    const { answer, stamp } = made;
    return { answer: typeof answer === 'string' ? new AnswerData(answer) : answer, stamp };
  }

  private async inTurn(caller: Caller, answer: Answer): Promise<Answer> {
    if (!(answer instanceof AnswerData) || answer.json.length <= longLength) return answer;
    const heldMs = answer.json.length / charactersPerMs;
    const leave = await this.leaving.admit(String(caller.accountId), heldMs);
    if (!leave) throw new Error('Too many long answers of one account are waited for.');
    leave();
    return answer;
  }
}
