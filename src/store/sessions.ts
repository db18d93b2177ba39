/** Rules of sessions that both engines keep to. */
import { minuteMs } from '../domain/kernel/time.ts';

/** That a session was seen is written down no more often than this. */
export const seenAgainMs = 5 * minuteMs;
