/** Applies observed retail offers. */

import { isSameOffer, type OfferFacts } from '../../market/retail/offer-runs.ts';
import { type LookKey, loadOfferWeeks } from '../../market/retail/offer-weeks.store.ts';
import { ByItem } from '../../market/source-rows/by-item.store.ts';
import type { MarketRow, RowOutcome } from '../../market/source-rows/market-ingest.ts';
import type { Offer } from '../../market/source-rows/source-rows.ts';
import * as db from '../../store/sql/operation.ts';
import type { Batch } from './batch.store.ts';
import { noItem } from './refusals.store.ts';
import { loadConversion, loadRetailWeeks, lookKey } from './retail-weeks.store.ts';

/** An observation while a batch is applied. */
interface Look extends LookKey {
  /** Null if there is none yet. */
  offer: OfferFacts | null;
  /** The offer before the batch; null if there was none. */
  stored: OfferFacts | null;
  isChanged: boolean;
}

type Looks = ByItem<number, Look>;

/** A second offer observed at the same time replaces the first. */
export function* loadOfferRows(rows: readonly MarketRow[], batch: Batch) {
  const { items, changes, waiting, undo } = batch;
  const looks: Looks = new ByItem();
  const named = listNamed(rows, looks, (setKey) => items.get('set', setKey));
  const stored = yield* loadOfferWeeks(looks.list());
  for (const look of looks.list()) {
    look.stored = stored.find(look);
    look.offer = look.stored;
  }
  const weeks = yield* loadRetailWeeks(looks.list(), listReplaced(named));
  const foreign = named.filter(({ offer }) => offer.currency !== 'USD');
  const convert = yield* loadConversion(foreign.map(({ offer }) => offer));
  return {
    apply(offer: Offer): RowOutcome {
      const itemId = items.find('set', offer.setKey);
      if (itemId === null) return noItem('set', offer.setKey);
      const look = lookOf(looks, itemId, offer);
      const isNew = look.offer === null;
      if (look.offer && isSameOffer(look.offer, offer)) return { kind: 'unchanged' };
      if (offer.currency !== 'USD') waiting.add(offer.currency);
      if (look.offer && look.offer.currency !== 'USD') waiting.add(look.offer.currency);
      look.offer = offer;
      look.isChanged = true;
      const priced = convert(offer);
      const hasNewWeek = isNew ? weeks.add(itemId, priced) : weeks.replace(itemId, priced);
      changes.touchOffer(itemId, offer.observedAt, hasNewWeek);
      return { kind: isNew ? 'added' : 'updated' };
    },
    *save(): db.Operation<void> {
      const changed = looks.list().filter((look) => look.isChanged);
      for (const look of changed) {
        const name = [look.itemId, look.retailer, look.observedAt] as const;
        undo.add('offer', look.stored ? [...name, look.stored] : name);
        stored.set(look, look.offer);
      }
      yield* stored.save();
      yield* forgetStates(changed);
      yield* weeks.save();
    },
  };
}

interface NamedOffer {
  readonly look: Look;
  readonly offer: Offer;
}

function listNamed(
  rows: readonly MarketRow[],
  looks: Looks,
  findId: (setKey: string) => number | null,
): NamedOffer[] {
  const named: NamedOffer[] = [];
  for (const row of rows) {
    const itemId = row.kind === 'offer' ? findId(row.offer.setKey) : null;
    if (row.kind !== 'offer' || itemId === null) continue;
    named.push({ look: lookOf(looks, itemId, row.offer), offer: row.offer });
  }
  return named;
}

/** Finds or adds the observation of an offer. */
function lookOf(looks: Looks, itemId: number, { retailer, observedAt }: Offer): Look {
  return looks.getOrMake(itemId, lookKey(retailer, observedAt), () => {
    return { itemId, retailer, observedAt, offer: null, stored: null, isChanged: false };
  });
}

/** Observations that a row changes, compared with the store or an earlier row. */
function listReplaced(named: readonly NamedOffer[]): Look[] {
  const seen = new Map<Look, OfferFacts>();
  const replaced: Look[] = [];
  for (const { look, offer } of named) {
    const before = look.offer ?? seen.get(look);
    if (before === undefined) seen.set(look, offer);
    else if (!isSameOffer(before, offer)) replaced.push(look);
  }
  return replaced;
}

/** Deletes retail states that are past an observation: their offers must be folded again. */
export function* forgetStates(looks: readonly LookKey[]): db.Operation<void> {
  const earliest = new ByItem<
    Offer['retailer'],
    { itemId: number; retailer: string; at: number }
  >();
  for (const { itemId, retailer, observedAt: at } of looks) {
    const first = earliest.getOrMake(itemId, retailer, () => ({ itemId, retailer, at }));
    first.at = Math.min(first.at, at);
  }
  yield* db.runEach(
    `DELETE FROM source.retail_state AS state USING {rows}
     WHERE state.item_id = r."itemId" AND state.retailer = r.retailer AND state.checked_at >= r.at`,
    { types: { itemId: 'bigint', retailer: 'text', at: 'bigint' }, rows: earliest.list() },
  );
}
