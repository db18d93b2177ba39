/** How often something may be asked for: so many at once, then so many a second. */
import type { Clock } from '../domain/kernel/time.ts';

/** A rate, by name. */
export interface RateLimits {
  /** What may be asked for at once by somebody who has not asked for long. */
  readonly burst: number;
  readonly perSecond: number;
  /** Names that are remembered; those that came first are forgotten first. */
  readonly names: number;
}

interface Bucket {
  left: number;
  at: number;
}

/** Counts what is asked for by each name. */
export class Rate {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  /** Whether it may be answered now; if so, it counts. */
  take(name: string): boolean {
    const { burst, perSecond, names } = this.limits;
    const at = this.clock();
    const known = this.buckets.get(name) ?? { left: burst, at };
    const earned = (Math.max(0, at - known.at) / 1000) * perSecond;
    const left = Math.min(burst, known.left + earned);
    const isTaken = left >= 1;
    // Whoever asked last is forgotten last.
    this.buckets.delete(name);
    this.buckets.set(name, { left: isTaken ? left - 1 : left, at });
    const [oldest] = this.buckets.keys();
    if (this.buckets.size > names && oldest !== undefined) this.buckets.delete(oldest);
    return isTaken;
  }
}
