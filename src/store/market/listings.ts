/** Reads the units for sale of items. */
import type { ItemListings, Listings } from '../../domain/market/listings.ts';
import type { Condition } from '../../domain/market/source-rows.ts';
import { type Operation, query } from '../sql/operation.ts';
import { columnsOf, tables } from '../sql/tables.ts';
import { loadRateBook } from './rates.ts';

interface Counted extends Listings {
  readonly ofId: number;
  readonly condition: Condition;
  readonly currency: string;
}

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
  const rates = yield* loadRateBook(
    found.map(({ currency, observedAt }) => ({ currency, at: observedAt })),
  );
  const toDollars = ({ currency, observedAt, lowestCents }: Counted) => {
    if (currency === 'USD' || lowestCents === null) return lowestCents;
    const rate = rates.find({ currency, at: observedAt });
    return rate && Math.round(lowestCents * rate.usdPerUnit);
  };
  const counted = found.map((count) => ({ ...count, lowestCents: toDollars(count) }));
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
