/** Leases: one process at a time does a piece of work. */
import type { LeaseTaken } from '../../kernel/lease.ts';
import { minuteMs } from '../../kernel/time.ts';
import type { StoreClock } from './clock.ts';
import * as db from './operation.ts';

/** Each half has the leases of the roles that may write to it. */
type LeaseTable = 'source.market_lease' | 'private.lease';

/** A process may have been suspended this long since it read the clock. */
const stallMs = minuteMs;

/**
 * Takes, renews or releases a lease, by the store's clock. Returns when it was taken; null if
 * another holder has it. A lease that ends impossibly late is from before the clock was set back,
 * and is ignored. A lease with `until` not after `at` is released; only the holder can do that.
 */
export function* takeLease(
  table: LeaseTable,
  { name, holder, at, until }: LeaseTaken,
  clock: StoreClock,
): db.Operation<number | null> {
  const taken = yield* db.runFirst<{ at: number }>(
    `INSERT INTO ${table} AS l (name, holder, until)
     VALUES ($1::text, $2::text, published.instant($3::bigint, $4::bigint) + $5::bigint)
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE l.holder = excluded.holder OR $5::bigint > 0 AND (
       l.until <= excluded.until - $5::bigint OR l.until > excluded.until + $5::bigint + ${stallMs})
     RETURNING until - $5::bigint AS at`,
    [name, holder, ...clock(at), until - at],
  );
  return taken?.at ?? null;
}
