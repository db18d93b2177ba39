/** CPU time that each account may use for one kind of work, which grows back. */
import type { Clock } from '../kernel/time.ts';

export interface BudgetLimits {
  /** CPU time after a long pause. */
  readonly burstMs: number;
  /** How much of it grows back per second. */
  readonly perSecondMs: number;
  /** Number of accounts remembered; the least recently used are dropped first. */
  readonly accounts: number;
}

interface Spent {
  readonly ms: number;
  readonly at: number;
}

/** Monotonic clocks: the time that has passed, and the CPU time of this process. */
export interface WorkClocks {
  readonly elapsed: Clock;
  readonly cpu: Clock;
}

const processClocks: WorkClocks = {
  elapsed: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

export class WorkBudget {
  private readonly spent = new Map<number, Spent>();

  constructor(
    private readonly limits: BudgetLimits,
    private readonly clocks: WorkClocks = processClocks,
  ) {}

  /** Milliseconds until the account has some budget again; 0 if it has any. */
  waitMs(account: number): number {
    const over = this.spentOf(account) - this.limits.burstMs;
    return over < 0 ? 0 : Math.ceil(((over + 1) / this.limits.perSecondMs) * 1000);
  }

  /** Runs the work, and charges it to the account, also if it fails. */
  async run<T>(account: number, work: () => Promise<T>): Promise<T> {
    const { elapsed, cpu } = this.clocks;
    const start = { elapsed: elapsed(), cpu: cpu() };
    try {
      return await work();
    } finally {
      // The process may have done other work, and the work may have waited for the store.
      this.charge(account, Math.min(elapsed() - start.elapsed, cpu() - start.cpu));
    }
  }

  private charge(account: number, ms: number): void {
    const spent = this.spentOf(account) + ms;
    // Moves it to the end of the eviction order.
    this.spent.delete(account);
    this.spent.set(account, { ms: spent, at: this.clocks.elapsed() });
    const [oldest] = this.spent.keys();
    if (this.spent.size > this.limits.accounts && oldest !== undefined) this.spent.delete(oldest);
  }

  private spentOf(account: number): number {
    const known = this.spent.get(account);
    if (!known) return 0;
    const passedSeconds = (this.clocks.elapsed() - known.at) / 1000;
    return Math.max(0, known.ms - passedSeconds * this.limits.perSecondMs);
  }
}
