/**
 * Limits concurrent work per account, per network and in total. Others wait in turn. All limits are
 * in `pools.ts`. The networks of an IPv6 /48, which one customer often has, together get three
 * times as many slots as one, and are newcomers once.
 */
import { wideNetworkOf } from '../domain/account/network.ts';

const wideFactor = 3;

/** Limits of concurrent and waiting work. */
export interface SlotLimits {
  readonly perAccount: number;
  readonly perNetwork: number;
  readonly all: number;
  /** The last slots, which only newcomers get: accounts and networks that have none. */
  readonly reserved: number;
  /**
   * Waiting work of one account, or of one network without an account; 0: none. Newcomers can
   * always wait if others can, even beyond `waitingAll`.
   */
  readonly waitingEach: number;
  readonly waitingAll: number;
  /** Maximum waiting time. */
  readonly patienceMs: number;
  /** Minimum time a slot is taken, which limits the rate too. */
  readonly heldMsMin?: number;
}

/** Who takes a slot; null: unknown, or somebody without an account. */
export interface Taker {
  readonly account: number | null;
  readonly network: string | null;
}

type Limited = 'account' | 'network' | 'all';

interface Waiting {
  readonly taker: Taker;
  settle(isAdmitted: boolean): void;
}

/** Accounts take turns, so that heavy users wait only for their own work. */
export class Slots {
  private readonly ofAccounts = new Counts<number>();
  private readonly ofNetworks = new Counts<string>();
  private readonly ofWideNetworks = new Counts<string>();
  private taken = 0;
  /** In the order of turns. */
  private readonly waiting = new Map<string, Waiting[]>();
  private waitingAll = 0;

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Runs the work once there is a slot; null: no slot, now or soon. `heldMsMin` is called after the
   * work, and can depend on it.
   */
  async take<T>(taker: Taker, work: () => Promise<T>, heldMsMin?: () => number): Promise<T | null> {
    const leave = await this.admit(taker);
    if (!leave) return null;
    try {
      return await work();
    } finally {
      leave(heldMsMin?.());
    }
  }

  /** Waits for a slot; the result frees it, after the minimum time. Null as above. */
  async admit(
    taker: Taker,
    usualMsMin = this.limits.heldMsMin ?? 0,
  ): Promise<((heldMsMin?: number) => void) | null> {
    if (!(await this.enter(taker))) return null;
    const start = performance.now();
    return (heldMsMin = usualMsMin) => {
      const restMs = heldMsMin - (performance.now() - start);
      if (restMs > 0) setTimeout(() => this.leave(taker), restMs);
      else this.leave(taker);
    };
  }

  /** The limit that keeps somebody from a slot right now; null: there is a slot. */
  findLimit(taker: Taker): Limited | null {
    const { perAccount, perNetwork, all, reserved } = this.limits;
    if (this.ofAccounts.of(taker.account) >= perAccount) return 'account';
    if (this.ofNetworks.of(taker.network) >= perNetwork) return 'network';
    if (this.ofWideNetworks.of(wideOf(taker)) >= wideFactor * perNetwork) return 'network';
    return this.taken < (this.hasNone(taker) ? all : all - reserved) ? null : 'all';
  }

  private hasNone(taker: Taker): boolean {
    const { account, network } = taker;
    if (this.ofAccounts.of(account) > 0 || this.ofNetworks.of(network) > 0) return false;
    return this.ofWideNetworks.of(wideOf(taker)) === 0;
  }

  private enter(taker: Taker): Promise<boolean> | boolean {
    const { waitingEach, waitingAll } = this.limits;
    const queue = this.waiting.get(nameOf(taker)) ?? [];
    if (queue.length === 0 && this.findLimit(taker) === null) {
      this.begin(taker);
      return true;
    }
    if (queue.length >= waitingEach) return false;
    const isNewcomer = queue.length === 0 && this.hasNone(taker);
    if (this.waitingAll >= waitingAll && !isNewcomer) return false;
    return this.wait(taker, queue);
  }

  private wait(taker: Taker, queue: Waiting[]): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        taker,
        settle: (isAdmitted) => {
          clearTimeout(timer);
          resolve(isAdmitted);
        },
      };
      const timer = setTimeout(() => this.giveUp(waiting), this.limits.patienceMs);
      queue.push(waiting);
      this.waiting.set(nameOf(taker), queue);
      this.waitingAll++;
    });
  }

  private giveUp(waiting: Waiting): void {
    const name = nameOf(waiting.taker);
    const queue = this.waiting.get(name) ?? [];
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) this.waiting.delete(name);
    this.waitingAll--;
    waiting.settle(false);
  }

  private begin(taker: Taker): void {
    this.count(taker, 1);
  }

  private count(taker: Taker, change: 1 | -1): void {
    this.ofAccounts.add(taker.account, change);
    this.ofNetworks.add(taker.network, change);
    this.ofWideNetworks.add(wideOf(taker), change);
    this.taken += change;
  }

  private leave(taker: Taker): void {
    this.count(taker, -1);
    // One may have waited for the account, and another one for the network.
    while (this.admitNext());
  }

  /** Gives a free slot to the first in turn that is within its limits. */
  private admitNext(): boolean {
    for (const [name, queue] of this.waiting) {
      const [next] = queue;
      if (!next || this.findLimit(next.taker) !== null) continue;
      queue.shift();
      // Its next turn comes after all others.
      this.waiting.delete(name);
      if (queue.length > 0) this.waiting.set(name, queue);
      this.waitingAll--;
      this.begin(next.taker);
      next.settle(true);
      return true;
    }
    return false;
  }
}

/** The queue of somebody. */
function nameOf({ account, network }: Taker): string {
  return account === null ? `network ${network}` : `account ${account}`;
}

/** Unknown names are not counted. */
class Counts<Name> {
  private readonly counts = new Map<Name, number>();

  of(name: Name | null): number {
    return name === null ? 0 : (this.counts.get(name) ?? 0);
  }

  add(name: Name | null, change: 1 | -1): void {
    if (name === null) return;
    const count = this.of(name) + change;
    if (count === 0) this.counts.delete(name);
    else this.counts.set(name, count);
  }
}

function wideOf({ network }: Taker): string | null {
  return network === null ? null : wideNetworkOf(network);
}
