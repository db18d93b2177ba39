/** One process at a time fetches: whoever has the lease, and renews it in time. */
import { type Clock, dayMs, secondMs } from '../domain/kernel/time.ts';
import type { PublishingStore } from '../domain/market/publishing-store.ts';

const leaseName = 'sync';

/** A process that died is taken over after this time. */
export const leaseMs: number = 30 * secondMs;

/** Another process has taken over; whatever was begun is left as it is. */
export class LeaseLostError extends Error {
  constructor() {
    super('Another process has taken over.');
  }
}

/** The lease as this process sees it. */
export class SyncLease {
  #takenAt: number | null = null;
  #renewing: Timer | null = null;

  constructor(
    private readonly store: Pick<PublishingStore, 'takeLease'>,
    private readonly clock: Clock,
    /** Names this process among those that share the store. */
    private readonly holder: string,
  ) {}

  /** Takes the lease, or renews it; whether it has it now. While it does, it is renewed. */
  async take(): Promise<boolean> {
    const at = this.clock();
    const { holder } = this;
    const until = at + leaseMs;
    const isTaken = await this.store.takeLease({ name: leaseName, holder, at, until });
    this.#takenAt = isTaken ? at : null;
    if (isTaken) this.#renewing ??= this.renewNowAndThen();
    else this.stopRenewing();
    return isTaken;
  }

  /** Renews the lease when it is time; throws when another process has it. */
  async keep(): Promise<void> {
    const isRecent = this.#takenAt !== null && this.clock() - this.#takenAt < leaseMs / 3;
    if (isRecent) return;
    if (this.#takenAt === null || !(await this.take())) throw new LeaseLostError();
  }

  /** Lets the next process have it at once. */
  async release(): Promise<void> {
    this.stopRenewing();
    if (this.#takenAt === null) return;
    this.#takenAt = null;
    const at = this.clock();
    // Long ago, so that it is free also by a clock that is a little behind.
    const until = at - dayMs;
    await this.store.takeLease({ name: leaseName, holder: this.holder, at, until });
  }

  /** An import may take longer than a lease. A failure to renew shows when it is asked for. */
  private renewNowAndThen(): Timer {
    const timer = setInterval(() => this.take().catch(() => {}), leaseMs / 3);
    timer.unref();
    return timer;
  }

  private stopRenewing(): void {
    if (this.#renewing !== null) clearInterval(this.#renewing);
    this.#renewing = null;
  }
}
