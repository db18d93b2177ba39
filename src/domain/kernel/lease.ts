/** One process at a time does a piece of work: whoever has its lease, and renews it in time. */
import { type Clock, dayMs } from './time.ts';

/** A lease that is taken or renewed. */
export interface LeaseTaken {
  /** Of what it is the lease. */
  readonly name: string;
  /** Names this process among those that share the store. */
  readonly holder: string;
  readonly at: number;
  readonly until: number;
}

/** Keeps leases. */
export interface LeaseStore {
  /** Takes or renews a lease; false while another holder has it. */
  takeLease(lease: LeaseTaken): Promise<boolean>;
}

/** Another process has taken over; whatever was begun is left as it is. */
export class LeaseLostError extends Error {
  constructor() {
    super('Another process has taken over.');
  }
}

/** Whose lease it is, and after what time a process that died is taken over. */
export interface LeaseTerms {
  readonly name: string;
  readonly holder: string;
  readonly leaseMs: number;
}

/** A lease as this process sees it. */
export class Lease {
  #takenAt: number | null = null;
  #renewing: Timer | null = null;

  constructor(
    private readonly store: LeaseStore,
    private readonly clock: Clock,
    private readonly terms: LeaseTerms,
  ) {}

  /** Takes the lease, or renews it; whether it has it now. While it does, it is renewed. */
  async take(): Promise<boolean> {
    const at = this.clock();
    const { name, holder, leaseMs } = this.terms;
    const isTaken = await this.store.takeLease({ name, holder, at, until: at + leaseMs });
    this.#takenAt = isTaken ? at : null;
    if (isTaken) this.#renewing ??= this.renewNowAndThen();
    else this.stopRenewing();
    return isTaken;
  }

  /** Renews the lease when it is time; throws when another process has it. */
  async keep(): Promise<void> {
    if (this.#isRecent()) return;
    if (this.#takenAt === null || !(await this.take())) throw new LeaseLostError();
  }

  /** Whether it has the lease: it is taken or renewed if need be. */
  async isHeld(): Promise<boolean> {
    return this.#isRecent() || (await this.take());
  }

  #isRecent(): boolean {
    return this.#takenAt !== null && this.clock() - this.#takenAt < this.terms.leaseMs / 3;
  }

  /** Lets the next process have it at once. */
  async release(): Promise<void> {
    this.stopRenewing();
    if (this.#takenAt === null) return;
    this.#takenAt = null;
    const at = this.clock();
    const { name, holder } = this.terms;
    // Long ago, so that it is free also by a clock that is a little behind.
    await this.store.takeLease({ name, holder, at, until: at - dayMs });
  }

  /** What is done may take longer than a lease. A failure to renew shows when it is asked for. */
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
