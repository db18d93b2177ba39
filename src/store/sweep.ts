/** What both engines keep, and for how long. */
import { dayMs } from '../domain/time.ts';

/** Tries of a window that ended so long ago are removed. */
export const triesKeptMs = dayMs;

/** Usage is kept day by day for so long; what is older is one number for the account. */
export const usageDaysKept = 366;
