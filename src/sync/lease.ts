/** The lease of the process that syncs: one at a time. */
import { Lease, type LeaseStore } from '../kernel/lease.ts';
import type { Clock } from '../kernel/time.ts';

/** Time after which another process takes over from one that died. */
export const leaseMs = 30_000;

/** `holder` identifies this process. */
export function syncLease(store: LeaseStore, clock: Clock, holder: string): Lease {
  return new Lease(store, clock, { name: 'sync', holder, leaseMs });
}
