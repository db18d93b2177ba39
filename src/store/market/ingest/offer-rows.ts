/** Applies observed retail offers. */
import { weekOf, weekStart } from '../../../domain/kernel/time.ts';
import type { MarketRow, RowOutcome } from '../../../domain/market/market-ingest.ts';
import type { Offer } from '../../../domain/market/source-rows.ts';
import {
  givenRows,
  insertRows,
  type Operation,
  queryGroups,
  runEach,
  updateRows,
} from '../../sql/operation.ts';
import { columnsOf, fieldsOf, isSameRow, tables } from '../../sql/tables.ts';
import type { Batch } from './batch.ts';
import { ByItem } from './by-item.ts';
import { noItem } from './refusals.ts';
import { loadConversion, loadRetailWeeks, lookKey } from './retail-weeks.ts';

type OfferFacts = Omit<Offer, 'setKey'>;

/** Identifies an observation of a set at a retailer. */
const identity = ['itemId', 'retailer', 'observedAt'] as const;

/** The observed facts. */
export const offerFields = fieldsOf(tables.offer, identity) as (keyof OfferFacts)[];

/** An observation while a batch is applied. */
interface Look {
  readonly itemId: number;
  readonly retailer: Offer['retailer'];
  readonly observedAt: number;
  /** Null if there is none yet. */
  offer: OfferFacts | null;
  /** The offer before the batch; null if there was none. */
  stored: OfferFacts | null;
  isChanged: boolean;
}

type Looks = ByItem<number, Look>;

/**
 * Loads what offers concern, then applies them. A second offer observed at the same time replaces
 * the first.
 */
export function* loadOfferRows(rows: readonly MarketRow[], batch: Batch) {
  const { items, changes, waiting, undo } = batch;
  const looks: Looks = new ByItem();
  const named = listNamed(rows, looks, (setKey) => items.get('set', setKey));
  yield* loadLooks(looks.list());
  const weeks = yield* loadRetailWeeks(looks.list(), listReplaced(named));
  const foreign = named.filter(({ offer }) => offer.currency !== 'USD');
  const convert = yield* loadConversion(foreign.map(({ offer }) => offer));
  return {
    apply(offer: Offer): RowOutcome {
      const itemId = items.find('set', offer.setKey);
      if (itemId === null) return noItem('set', offer.setKey);
      const look = lookOf(looks, itemId, offer);
      const isNew = look.offer === null;
      if (look.offer && isSameRow(offerFields, look.offer, offer)) return { kind: 'unchanged' };
      if (offer.currency !== 'USD') waiting.add(offer.currency);
      if (look.offer && look.offer.currency !== 'USD') waiting.add(look.offer.currency);
      look.offer = offer;
      look.isChanged = true;
      const priced = convert(offer);
      const hasNewWeek = isNew ? weeks.add(itemId, priced) : weeks.replace(itemId, priced);
      changes.touch(itemId);
      // A week affects parameters from its end on.
      if (hasNewWeek) changes.addAt(weekStart(weekOf(offer.observedAt) + 1));
      return { kind: isNew ? 'added' : 'updated' };
    },
    *save(): Operation<void> {
      const changed = looks.list().filter((look) => look.isChanged);
      for (const { itemId, retailer, observedAt, stored } of changed) {
        const name = [itemId, retailer, observedAt] as const;
        undo.add('offer', stored ? [...name, stored] : name);
      }
      yield* saveLooks(changed);
      yield* forgetStates(changed);
      yield* weeks.save();
    },
  };
}

/** An offer of a set in the store. */
interface NamedOffer {
  readonly look: Look;
  readonly offer: OfferFacts;
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
  const key = lookKey(retailer, observedAt);
  const known = looks.get(itemId, key);
  if (known) return known;
  const look = { itemId, retailer, observedAt, offer: null, stored: null, isChanged: false };
  looks.set(itemId, key, look);
  return look;
}

/** Observations that a row changes, compared with the store or an earlier row. */
function listReplaced(named: readonly NamedOffer[]): Look[] {
  const seen = new Map<Look, OfferFacts>();
  const replaced: Look[] = [];
  for (const { look, offer } of named) {
    const before = look.offer ?? seen.get(look);
    if (before === undefined) seen.set(look, offer);
    else if (!isSameRow(offerFields, before, offer)) replaced.push(look);
  }
  return replaced;
}

function* loadLooks(looks: readonly Look[]): Operation<void> {
  const groups = yield* queryGroups<OfferFacts>(
    `SELECT ${columnsOf(tables.offer, 'o', fieldsOf(tables.offer, ['itemId']))}
     FROM source.offer AS o
     WHERE o.item_id = r."itemId" AND o.retailer = r.retailer AND o.observed_at = r."observedAt"`,
    givenRows(tables.offer, identity, looks),
  );
  for (const [index, look] of looks.entries()) {
    look.offer = groups[index]?.[0] ?? null;
    look.stored = look.offer;
  }
}

function* saveLooks(looks: readonly Look[]): Operation<void> {
  const toRow = ({ itemId, offer }: Look) => ({ ...offer, itemId });
  const added = looks.filter((look) => look.stored === null);
  const replaced = looks.filter((look) => look.stored !== null);
  yield* insertRows(tables.offer, [...identity, ...offerFields], added.map(toRow));
  yield* updateRows(tables.offer, offerFields, replaced.map(toRow));
}

/** Deletes retail states that are past an observation: their offers must be folded again. */
export function* forgetStates(
  looks: readonly Pick<Look, 'itemId' | 'retailer' | 'observedAt'>[],
): Operation<void> {
  const earliest = new ByItem<
    Offer['retailer'],
    { itemId: number; retailer: string; at: number }
  >();
  for (const { itemId, retailer, observedAt: at } of looks) {
    const before = earliest.get(itemId, retailer);
    if (!before) earliest.set(itemId, retailer, { itemId, retailer, at });
    else before.at = Math.min(before.at, at);
  }
  yield* runEach(
    `DELETE FROM source.retail_state AS state USING {rows}
     WHERE state.item_id = r."itemId" AND state.retailer = r.retailer AND state.checked_at >= r.at`,
    { types: { itemId: 'bigint', retailer: 'text', at: 'bigint' }, rows: earliest.list() },
  );
}
