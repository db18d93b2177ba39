/** Durations of many requests, in buckets that each are a twentieth wider than the last. */

const growth = Math.log(1.05);
const leastMs = 0.01;

export interface KindReport {
  readonly kind: string;
  readonly count: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export class Latencies {
  private readonly buckets: number[] = [];
  count = 0;
  maxMs = 0;

  add(ms: number): void {
    const bucket = Math.max(0, Math.ceil(Math.log(ms / leastMs) / growth));
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.count++;
    this.maxMs = Math.max(this.maxMs, ms);
  }

  /** The duration that this part of the requests did not exceed, up to 5% too high. */
  quantile(part: number): number {
    let left = Math.max(1, Math.ceil(this.count * part));
    for (const [bucket, count = 0] of this.buckets.entries()) {
      left -= count;
      if (left <= 0) return Math.min(this.maxMs, leastMs * Math.exp(bucket * growth));
    }
    return this.maxMs;
  }

  toReport(kind: string): KindReport {
    const { count, maxMs } = this;
    return { kind, count, medianMs: this.quantile(0.5), p99Ms: this.quantile(0.99), maxMs };
  }
}
