/** Work that is done a few at a time: so many for each name and in all. Others wait in turn. */

/** How much may be under way, and how much may wait. */
export interface SlotLimits {
  /** Under way for one name, such as a network or an account. */
  readonly each: number;
  readonly all: number;
  /** Waiting for one name; 0: nobody waits. */
  readonly waitingEach: number;
  readonly waitingAll: number;
  /** How long anybody waits. */
  readonly patienceMs: number;
  /** How long a slot is taken at the least: so slots bound how often, not only how many. */
  readonly heldMsMin?: number;
  /**
   * Whether a name with nothing under way and nothing waiting may always wait, also beyond
   * `waitingAll`: so others cannot shut it out. Only where nobody has names without end.
   */
  readonly hasRoomForNewcomers?: boolean;
}

interface Waiting {
  /** Called with whether there is room now. */
  settle(isAdmitted: boolean): void;
}

/**
 * Lets work in by name. Whoever sends much waits for what they sent themselves: names take turns,
 * so that one with many works waiting does not keep out another with one.
 */
export class Slots {
  private readonly running = new Map<string, number>();
  private runningAll = 0;
  /** In the order in which names have their turn. */
  private readonly waiting = new Map<string, Waiting[]>();
  private waitingAll = 0;

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Does the work once there is room; null when there is none, nor will be soon. How long the slot
   * is taken at the least may depend on what the work turned out to be.
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

  /** Waits for room; what is returned gives it back, after a time at least. Null as above. */
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

  /** A slot is free: the first name in turn that may have another one gets it. */
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
