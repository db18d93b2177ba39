/**
 * Tests whether this process can count calls, by committing one. The result is shared for a second,
 * so that frequent health checks cost the store little.
 */

import type { Log } from '../http/log.ts';
import { type Clock, secondMs } from '../kernel/time.ts';
import { withTimeout } from '../kernel/timeout.ts';
import type { MarketReading } from '../publish/reading.store.ts';
import type { AdmissionStore } from '../store/store.ts';

/** How long a result is valid. */
const goodMs = secondMs;

/** A store that takes longer than this to write a row is not ready. */
const patienceMs = 2 * secondMs;

export interface ReadinessDeps {
  readonly market: Pick<MarketReading, 'publishStamp'>;
  readonly accounts: Pick<AdmissionStore, 'checkCountable'>;
  readonly clock: Clock;
  /** A monotonic clock. */
  readonly elapsed: Clock;
  readonly log: Log;
}

/** Logs when readiness changes. */
export class Readiness {
  private wasReady = true;
  private checked: Promise<boolean> | null = null;
  private goodUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: ReadinessDeps) {}

  /** Whether calls can be counted and the market can be read. Never rejects. */
  check(): Promise<boolean> {
    if (this.checked === null || this.deps.elapsed() > this.goodUntil) {
      // Concurrent checks share the result.
      this.goodUntil = Number.POSITIVE_INFINITY;
      this.checked = this.find().finally(() => {
        this.goodUntil = this.deps.elapsed() + goodMs;
      });
    }
    return this.checked;
  }

  private async find(): Promise<boolean> {
    const { log } = this.deps;
    try {
      await withTimeout(this.readAndWrite(), patienceMs, tooLate);
      if (!this.wasReady) log.warning('store', { countable: 'again' });
      this.wasReady = true;
    } catch (error) {
      if (this.wasReady) log.failure('store', error);
      this.wasReady = false;
    }
    return this.wasReady;
  }

  private async readAndWrite(): Promise<void> {
    const { market, accounts, clock } = this.deps;
    await market.publishStamp();
    await accounts.checkCountable(clock());
  }
}

function tooLate(): Error {
  return new Error(`The store did not answer within ${patienceMs / secondMs} seconds.`);
}
