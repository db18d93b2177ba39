/** One process at a time fetches: whoever has this lease. */
import { Lease, type LeaseStore } from '../domain/kernel/lease.ts';
import { type Clock, secondMs } from '../domain/kernel/time.ts';

/** A process that died is taken over after this time. */
export const leaseMs: number = 30 * secondMs;

/** The lease of those who fetch; `holder` names this process among those that share the store. */
export function syncLease(store: LeaseStore, clock: Clock, holder: string): Lease {
  return new Lease(store, clock, { name: 'sync', holder, leaseMs });
}
