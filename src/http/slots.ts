/**
 * Limits concurrent work per account, per network and in total. Others wait in turn, and take the
 * slots of work that arrives too slowly. All limits are in `pools.ts`. The networks of an IPv6 /48
 * are newcomers once.
 */
import { type NetworkLimit, networkLimits } from '../accounts/people/network.ts';
import { secondMs } from '../kernel/time.ts';

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
  readonly patienceMs: number;
  /** Minimum time a slot is taken, which limits the rate too. */
  readonly heldMsMin?: number;
  /** How fast work must arrive while others wait; otherwise it is ended for them. */
  readonly contested?: Pace;
}

/** Bytes on average, once the first `afterMs` have passed. */
export interface Pace {
  readonly bytesPerSecond: number;
  readonly afterMs: number;
}

/** Who takes a slot; null: unknown, or somebody without an account. */
export interface Taker {
  readonly account: number | null;
  readonly network: string | null;
  /** Ends the wait for a slot, such as when the client disconnects. */
  readonly signal?: AbortSignal;
}

type Limited = 'account' | 'network' | 'all';

interface Waiting {
  readonly taker: Taker;
  settle(isAdmitted: boolean): void;
}

/** Work that receives its input while it holds a slot. */
export class Arriving {
  private readonly ending = new AbortController();
  private readonly startedAt = performance.now();
  private bytes = 0;
  private isComplete = false;

  constructor(readonly taker: Taker) {}

  /** Aborted when the slot is given to somebody else. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  note(bytes: number): void {
    this.bytes += bytes;
  }

  /** From now on, the client is not to blame for the time that it takes. */
  complete(): void {
    this.isComplete = true;
  }

  end(): void {
    this.ending.abort();
  }

  /** How far it is behind a pace; not above 0 if it is not, or is being ended. */
  behindMs({ bytesPerSecond, afterMs }: Pace): number {
    if (this.isComplete || this.signal.aborted) return 0;
    const earnedMs = afterMs + (this.bytes / bytesPerSecond) * secondMs;
    return performance.now() - this.startedAt - earnedMs;
  }
}

/** How often slow work is looked for while others wait. */
const contestMs = 250;

/** Accounts take turns, so that heavy users wait only for their own work. */
export class Slots {
  private readonly ofAccounts = new Counts<number>();
  private readonly ofNetworks = new Counts<string>();
  private taken = 0;
  /** In the order of turns. */
  private readonly waiting = new Map<string, Waiting[]>();
  private waitingAll = 0;
  private readonly arriving = new Set<Arriving>();
  private contest: Timer | undefined;

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Runs the work once there is a slot; null: no slot, now or soon. `heldMsMin` is called after the
   * work, and can depend on it.
   */
  async take<T>(
    taker: Taker,
    work: (arriving: Arriving) => Promise<T>,
    heldMsMin?: () => number,
  ): Promise<T | null> {
    const leave = await this.admit(taker);
    if (!leave) return null;
    const arriving = new Arriving(taker);
    this.arriving.add(arriving);
    try {
      return await work(arriving);
    } finally {
      this.arriving.delete(arriving);
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
    const isOver = ({ network, max }: NetworkLimit) => this.ofNetworks.of(network) >= max;
    if (limitsOf(taker, perNetwork).some(isOver)) return 'network';
    return this.taken < (this.hasNone(taker) ? all : all - reserved) ? null : 'all';
  }

  private hasNone(taker: Taker): boolean {
    if (this.ofAccounts.of(taker.account) > 0) return false;
    return limitsOf(taker).every(({ network }) => this.ofNetworks.of(network) === 0);
  }

  private enter(taker: Taker): Promise<boolean> | boolean {
    const { waitingEach, waitingAll } = this.limits;
    const queue = this.waiting.get(nameOf(taker)) ?? [];
    // Those that wait for a slot in another network are not in the way.
    if (this.findLimit(taker) === null) {
      this.count(taker, 1);
      return true;
    }
    if (queue.length >= waitingEach || taker.signal?.aborted) return false;
    const isNewcomer = queue.length === 0 && this.hasNone(taker);
    if (this.waitingAll >= waitingAll && !isNewcomer) return false;
    return this.wait(taker, queue);
  }

  private wait(taker: Taker, queue: Waiting[]): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = () => this.giveUp(waiting);
      const waiting: Waiting = {
        taker,
        settle: (isAdmitted) => {
          clearTimeout(timer);
          taker.signal?.removeEventListener('abort', giveUp);
          resolve(isAdmitted);
        },
      };
      const timer = setTimeout(giveUp, this.limits.patienceMs);
      taker.signal?.addEventListener('abort', giveUp);
      queue.push(waiting);
      this.waiting.set(nameOf(taker), queue);
      this.waitingAll++;
      if (this.limits.contested) this.contest ??= setInterval(() => this.endSlow(), contestMs);
    });
  }

  /** For each that waits, ends the slowest work that is in its way. */
  private endSlow(): void {
    const { contested } = this.limits;
    if (!contested || this.waitingAll === 0) {
      clearInterval(this.contest);
      this.contest = undefined;
      return;
    }
    for (const [next] of this.waiting.values()) {
      const limit = next ? this.findLimit(next.taker) : null;
      if (!next || limit === null) continue;
      const slow = [...this.arriving]
        .map((work) => ({ work, behindMs: work.behindMs(contested) }))
        .filter(({ work, behindMs }) => behindMs > 0 && isInWay(limit, work.taker, next.taker))
        .toSorted((a, b) => b.behindMs - a.behindMs);
      slow[0]?.work.end();
    }
  }

  private giveUp(waiting: Waiting): void {
    const name = nameOf(waiting.taker);
    const queue = this.waiting.get(name) ?? [];
    queue.splice(queue.indexOf(waiting), 1);
    if (queue.length === 0) this.waiting.delete(name);
    this.waitingAll--;
    waiting.settle(false);
  }

  private count(taker: Taker, change: 1 | -1): void {
    this.ofAccounts.add(taker.account, change);
    for (const { network } of limitsOf(taker)) this.ofNetworks.add(network, change);
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
      this.count(next.taker, 1);
      next.settle(true);
      return true;
    }
    return false;
  }
}

/** Whether somebody's slot counts toward the limit that another one has reached. */
function isInWay(limit: Limited, holder: Taker, waiting: Taker): boolean {
  if (limit === 'all') return true;
  if (limit === 'account') return holder.account === waiting.account;
  const networks = limitsOf(waiting).map(({ network }) => network);
  return limitsOf(holder).some(({ network }) => networks.includes(network));
}

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

function limitsOf({ network }: Taker, perNetwork = 0): readonly NetworkLimit[] {
  return network === null ? [] : networkLimits(network, perNetwork);
}
