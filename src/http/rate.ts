/** A token bucket per name. */
import type { Clock } from '../kernel/time.ts';

export interface RateLimits {
  /** Requests allowed at once after a long pause. */
  readonly burst: number;
  readonly perSecond: number;
  /** Number of names remembered; the least recently used are dropped first, and start anew. */
  readonly names?: number;
}

const namesMax = 10_000;

interface Bucket {
  left: number;
  at: number;
}

export class Rate {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly limits: RateLimits,
    private readonly clock: Clock,
  ) {}

  /** Whether a request is allowed now, which is then counted. */
  take(name: string): boolean {
    const { burst, perSecond, names = namesMax } = this.limits;
    const at = this.clock();
    const known = this.buckets.get(name) ?? { left: burst, at };
    const earned = (Math.max(0, at - known.at) / 1000) * perSecond;
    const left = Math.min(burst, known.left + earned);
    const isTaken = left >= 1;
    // Moves it to the end of the eviction order.
    this.buckets.delete(name);
    this.buckets.set(name, { left: isTaken ? left - 1 : left, at });
    const [oldest] = this.buckets.keys();
    if (this.buckets.size > names && oldest !== undefined) this.buckets.delete(oldest);
    return isTaken;
  }
}
