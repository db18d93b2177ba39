/** Reads the units for sale of items. */

import * as db from '../../store/sql/operation.ts';
import { columnsOf, tables } from '../../store/sql/tables.ts';
import { otherNumbersSql } from '../lists/members.store.ts';
import { loadRateBook } from '../rates/rates.store.ts';
import type { Condition } from '../source-rows/source-rows.ts';
import type { ItemListings, Listings } from './listings.ts';

interface Counted extends Listings {
  readonly ofId: number;
  readonly wholeId: number;
  readonly condition: Condition;
  readonly currency: string;
}

/**
 * By item; for a minifig with several numbers, the latest count of any of them. Those of a minifig
 * that is valued as a set are added to the set's.
 */
export function* loadListings(ids: readonly number[]): db.Reading<Map<number, ItemListings>> {
  const fields = ['condition', 'channel', 'observedAt', 'units', 'lowestCents', 'currency'];
  const found = yield* db.query<Counted>(
    `SELECT coalesce(w.valued_as, w.id)::float8 AS "ofId", w.id::float8 AS "wholeId",
       ${columnsOf(tables.listings, 'l', fields)}
     FROM source.listings l JOIN published.item i ON i.id = l.item_id
     JOIN published.item w ON w.id = coalesce(i.part_of, i.id)
     WHERE l.item_id IN (SELECT id FROM published.item WHERE id = ANY($1::bigint[])
       UNION ALL ${otherNumbersSql('ANY($1::bigint[])')})
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

/** The counts of all items together. */
function latest(counted: readonly Counted[], condition: Condition): Listings[] {
  const own = counted.filter((count) => count.condition === condition);
  const byChannel = new Map<string, Listings>();
  for (const ofItem of Map.groupBy(own, ({ wholeId }) => wholeId).values()) {
    for (const count of latestOf(ofItem)) {
      byChannel.set(count.channel, added(byChannel.get(count.channel), count));
    }
  }
  return [...byChannel.values()];
}

/** The first count of each channel: they are sorted from new to old. */
function latestOf(counted: readonly Counted[]): Listings[] {
  const byChannel = new Map<string, Listings>();
  for (const { channel, observedAt, units, lowestCents } of counted) {
    byChannel.getOrInsert(channel, { channel, observedAt, units, lowestCents });
  }
  return [...byChannel.values()];
}

function added(a: Listings | undefined, b: Listings): Listings {
  if (!a) return b;
  const prices = [a.lowestCents, b.lowestCents].filter((cents) => cents !== null);
  return {
    channel: a.channel,
    observedAt: Math.min(a.observedAt, b.observedAt),
    units: a.units + b.units,
    lowestCents: prices.length === 0 ? null : Math.min(...prices),
  };
}
