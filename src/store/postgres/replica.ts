/**
 * Reads on a replica, and on the primary while the replica is away or behind: losing it makes the
 * service slower, and takes nothing away. The replica is used again only when it has caught up with
 * what was read from the primary meanwhile.
 */

import type { Value } from '../sql/operation.ts';
import type { Reader } from './engine.ts';
import { PublishStamp, readStamp } from './publish-stamp.ts';

/** How often a replica is compared with the primary while it is used, or tried while it is not. */
const compareMs = 200;

/** A replica that has not got so late what the primary had is not used. */
const behindMs = 400;

/** What a reader has to know, and tells. */
export interface ReplicaSurroundings {
  /** The latest publication that this process has heard of. */
  latestStamp(): number;
  /** The replica is no longer read from, for a reason, or (null) it is read from again. */
  onChange(reason: string | null): void;
}

/** Reads on a replica, and knows the stamp of whichever is read from; a change forgets it. */
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

/** Reads from the one that may be read from. */
export class ReplicaReader implements Reader {
  private isAway = false;
  private comparedAt = Number.NEGATIVE_INFINITY;
  private isComparing = false;
  /** Statements on the primary that have not been answered. */
  private pending = 0;
  /** What the primary had and the replica had not, and since when. */
  private missing: { readonly stamp: number; readonly since: number } | null = null;

  constructor(
    private readonly replica: Reader,
    private readonly primary: Reader,
    private readonly around: ReplicaSurroundings,
  ) {}

  /** Whether it is read from at the moment. */
  get isUsed(): boolean {
    return !this.isAway;
  }

  async query<T>(sql: string, values?: readonly Value[]): Promise<T[]> {
    this.compareNowAndThen();
    if (this.isAway) return this.askPrimary(sql, values);
    try {
      return await this.replica.query(sql, values);
    } catch (error) {
      // Whatever is wrong there: if it is our own fault, the primary says so, too.
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

  /** In the background: nobody waits for it. */
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
      // What is still on its way from the primary may be newer than anything heard of so far.
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
    // Whether it has caught up is looked at also when nobody asks meanwhile.
    if (this.missing && !this.isAway) setTimeout(() => this.compareNow(), behindMs).unref();
  }

  private leave(reason: string): void {
    if (this.isAway) return;
    this.isAway = true;
    this.missing = null;
    this.around.onChange(reason);
  }
}
