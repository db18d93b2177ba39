/** Limits concurrent work per name and in total. Others wait in turn. */

/** Limits of concurrent and waiting work. */
export interface SlotLimits {
  /** Concurrent work of one name, such as a network or an account. */
  readonly each: number;
  readonly all: number;
  /** Waiting work of one name; 0: none. */
  readonly waitingEach: number;
  readonly waitingAll: number;
  /** Maximum waiting time. */
  readonly patienceMs: number;
  /** Minimum time a slot is taken, which limits the rate too. */
  readonly heldMsMin?: number;
  /**
   * Whether a name without current or waiting work can always wait, even beyond `waitingAll`, so
   * that others cannot shut it out. Only for a finite set of names.
   */
  readonly hasRoomForNewcomers?: boolean;
}

interface Waiting {
  settle(isAdmitted: boolean): void;
}

/** Names take turns, so that heavy users wait only for their own work. */
export class Slots {
  private readonly running = new Map<string, number>();
  private runningAll = 0;
  /** In the order of turns. */
  private readonly waiting = new Map<string, Waiting[]>();
  private waitingAll = 0;

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Runs the work once there is a slot; null: no slot, now or soon. `heldMsMin` is called after the
   * work, and can depend on it.
   */
  async take<T>(name: string, work: () => Promise<T>, heldMsMin?: () => number): Promise<T | null> {
    const leave = await this.admit(name);
    if (!leave) return null;
    try {
      return await work();
    } finally {
      leave(heldMsMin?.());
    }
  }

  /** Waits for a slot; the result frees it, after the minimum time. Null as above. */
  async admit(
    name: string,
    usualMsMin = this.limits.heldMsMin ?? 0,
  ): Promise<((heldMsMin?: number) => void) | null> {
    if (!(await this.enter(name))) return null;
    const start = performance.now();
    return (heldMsMin = usualMsMin) => {
      const restMs = heldMsMin - (performance.now() - start);
      if (restMs > 0) setTimeout(() => this.leave(name), restMs);
      else this.leave(name);
    };
  }

  private enter(name: string): Promise<boolean> | boolean {
    const { each, all, waitingEach, waitingAll, hasRoomForNewcomers } = this.limits;
    const queue = this.waiting.get(name) ?? [];
    if (queue.length === 0 && this.runningAll < all && this.countOf(name) < each) {
      this.begin(name);
      return true;
    }
    if (queue.length >= waitingEach) return false;
    const isNewcomer = queue.length === 0 && this.countOf(name) === 0;
    if (this.waitingAll >= waitingAll && !(hasRoomForNewcomers && isNewcomer)) return false;
    return this.wait(name, queue);
  }

  private wait(name: string, queue: Waiting[]): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        settle: (isAdmitted) => {
          clearTimeout(timer);
          resolve(isAdmitted);
        },
      };
      const timer = setTimeout(() => this.giveUp(name, waiting), this.limits.patienceMs);
      queue.push(waiting);
      this.waiting.set(name, queue);
      this.waitingAll++;
    });
  }

  private giveUp(name: string, waiting: Waiting): void {
    const queue = this.waiting.get(name) ?? [];
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) this.waiting.delete(name);
    this.waitingAll--;
    waiting.settle(false);
  }

  private begin(name: string): void {
    this.running.set(name, this.countOf(name) + 1);
    this.runningAll++;
  }

  private leave(name: string): void {
    const left = this.countOf(name) - 1;
    if (left === 0) this.running.delete(name);
    else this.running.set(name, left);
    this.runningAll--;
    this.admitNext();
  }

  /** Gives a free slot to the first name in turn that is below its limit. */
  private admitNext(): void {
    for (const [name, queue] of this.waiting) {
      if (this.countOf(name) >= this.limits.each) continue;
      const next = queue.shift();
      // Its next turn comes after all others.
      this.waiting.delete(name);
      if (queue.length > 0) this.waiting.set(name, queue);
      this.waitingAll--;
      this.begin(name);
      next?.settle(true);
      return;
    }
  }

  private countOf(name: string): number {
    return this.running.get(name) ?? 0;
  }
}
