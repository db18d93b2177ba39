/** eBay's Marketplace Insights: last sales. Set and completeness are only in the title. */
import { createHash } from 'node:crypto';
import { itemKey } from '../../catalog/items/numbers.ts';
import { asObject, type JsonObject, textOf } from '../../kernel/json.ts';
import { shortText } from '../../kernel/text.ts';
import type { KnownSet } from '../../market/source-rows/market-ingest.ts';
import { mayBeAnotherSet, readListing, setNumbersIn } from '../../market/values/listing-title.ts';
import { feedSale } from '../feed/feed-market.ts';
import { isYear } from '../own-files/find-set.work.ts';
import { Fields, RowError } from '../runner/fields.ts';
import type { Format, ReadOptions } from '../runner/format.work.ts';
import { jsonLocation, type LocatedRow, readLocated, rejectedRow } from '../runner/located-row.ts';
import { tenThousandths } from '../runner/loose.ts';
import { type LocatedRecord, type ResponseFormat, readResponses } from './api-responses.work.ts';

const source = 'ebay';

/** Titles per lookup. */
const batchSize = 500;

export const ebaySales: Format = {
  isReadFirst: true,
  async *read(paths, options) {
    let batch: LocatedRecord[] = [];
    for await (const record of readResponses(paths, options, responses)) {
      batch.push(record);
      if (batch.length < batchSize) continue;
      yield rowsOf(batch, options);
      batch = [];
    }
    yield rowsOf(batch, options);
  },
};

const responses: ResponseFormat = {
  listName: 'itemSales',
  /** A search without results has no list. */
  membersOf: ({ itemSales, total, itemId }) => {
    if (Array.isArray(itemSales)) return itemSales;
    return itemId === undefined && total !== undefined ? [] : null;
  },
  problemOf: ({ itemSales, itemId, total, errors }) => {
    if (Array.isArray(errors)) return `eBay answered with an error: ${errorText(errors)}`;
    const isKnown = Array.isArray(itemSales) || itemId !== undefined || total !== undefined;
    return isKnown ? null : "it has no 'itemId', so it is not a sold listing";
  },
};

function errorText(errors: readonly unknown[]): string {
  const { message, errorId } = asObject(errors[0]) ?? {};
  return shortText(textOf(message) ?? textOf(errorId) ?? 'no reason given');
}

async function rowsOf(
  batch: readonly LocatedRecord[],
  options: ReadOptions,
): Promise<LocatedRow[]> {
  const numbers = batch.flatMap((found) =>
    'record' in found ? setNumbersIn(titleOf(found.record)) : [],
  );
  const keys = [...new Set(numbers.map((number) => itemKey('set', number)))];
  const known = keys.length === 0 ? new Map() : await options.store.market.findKnownSets(keys);
  const now = options.clock();
  return batch.map((found) => {
    if ('reason' in found) return rejectedRow({ where: found.where, text: '' }, found.reason);
    const { where, record } = found;
    return readLocated(jsonLocation(where, shownOf(record)), () => ({
      row: feedSale.read(new Fields(saleOf(record, known), now)),
    }));
  });
}

/** Throws a `RowError` unless it is certain that one set was sold. */
function saleOf(record: JsonObject, known: ReadonlyMap<string, KnownSet>): JsonObject {
  const { itemId, lastSoldDate } = record;
  if (typeof itemId !== 'string') throw new RowError("'itemId' must be text");
  if (typeof lastSoldDate !== 'string') throw new RowError("'lastSoldDate' is missing");
  if (record.itemGroupType != null) throw new RowError('the listing is for several items');
  const title = titleOf(record);
  const set = findSet(title, known);
  const reading = readListing({ title, conditionId: textOf(record.conditionId) }, set);
  if ('problem' in reading) throw new RowError(`${reading.problem}: '${title}'`);
  return {
    source,
    // Only the last sale of a listing is reported, so a later date is another sale.
    source_id: `${itemId} ${lastSoldDate}`,
    item_type: 'set',
    item: set.number,
    condition: reading.condition,
    ...priceOf(record),
    quantity: 1,
    sold_at: lastSoldDate,
    channel: channelOf(record),
    seller: sellerOf(record),
    completeness: reading.completeness,
  };
}

/** The only set in a title. Years are valid set numbers, but rarely meant as such. */
function findSet(title: string, known: ReadonlyMap<string, KnownSet>): KnownSet {
  const numbers = setNumbersIn(title);
  const found = numbers.map((number) =>
    isYear(number) ? null : (known.get(itemKey('set', number)) ?? null),
  );
  const sets = new Map(found.flatMap((set) => (set === null ? [] : [[set.number, set]])));
  const [set] = sets.values();
  if (set === undefined) throw new RowError(`it names no set in the catalog: '${title}'`);
  const others = numbers.filter(
    (number, index) => found[index] === null && mayBeAnotherSet(number),
  );
  if (sets.size > 1 || others.length > 0) {
    const list = [...sets.keys(), ...others];
    throw new RowError(`it may be for several sets, ${list.join(' and ')}: '${title}'`);
  }
  return set;
}

/** In the original currency, if eBay converted it. */
function priceOf({ lastSoldPrice }: JsonObject): { price: number; currency: string } {
  const amount = asObject(lastSoldPrice) ?? {};
  const isConverted = amount.convertedFromValue != null && amount.convertedFromCurrency != null;
  const value = isConverted ? amount.convertedFromValue : amount.value;
  const currency = isConverted ? amount.convertedFromCurrency : amount.currency;
  const parts = tenThousandths(String(value));
  if (parts === null || typeof currency !== 'string') {
    throw new RowError("'lastSoldPrice' must be an amount with its currency");
  }
  return { price: Math.round(parts / 100) / 100, currency };
}

/** With both buying options, it was an auction if there were bids. */
function channelOf({ buyingOptions, bidCount }: JsonObject): 'auction' | 'fixed' {
  const options = Array.isArray(buyingOptions) ? buyingOptions : [];
  if (!options.includes('AUCTION')) return 'fixed';
  return options.includes('FIXED_PRICE') && !(Number(bidCount) > 0) ? 'fixed' : 'auction';
}

/** Hashed, because sellers are people and only equality matters. */
function sellerOf({ seller }: JsonObject): string | null {
  const name = textOf(asObject(seller)?.username);
  return name && createHash('sha256').update(`ebay ${name}`).digest('hex').slice(0, 16);
}

function titleOf({ title }: JsonObject): string {
  return textOf(title) ?? '';
}

/** The identifying fields of a listing, for the report. */
function shownOf({ itemId, title, conditionId, lastSoldDate, lastSoldPrice }: JsonObject) {
  return { itemId, title, conditionId, lastSoldDate, lastSoldPrice };
}
