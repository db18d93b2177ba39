/**
 * Limits free responses: refusals, public paths and usage. Up to a rate they are sent at once, then
 * with a delay: a loop that is answered at once retries at once, and would slow down paying
 * callers.
 */
import { Rate } from './rate.ts';

/** Immediate responses per network: a page with all its pictures, repeatedly. */
const rateLimits = { burst: 300, perSecond: 50 };

/**
 * Immediate responses of all networks, except pages, which have their own slots. Health checks have
 * a separate share.
 */
const totalLimits = { burst: 200, perSecond: 300 };

export type FreeKind = 'health' | 'other';

/** The delay. A connection has one request at a time, and connections per network are limited. */
export const laterMs = 1_000;

/** Maximum number of delayed requests, each of which takes memory. */
const waitingMax = 4_096;

export class FreeAnswers {
  private readonly rate: Rate;
  private readonly totals: Rate;
  private waiting = 0;

  /** `elapsed` is a monotonic clock. */
  constructor(elapsed: () => number) {
    this.rate = new Rate(rateLimits, elapsed);
    this.totals = new Rate(totalLimits, elapsed);
  }

  /** Whether the network may be answered at once, which is then counted. */
  mayHave(network: string): boolean {
    return this.rate.take(network);
  }

  async later(answer: Response): Promise<Response> {
    if (this.waiting < waitingMax) {
      this.waiting++;
      await Bun.sleep(laterMs);
      this.waiting--;
    }
    answer.headers.set('Connection', 'close');
    return answer;
  }

  /** The response, at once or after a delay. */
  give(network: string, kind: FreeKind, answer: Response): Response | Promise<Response> {
    const isNow = this.mayHave(network) && this.totals.take(kind);
    return isNow ? answer : this.later(answer);
  }
}
