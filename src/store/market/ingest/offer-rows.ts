/** Retailers' offers on their way in. */

import { weekOf, weekStart } from '../../../domain/kernel/time.ts';
import type { MarketRow, RowOutcome } from '../../../domain/market/market-store.ts';
import type { Offer } from '../../../domain/market/source-rows.ts';
import {
  givenRows,
  insertRows,
  type Operation,
  queryEach,
  runEach,
  updateRows,
} from '../../sql/operation.ts';
import { columnsOf, fieldsOf, isSameRow, tables } from '../../sql/tables.ts';
import type { Batch } from './batch.ts';
import { noItem } from './refusals.ts';
import { loadRetailWeeks, type SetOffer } from './retail-weeks.ts';

/** An offer as it is written. */
type OfferRow = SetOffer['offer'] & { readonly itemId: number };

/** Which look of which retailer it is. */
const identity = ['itemId', 'retailer', 'observedAt'];

const rowFields = fieldsOf(tables.offer) as (keyof OfferRow)[];

/** What the look found. */
const factFields = rowFields.filter((field) => !identity.includes(field));

/** An offer while a batch is applied. */
interface HeldOffer extends SetOffer {
  readonly isStored: boolean;
  readonly isChanged: boolean;
}

/** Offers by set, retailer and instant. */
type HeldOffers = Map<string, HeldOffer>;

/** Reads what offers concern; then applies them. A second look at an instant replaces the first. */
export function* loadOfferRows(rows: readonly MarketRow[], batch: Batch) {
  const { items, changes } = batch;
  const named = listNamed(rows, batch);
  const offers = yield* loadOffers(named);
  const weeks = yield* loadRetailWeeks({ named, replaced: listReplaced(named, offers) });
  return {
    apply(offer: Offer): RowOutcome {
      const setId = items.find('set', offer.setKey);
      if (setId === null) return noItem('set', offer.setKey);
      const name = nameOf({ setId, offer });
      const old = offers.get(name);
      if (old && isSameRow(factFields, old.offer, offer)) return { kind: 'unchanged' };
      offers.set(name, { setId, offer, isStored: old?.isStored ?? false, isChanged: true });
      const hasNewWeek = old ? weeks.replace({ setId, offer }) : weeks.add({ setId, offer });
      changes.touch(setId);
      // A week counts from its end on.
      if (hasNewWeek) changes.addAt(weekStart(weekOf(offer.observedAt) + 1));
      return { kind: old ? 'updated' : 'added' };
    },
    *save(): Operation<void> {
      const changed = [...offers.values()].filter((offer) => offer.isChanged);
      yield* saveOffers(changed);
      yield* forgetStates(changed);
      yield* weeks.save();
    },
  };
}

function nameOf({ setId, offer }: SetOffer): string {
  return `${setId} ${offer.retailer} ${offer.observedAt}`;
}

/** The offers of sets that are in the store already; there is nothing to read of others. */
function listNamed(rows: readonly MarketRow[], { items }: Batch): SetOffer[] {
  return rows.flatMap((row) => {
    const setId = row.kind === 'offer' ? items.get('set', row.offer.setKey) : null;
    return row.kind === 'offer' && setId !== null ? [{ setId, offer: row.offer }] : [];
  });
}

/** Those that say something else than what is there, or than another row of the batch. */
function listReplaced(named: readonly SetOffer[], offers: HeldOffers): SetOffer[] {
  const first = new Map<string, SetOffer['offer']>();
  return named.filter((some) => {
    const name = nameOf(some);
    const before = first.get(name) ?? offers.get(name)?.offer;
    if (before === undefined) first.set(name, some.offer);
    return before !== undefined && !isSameRow(factFields, before, some.offer);
  });
}

function* loadOffers(named: readonly SetOffer[]): Operation<HeldOffers> {
  const stored = yield* queryEach<OfferRow>(
    `SELECT ${columnsOf(tables.offer, 'o')} FROM source.offer AS o
     WHERE o.item_id = r."itemId" AND o.retailer = r.retailer
       AND o.observed_at = r."observedAt" LIMIT 1`,
    givenRows(tables.offer, identity, named.map(toRow)),
  );
  return new Map(
    stored.map(({ itemId: setId, ...offer }) => [
      nameOf({ setId, offer }),
      { setId, offer, isStored: true, isChanged: false },
    ]),
  );
}

function toRow({ setId, offer }: SetOffer): OfferRow {
  return { ...offer, itemId: setId };
}

function* saveOffers(offers: readonly HeldOffer[]): Operation<void> {
  const added = offers.filter((offer) => !offer.isStored);
  const replaced = offers.filter((offer) => offer.isStored);
  yield* insertRows(tables.offer, rowFields, added.map(toRow));
  yield* updateRows(tables.offer, factFields, replaced.map(toRow));
}

/** A look that was made before one that is folded in already changes what came after it. */
function* forgetStates(offers: readonly HeldOffer[]): Operation<void> {
  const earliest = new Map<string, { itemId: number; retailer: string; checkedAt: number }>();
  for (const { setId, offer } of offers) {
    const { retailer, observedAt } = offer;
    const name = `${setId} ${retailer}`;
    const checkedAt = Math.min(observedAt, earliest.get(name)?.checkedAt ?? observedAt);
    earliest.set(name, { itemId: setId, retailer, checkedAt });
  }
  yield* runEach(
    `DELETE FROM source.retail_state AS state USING {rows}
     WHERE state.item_id = r."itemId" AND state.retailer = r.retailer
       AND state.checked_at >= r."checkedAt"`,
    givenRows(tables.retailState, ['itemId', 'retailer', 'checkedAt'], [...earliest.values()]),
  );
}
