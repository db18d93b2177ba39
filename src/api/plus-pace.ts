/**
 * The rate per second of a key on the Plus API, with all its secrets. It is counted in memory by
 * each process, so several workers or nodes together allow several times the rate; the daily
 * allowance is exact everywhere.
 */

import { Rate } from '../http/rate.ts';
import type { Clock } from '../kernel/time.ts';

/** Seconds without calls that can be made up for. */
const burstSeconds = 2;

export class PlusPace {
  private readonly rate: Rate;

  /** The clock is monotonic. */
  constructor(
    readonly perSecond: number,
    elapsed: Clock,
  ) {
    this.rate = new Rate({ burst: burstSeconds * perSecond, perSecond }, elapsed);
  }

  /** Whether a call is allowed now, which is then counted. */
  take(keyId: number): boolean {
    return this.rate.take(String(keyId));
  }
}
