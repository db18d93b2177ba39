/**
 * Reads on a replica, or on the primary while the replica is unavailable or behind, so that losing
 * it only makes the service slower. The replica is used again once it has caught up with everything
 * read from the primary meanwhile.
 */

import type { Value } from '../sql/operation.ts';
import type { Reader } from './engine.ts';
import { PublishStamp, readStamp } from './publish-stamp.ts';

/** How often the replica is compared with the primary, or tried while it is not used. */
const compareMs = 200;

/** A replica that lags for this long is not used. */
const behindMs = 400;

export interface ReplicaSurroundings {
  /** The latest stamp that this process has read. */
  latestStamp(): number;
  /** The replica is no longer used, with the reason; null if it is used again. */
  onChange(reason: string | null): void;
}

/** A reader, and the stamp of the server it currently reads from. */
export function readReplica(
  replica: Reader,
  primary: Reader,
  onChange: ReplicaSurroundings['onChange'],
): { readonly reading: ReplicaReader; readonly stamp: PublishStamp } {
  const reading = new ReplicaReader(replica, primary, {
    latestStamp: () => stamp.latest,
    onChange: (reason) => {
      stamp.forget();
      onChange(reason);
    },
  });
  const stamp = new PublishStamp(reading);
  return { reading, stamp };
}

export class ReplicaReader implements Reader {
  private isAway = false;
  private comparedAt = Number.NEGATIVE_INFINITY;
  private isComparing = false;
  /** Statements on the primary in progress. */
  private pending = 0;
  /** The stamp that the replica lacks, and since when. */
  private missing: { readonly stamp: number; readonly since: number } | null = null;

  constructor(
    private readonly replica: Reader,
    private readonly primary: Reader,
    private readonly around: ReplicaSurroundings,
  ) {}

  get isUsed(): boolean {
    return !this.isAway;
  }

  async query<T>(sql: string, values?: readonly Value[]): Promise<T[]> {
    this.compareNowAndThen();
    if (this.isAway) return this.askPrimary(sql, values);
    try {
      return await this.replica.query(sql, values);
    } catch (error) {
      // If the statement itself is wrong, the primary will report it as well.
      this.leave((error as { code?: string }).code ?? 'failed');
      return this.askPrimary(sql, values);
    }
  }

  private async askPrimary<T>(sql: string, values?: readonly Value[]): Promise<T[]> {
    this.pending++;
    try {
      return await this.primary.query(sql, values);
    } finally {
      this.pending--;
    }
  }

  /** In the background, at most every `compareMs`. */
  private compareNowAndThen(): void {
    if (performance.now() - this.comparedAt >= compareMs) this.compareNow();
  }

  private compareNow(): void {
    if (this.isComparing) return;
    this.isComparing = true;
    this.compare()
      .catch(() => {})
      .finally(() => {
        this.comparedAt = performance.now();
        this.isComparing = false;
      });
  }

  private async compare(): Promise<void> {
    if (this.isAway) {
      const there = await readStamp(this.replica);
      // A pending answer of the primary may be newer than the latest known stamp.
      if (this.pending === 0 && there >= this.around.latestStamp()) {
        this.isAway = false;
        this.around.onChange(null);
      }
      return;
    }
    const shown = await readStamp(this.primary);
    const there = await readStamp(this.replica);
    const now = performance.now();
    if (this.missing && there < this.missing.stamp) {
      if (now - this.missing.since >= behindMs) this.leave('lags');
    } else this.missing = there < shown ? { stamp: shown, since: now } : null;
    // Check again even if there are no further queries.
    if (this.missing && !this.isAway) setTimeout(() => this.compareNow(), behindMs).unref();
  }

  private leave(reason: string): void {
    if (this.isAway) return;
    this.isAway = true;
    this.missing = null;
    this.around.onChange(reason);
  }
}
