/** Reads the units for sale of items. */
import { at } from '../../domain/kernel/at.ts';
import { dayMs, formatDay } from '../../domain/kernel/time.ts';
import type { Evidence } from '../../domain/market/evidence.ts';
import type { Listings } from '../../domain/market/listings.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { type Operation, query, queryGroups } from '../sql/operation.ts';
import { columnsOf, tables } from '../sql/tables.ts';

type ItemListings = NonNullable<Evidence['listings']>;

interface Counted extends Listings {
  readonly ofId: number;
  readonly condition: Condition;
  readonly currency: string;
}

/** A rate may be this old, for weekends and holidays. */
const rateMs = 7 * dayMs;

/** By item; for a minifig with several numbers, the latest count of any of them. */
export function* loadListings(ids: readonly number[]): Operation<Map<number, ItemListings>> {
  const fields = ['condition', 'channel', 'observedAt', 'units', 'lowestCents', 'currency'];
  const found = yield* query<Counted>(
    `SELECT coalesce(i.part_of, i.id)::float8 AS "ofId", ${columnsOf(tables.listings, 'l', fields)}
     FROM source.listings l JOIN published.item i ON i.id = l.item_id
     WHERE l.item_id IN (SELECT id FROM published.item WHERE id = ANY($1::bigint[])
       UNION ALL SELECT id FROM published.item WHERE part_of = ANY($1::bigint[]))
     ORDER BY l.observed_at DESC, l.item_id`,
    [ids],
  );
  const counted = yield* inDollars(found);
  return new Map(
    Array.from(
      Map.groupBy(counted, ({ ofId }) => ofId),
      ([id, own]) => [id, { sealed: latest(own, 'sealed'), used: latest(own, 'used') }],
    ),
  );
}

/** The first count of each channel: they are sorted from new to old. */
function latest(counted: readonly Counted[], condition: Condition): Listings[] {
  const byChannel = new Map<string, Listings>();
  for (const { condition: own, channel, observedAt, units, lowestCents } of counted) {
    if (own !== condition || byChannel.has(channel)) continue;
    byChannel.set(channel, { channel, observedAt, units, lowestCents });
  }
  return [...byChannel.values()];
}

/** Lowest prices without an exchange rate of their day are unknown. */
function* inDollars(counted: readonly Counted[]): Operation<Counted[]> {
  const isForeign = ({ currency, lowestCents }: Counted) =>
    currency !== 'USD' && lowestCents !== null;
  const foreign = counted.filter(isForeign);
  const rates = yield* queryGroups<{ rate: number }>(
    `SELECT usd_per_unit AS rate FROM published.fx
     WHERE currency = r.currency AND date <= r.date AND date >= r.oldest
     ORDER BY date DESC LIMIT 1`,
    {
      types: { currency: 'text', date: 'text', oldest: 'text' },
      rows: foreign.map(({ currency, observedAt }) => ({
        currency,
        date: formatDay(observedAt),
        oldest: formatDay(observedAt - rateMs),
      })),
    },
  );
  let index = 0;
  return counted.map((count) => {
    if (!isForeign(count)) return count;
    const [found] = at(rates, index++);
    return {
      ...count,
      lowestCents: found ? Math.round((count.lowestCents ?? 0) * found.rate) : null,
    };
  });
}
