/**
 * Caches responses made from private data until that data or the market changes. Both are checked
 * on every request: the account's version comes with the admission, and the market's publish stamp
 * is compared before.
 */

import type { Caller } from '../accounts/keys/quota.ts';
import type { EndpointName } from '../contract/all-endpoints.ts';
import type { CacheFacts } from '../http/metrics-server.ts';
import { pools } from '../http/pools.ts';
import { Slots, type Taker } from '../http/slots.ts';
import { BoundedMap } from '../kernel/bounded-map.ts';
import { AnswerData, roomOf } from './answer-data.ts';
import type { Answer, Work } from './handler.ts';
import type { Freshness } from './memory/freshness.ts';

/** Cache size in characters, including names. */
const cacheLengthMax = 16 * 1024 * 1024;

/** Size of a cached promise besides its text. */
const promiseRoom = 300;

/**
 * Longer responses take the event loop a while to send, even from the cache. They are sent in turn,
 * limited in characters per millisecond: for one account, and twice as much in total.
 */
const longLength = 200_000;
const charactersPerMs = 50_000;

export interface Question {
  readonly endpoint: EndpointName;
  /** As validated by the endpoint's schema. */
  readonly input: object;
  /** The day of the response, if it differs each day. */
  readonly day?: number;
}

/** A response, and the publication it was made from. */
export interface ComputedAnswer {
  readonly answer: Answer;
  readonly stamp: number;
}

/** Computes responses that would delay other callers. */
export interface AnswerProcess {
  /** Whether the caller's account is large. */
  isFor(caller: Caller): Promise<boolean>;
  make(caller: Caller, question: Question): Promise<ComputedAnswer>;
}

interface Cached {
  readonly made: Promise<ComputedAnswer>;
  readonly size: number;
}

/** Responses are cached per account. */
export class AccountAnswerCache {
  private readonly cache = new BoundedMap<Cached>(cacheLengthMax, ({ size }) => size);
  private readonly making = new Slots(pools.answers);
  private hits = 0;
  private misses = 0;

  constructor(
    private readonly freshness: Freshness,
    private readonly process: AnswerProcess | null = null,
    private readonly leaving: Pick<Slots, 'admit'> = new Slots(pools.longAnswers),
  ) {}

  /** For metrics. */
  get facts(): CacheFacts {
    const { hits, misses, cache } = this;
    return { entries: cache.count, characters: cache.size, hits, misses };
  }

  /**
   * Work whose response depends only on the caller's data and the published values, and is cached.
   */
  cachedWork(question: Question, make: (accountId: number) => Promise<Answer>): Work {
    return {
      isExpensive: true,
      read: (caller) => this.find(caller, question, () => make(caller.accountId)),
    };
  }

  /** Computes the response if it is not cached for the current state. */
  async find(caller: Caller, question: Question, make: () => Promise<Answer>): Promise<Answer> {
    return this.inTurn(caller, await this.findKept(caller, question, make));
  }

  /** For a response that changes with time, so it is not cached. */
  async findNow(caller: Caller, question: Question, make: () => Promise<Answer>): Promise<Answer> {
    return this.inTurn(caller, (await this.make(caller, question, make)).answer);
  }

  private async findKept(
    caller: Caller,
    question: Question,
    make: () => Promise<Answer>,
  ): Promise<Answer> {
    await this.freshness.refresh();
    // The name contains everything the response depends on, so stale entries are never found.
    const { stamp } = this.freshness;
    const { accountId, privateVersion } = caller;
    const name = `${accountId} ${privateVersion} ${stamp} ${JSON.stringify(question)}`;
    const known = this.cache.get(name);
    if (known) {
      this.hits++;
      return (await known.made).answer;
    }
    this.misses++;
    // Concurrent callers share the response.
    const made = this.make(caller, question, make);
    this.cache.set(name, { made, size: promiseRoom });
    try {
      const { answer, stamp: madeFrom } = await made;
      // A 404 is quick to compute, and there are endless such requests. A response that the helper
      // made from an older publication is valid, but not for long.
      const isCached = answer instanceof AnswerData && madeFrom >= stamp;
      if (isCached) this.cache.set(name, { made, size: promiseRoom + roomOf(answer) });
      else this.cache.delete(name);
      return answer;
    } catch (error) {
      this.cache.delete(name);
      throw error;
    }
  }

  /** In the helper process if the account is large. */
  private async make(
    caller: Caller,
    question: Question,
    make: () => Promise<Answer>,
  ): Promise<ComputedAnswer> {
    const { process } = this;
    const made = await this.making.take(takerOf(caller), async () => {
      if (process && (await process.isFor(caller))) return process.make(caller, question);
      return { answer: await make(), stamp: this.freshness.stamp };
    });
    if (!made) throw new Error('Too many answers of one account are waited for.');
    return made;
  }

  private async inTurn(caller: Caller, answer: Answer): Promise<Answer> {
    if (!(answer instanceof AnswerData) || answer.json.length <= longLength) return answer;
    const heldMs = answer.json.length / charactersPerMs;
    const leave = await this.leaving.admit(takerOf(caller), heldMs);
    if (!leave) throw new Error('Too many long answers of one account are waited for.');
    leave();
    return answer;
  }
}

function takerOf({ accountId, network }: Caller): Taker {
  return { account: accountId, network: network ?? null };
}
