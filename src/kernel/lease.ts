/** Leases: one process at a time does a piece of work, and renews its lease in time. */
import { type Clock, dayMs } from './time.ts';

export interface LeaseTaken {
  /** The work. */
  readonly name: string;
  /** Identifies the process. */
  readonly holder: string;
  readonly at: number;
  readonly until: number;
}

export interface LeaseStore {
  /** Takes or renews a lease; false while another holder has it. */
  takeLease(lease: LeaseTaken): Promise<boolean>;
}

/** Another process has taken over, so the work is abandoned. */
export class LeaseLostError extends Error {
  constructor() {
    super('Another process has taken over.');
  }
}

/** `leaseMs`: after this time without renewal, another process may take over. */
export interface LeaseTerms {
  readonly name: string;
  readonly holder: string;
  readonly leaseMs: number;
}

export class Lease {
  #takenAt: number | null = null;
  #renewing: Timer | null = null;

  constructor(
    private readonly store: LeaseStore,
    private readonly clock: Clock,
    private readonly terms: LeaseTerms,
  ) {}

  /** Takes or renews the lease, and keeps renewing it; false if another process has it. */
  async take(): Promise<boolean> {
    const at = this.clock();
    const { name, holder, leaseMs } = this.terms;
    const isTaken = await this.store.takeLease({ name, holder, at, until: at + leaseMs });
    this.#takenAt = isTaken ? at : null;
    if (isTaken) this.#renewing ??= this.renewNowAndThen();
    else this.stopRenewing();
    return isTaken;
  }

  /** Renews the lease if necessary; throws if another process has it. */
  async keep(): Promise<void> {
    if (this.#isRecent()) return;
    if (this.#takenAt === null || !(await this.take())) throw new LeaseLostError();
  }

  /** Takes or renews the lease if necessary. */
  async isHeld(): Promise<boolean> {
    return this.#isRecent() || this.take();
  }

  #isRecent(): boolean {
    return this.#takenAt !== null && this.clock() - this.#takenAt < this.terms.leaseMs / 3;
  }

  /** Another process can take it at once. */
  async release(): Promise<void> {
    this.stopRenewing();
    if (this.#takenAt === null) return;
    this.#takenAt = null;
    const at = this.clock();
    const { name, holder } = this.terms;
    // Far in the past, because clocks may differ.
    await this.store.takeLease({ name, holder, at, until: at - dayMs });
  }

  /** Work may take longer than a lease. A failure to renew is noticed by the next check. */
  private renewNowAndThen(): Timer {
    const timer = setInterval(() => this.take().catch(() => {}), this.terms.leaseMs / 3);
    timer.unref();
    return timer;
  }

  private stopRenewing(): void {
    if (this.#renewing !== null) clearInterval(this.#renewing);
    this.#renewing = null;
  }
}
