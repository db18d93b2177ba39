/** What both engines keep, and for how long. */
import { dayMs } from '../domain/time.ts';

/** Tries of a window that ended so long ago are removed. */
export const triesKeptMs = dayMs;

/** Usage is kept day by day for so long; what is older is one number for the account. */
export const usageDaysKept = 366;

/**
 * Keys of accounts on their way out lie between these two; no e-mail has such a key. The embedded
 * store removes what an account held bit by bit, and may be interrupted, or moved, meanwhile.
 */
export const removedKeys = { from: 'removed:', to: 'removed;' } as const;
