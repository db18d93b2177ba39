/** What both engines keep, and for how long. */
import { dayMs } from '../domain/kernel/time.ts';

/** Tries of a window that ended so long ago are removed. */
export const triesKeptMs = dayMs;

/** Usage is kept day by day for so long; what is older is one number for the account. */
export const usageDaysKept = 366;

/**
 * Keys of accounts on their way out lie between these two. No e-mail has a blank in it. What such
 * an account held is removed bit by bit, which may be interrupted.
 */
export const removedKeys = { from: 'removed ', to: 'removed!' } as const;
