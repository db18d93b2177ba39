/**
 * All pools of slots. Limits per account and per network and a reserve for newcomers keep a single
 * client from exhausting a pool; a least rate keeps slow clients from holding its slots.
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

/** Without a queue. */
const atOnce = { waitingEach: 0, waitingAll: 0, patienceMs: 0 } as const;

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
    perAccount: 10,
    perNetwork: 6,
    all: 32,
    reserved: 8,
    waitingEach: 64,
    waitingAll: 1_024,
    patienceMs: 10_000,
    heldMsMin: 32,
    // As long as an import, which is up to a minute.
    least: { msMax: 75_000 },
  },
  /**
   * Pages of share links being answered, in the `serve` process. Anyone can open a link, and each
   * page reads a whole collection; so few, whatever the number of networks, that the page process
   * has time for others.
   */
  linkPages: {
    perAccount: 2,
    perNetwork: 2,
    all: 4,
    reserved: 2,
    waitingEach: 64,
    waitingAll: 1_024,
    patienceMs: 10_000,
    least: { msMax: 75_000 },
  },
  /** Pages of signed-in users being rendered, in the page process. */
  ownPages: {
    perAccount: 2,
    perNetwork: 6,
    all: 16,
    reserved: 4,
    waitingEach: 8,
    waitingAll: 512,
    patienceMs: 30_000,
    least: { msMax: 75_000 },
  },
  /** Forms being received and answered, also of visitors. */
  forms: {
    perAccount: 8,
    perNetwork: 8,
    all: 2_048,
    reserved: 256,
    ...atOnce,
    least: { msMax: 60_000 },
  },
  /**
   * Files being received and answered, each of which is held in memory. If two of an account stall
   * in one network, it can still upload in another.
   */
  uploads: {
    perAccount: 3,
    perNetwork: 2,
    all: 8,
    reserved: 2,
    waitingEach: 1,
    waitingAll: 16,
    patienceMs: 10_000,
    contested,
    least: { msMax: 60_000 },
  },
  /** Files being read: each takes memory, CPU time and, on PostgreSQL, a connection. */
  previews: {
    perAccount: 1,
    perNetwork: 1,
    all: 2,
    reserved: 1,
    waitingEach: 1,
    waitingAll: 16,
    patienceMs: 10_000,
    least: { msMax: 75_000 },
  },
  /** Photos being made, each in a process of its own, which takes up to 350 MB. */
  photos: {
    perAccount: 1,
    perNetwork: 1,
    all: 2,
    reserved: 1,
    waitingEach: 1,
    // As many as there are forms.
    waitingAll: 3,
    patienceMs: 40_000,
    least: { msMax: 30_000 },
  },
  /** Forms with photos being received and answered, which are larger than other files. */
  photoForms: {
    perAccount: 1,
    perNetwork: 1,
    all: 3,
    reserved: 1,
    waitingEach: 1,
    waitingAll: 16,
    // Longer than the photos of a form may take.
    patienceMs: 50_000,
    contested,
    least: { msMax: 60_000 },
  },
  /** Files that are made while they are sent, each of which needs little memory. */
  downloads: {
    perAccount: 1,
    perNetwork: 4,
    all: 16,
    reserved: 4,
    ...atOnce,
    least: { bytesPerSecond: 16 * kib, afterMs: 10_000, creditMs: 120_000 },
  },
  /** Answers from an account's own data being computed. */
  answers: {
    perAccount: 4,
    perNetwork: 12,
    all: 16,
    reserved: 4,
    waitingEach: 300,
    waitingAll: 2_000,
    patienceMs: 30_000,
    least: { msMax: 30_000 },
  },
  /** Long answers being sent: each takes the event loop a while, even from the cache. */
  longAnswers: {
    perAccount: 1,
    perNetwork: 1,
    all: 2,
    reserved: 1,
    waitingEach: 300,
    waitingAll: 2_000,
    patienceMs: 30_000,
    least: { msMax: 30_000 },
  },
  /** Open event streams; a key has ten. The total may be lower, by the file descriptors. */
  streams: {
    perAccount: 50,
    perNetwork: 1_000,
    all: 2_000,
    reserved: 200,
    ...atOnce,
    // Closed when its client reads nothing.
    least: { msMax: 60_000 },
  },
  /** Streams that are behind and read the log. */
  streamReads: {
    perAccount: 1,
    perNetwork: 1,
    all: 2,
    reserved: 1,
    waitingEach: 500,
    waitingAll: 5_000,
    patienceMs: 30_000,
    least: { msMax: 30_000 },
  },
  /**
   * Calls with test keys, which are free: `heldMsMin` limits an account to 40 a second. Slow
   * answers hold their slots.
   */
  testKeys: {
    perAccount: 4,
    perNetwork: 8,
    all: 64,
    reserved: 16,
    waitingEach: 200,
    waitingAll: 2_000,
    patienceMs: 60_000,
    heldMsMin: 100,
    least: { msMax: 30_000 },
  },
  /** Messages of AI apps; many users of one app come from the same network. */
  mcp: {
    perAccount: 4,
    perNetwork: 12,
    all: 16,
    reserved: 4,
    waitingEach: 32,
    waitingAll: 512,
    patienceMs: 10_000,
    // Three answers from own data, one after the other, each of which waits and is computed.
    least: { msMax: 3 * 60_000 },
  },
} as const satisfies Readonly<Record<string, Pool>>;

/** CPU time of previews and imports per account, which grows back at a tenth of a core. */
export const previewBudget = { burstMs: 60_000, perSecondMs: 100, accounts: 10_000 };
