/** Leases, in a table of the market's side or of the private one: who does a piece of work now. */
import type { LeaseTaken } from '../../domain/kernel/lease.ts';
import { minuteMs } from '../../domain/kernel/time.ts';
import type { StoreClock } from './clock.ts';
import { first, type Operation } from './operation.ts';

/** Where leases are kept: each side has those of the roles that may write there. */
type LeaseTable = 'source.lease' | 'private.lease';

/** Whoever asks may have been held up for as long since it looked at the clock. */
const stallMs = minuteMs;

/**
 * By the store's clock: the nodes that share a lease may disagree on what time it is. One that ends
 * later than anybody could have meant is of a clock that was set back since. When it was taken;
 * null when it was not. One that ends at once or earlier is let go; nobody lets go of another's.
 */
export function* takeLease(
  table: LeaseTable,
  { name, holder, at, until }: LeaseTaken,
  clock: StoreClock,
): Operation<number | null> {
  const taken = yield* first<{ at: number }>(
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
