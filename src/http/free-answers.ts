/**
 * Answers that cost whoever asks nothing: refusals, what everybody may see, and what a key has
 * spent. They are given at once as often as anybody needs them. Whoever asks more often is answered
 * later: a loop that is answered at once asks again at once, and would keep the server from those
 * who pay.
 */
import { Rate } from './rate.ts';

/** How often a network is answered at once: a page with all its pictures, again and again. */
const rateLimits = { burst: 300, perSecond: 50, names: 10_000 };

/**
 * How often all networks together are, but for pages, which have places of their own. Whoever asks
 * whether the server is well has a share that nobody else uses up.
 */
const totalLimits = { burst: 200, perSecond: 300, names: 2 };

/** Who shares a total. */
export type FreeKind = 'health' | 'other';

/** How much later. A connection has one request at a time, and a network so many connections. */
export const laterMs = 1_000;

/** More than so many do not wait; each is a request that is held. */
const waitingMax = 4_096;

/** Gives them now or later. */
export class FreeAnswers {
  private readonly rate: Rate;
  private readonly totals: Rate;
  private waiting = 0;

  /** `elapsed` are milliseconds that only ever go on, whatever the clock is set to. */
  constructor(elapsed: () => number) {
    this.rate = new Rate(rateLimits, elapsed);
    this.totals = new Rate(totalLimits, elapsed);
  }

  /** Whether the network may be answered at once; if so, that counts. */
  mayHave(network: string): boolean {
    return this.rate.take(network);
  }

  /** The answer, when its time has come. */
  async later(answer: Response): Promise<Response> {
    if (this.waiting < waitingMax) {
      this.waiting++;
      await Bun.sleep(laterMs);
      this.waiting--;
    }
    answer.headers.set('Connection', 'close');
    return answer;
  }

  /** The answer, at once or later. */
  give(network: string, kind: FreeKind, answer: Response): Response | Promise<Response> {
    const isNow = this.mayHave(network) && this.totals.take(kind);
    return isNow ? answer : this.later(answer);
  }
}
