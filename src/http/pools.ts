/**
 * All pools of slots, with the same rule: a network has the slots of three accounts, and the last
 * quarter is for newcomers, so no single client can exhaust a pool. A least rate keeps slow clients
 * from holding its slots. Pools with the same numbers are apart because work of the one would wait
 * for the other: photos hold up imports, a stream that is behind holds up answers, and a message of
 * an AI app waits for answers itself.
 */
import type { SlotLimits } from './slots.ts';

/** How fast the work of a slot must progress; otherwise it is ended. */
export type LeastRate =
  | { readonly msMax: number }
  /**
   * Bytes on average, once the first `afterMs` have passed. Reading faster is credited for a later
   * pause of up to `creditMs`, because systems send what they buffer in large parts.
   */
  | { readonly bytesPerSecond: number; readonly afterMs: number; readonly creditMs: number };

export interface Pool extends SlotLimits {
  readonly least: LeastRate;
}

const accountsPerNetwork = 3;

function sized(perAccount: number, all: number) {
  const perNetwork = accountsPerNetwork * perAccount;
  return { perAccount, perNetwork, all, reserved: reservedOf(all) };
}

export function reservedOf(all: number): number {
  return Math.ceil(all / 4);
}

const noQueue = { waitingEach: 0, waitingAll: 0, patienceMs: 0 } as const;
/** For people, who try again. */
const shortQueue = { waitingEach: 64, waitingAll: 1_024, patienceMs: 10_000 } as const;
/** For programs, which send many requests at once. */
const longQueue = { waitingEach: 300, waitingAll: 2_000, patienceMs: 30_000 } as const;
/** For files, each of which is held in memory. */
const fileQueue = { waitingEach: 1, waitingAll: 16, patienceMs: 10_000 } as const;

const kib = 1024;

/**
 * The minimum pace of an upload while others wait. It is below the pace at which the largest file
 * arrives within the time of its pool, and a stalled upload frees its slot after two seconds.
 */
const contested = { bytesPerSecond: 64 * kib, afterMs: 2_000 } as const;

export const pools = {
  /**
   * Pages and forms being answered, in the `serve` process: six of a network, as a browser opens
   * six connections. `heldMsMin` limits all of them to a thousand a second. Accounts are not known
   * here: `ownPages` lets each have ten at most, including those that wait there.
   */
  pages: {
    ...sized(2, 32),
    ...shortQueue,
    heldMsMin: 32,
    // As long as an import, which is up to a minute.
    least: { msMax: 75_000 },
  },
  /**
   * Pages of share links being answered, in the `serve` process. Anyone can open a link, and each
   * page reads a whole collection; so few, whatever the number of networks, that the page process
   * has time for others.
   */
  linkPages: { ...sized(1, 4), ...shortQueue, least: { msMax: 75_000 } },
  /**
   * Pages of signed-in users being rendered, in the page process. Few wait, because each has a slot
   * of `pages`.
   */
  ownPages: { ...sized(2, 16), ...longQueue, waitingEach: 8, least: { msMax: 75_000 } },
  /** Forms being received and answered, also of visitors. */
  forms: { ...sized(4, 2_048), ...noQueue, least: { msMax: 60_000 } },
  /** Files being received and answered, each of which is held in memory. */
  uploads: {
    ...sized(3, 8),
    // If two of an account stall in one network, it can still upload in another.
    perNetwork: 2,
    ...fileQueue,
    contested,
    least: { msMax: 60_000 },
  },
  /** Files being read: each takes memory, CPU time and, on PostgreSQL, a connection. */
  previews: { ...sized(1, 2), ...fileQueue, least: { msMax: 75_000 } },
  /** Photos being made, each in a process of its own, which takes up to 350 MB. */
  photos: { ...sized(1, 2), ...fileQueue, patienceMs: 40_000, least: { msMax: 30_000 } },
  /** Forms with photos being received and answered, which are larger than other files. */
  photoForms: {
    ...sized(1, 3),
    ...fileQueue,
    // Longer than the photos of a form may take.
    patienceMs: 50_000,
    contested,
    least: { msMax: 60_000 },
  },
  /** Files that are made while they are sent, each of which needs little memory. */
  downloads: {
    ...sized(1, 16),
    ...noQueue,
    least: { bytesPerSecond: 16 * kib, afterMs: 10_000, creditMs: 120_000 },
  },
  /** Answers from an account's own data being computed. */
  answers: { ...sized(4, 16), ...longQueue, least: { msMax: 30_000 } },
  /** Long answers being sent: each takes the event loop a while, even from the cache. */
  longAnswers: { ...sized(1, 2), ...longQueue, least: { msMax: 30_000 } },
  /** Open event streams; a key has ten. The total may be lower, by the file descriptors. */
  streams: {
    ...sized(50, 2_000),
    // All users of a program that runs in one place.
    perNetwork: 1_000,
    ...noQueue,
    // Closed when its client reads nothing.
    least: { msMax: 60_000 },
  },
  /** Streams that are behind and read the log. */
  streamReads: { ...sized(1, 2), ...longQueue, least: { msMax: 30_000 } },
  /**
   * Calls with test keys, which are free: `heldMsMin` limits an account to 40 a second. Slow
   * answers hold their slots. Fewer wait than a network has connections, so that it is told.
   */
  testKeys: {
    ...sized(4, 64),
    ...longQueue,
    waitingEach: 200,
    heldMsMin: 100,
    least: { msMax: 30_000 },
  },
  /** Messages of AI apps; many users of one app come from the same network. */
  mcp: {
    ...sized(4, 16),
    ...shortQueue,
    // Each has up to 64 KiB in memory.
    waitingEach: 32,
    waitingAll: 512,
    // Three answers from own data, one after the other, each of which waits and is computed.
    least: { msMax: 3 * 60_000 },
  },
} as const satisfies Readonly<Record<string, Pool>>;

/** CPU time of previews and imports per account, which grows back at a tenth of a core. */
export const previewBudget = { burstMs: 60_000, perSecondMs: 100, accounts: 10_000 };
