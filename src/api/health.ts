/**
 * Whether this process can count what it answers, found out by doing it. However many ask, it is
 * found out once a second: what is checked all day long by everybody must not cost the store much.
 */

import type { AdmissionStore } from '../domain/account/admission-store.ts';
import { type Clock, secondMs } from '../domain/kernel/time.ts';
import { withTimeout } from '../domain/kernel/timeout.ts';
import type { MarketReading } from '../domain/market/market-reading.ts';
import type { Log } from '../http/log.ts';

/** How long an outcome is good for. */
const goodMs = secondMs;

/** A store that takes longer than this to write one row is not ready, whatever comes of it. */
const patienceMs = 2 * secondMs;

/** What is needed to find out. */
export interface ReadinessDeps {
  readonly market: Pick<MarketReading, 'publishStamp'>;
  readonly accounts: Pick<AdmissionStore, 'checkCountable'>;
  readonly clock: Clock;
  /** Milliseconds that only ever go on, whatever the clock is set to. */
  readonly elapsed: Clock;
  readonly log: Log;
}

/** Finds it out, and logs when it changes. */
export class Readiness {
  private wasReady = true;
  private checked: Promise<boolean> | null = null;
  private goodUntil = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: ReadinessDeps) {}

  /** Whether calls can be counted and the market can be read; it never rejects. */
  check(): Promise<boolean> {
    if (this.checked === null || this.deps.elapsed() > this.goodUntil) {
      // Whoever comes before the outcome shares it.
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
      if (!this.wasReady) log.event('store', { countable: 'again' });
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
