/** BrickLink's price guide: the sales of the last six months, or the units for sale. */

import { itemKey } from '../../catalog/items/numbers.ts';
import { asObject, type JsonObject } from '../../kernel/json.ts';
import { shortText } from '../../kernel/text.ts';
import { formatInstant, parseInstant } from '../../kernel/time.ts';
import { feedListings, feedSale } from '../feed/feed-market.ts';
import { bricklinkError } from '../runner/bricklink-answer.ts';
import { Fields, RowError, readOr } from '../runner/fields.ts';
import type { Format } from '../runner/format.work.ts';
import {
  type LocatedRow,
  type Location,
  readLocated,
  rejectedRow,
  shortJson,
} from '../runner/located-row.ts';
import { tenThousandths } from '../runner/loose.ts';
import { RunningNumbers } from '../runner/running-numbers.ts';
import { type LocatedRecord, type ResponseFormat, readResponses } from './api-responses.work.ts';

/** Source name and channel of its sales. */
const bricklink = 'bricklink';

export const bricklinkPrices: Format = {
  isReadFirst: true,
  async *read(paths, options) {
    for await (const record of readResponses(paths, options, responses)) {
      yield rowsOf(record, options.clock());
    }
  },
};

const noGuide = "it has no 'item', so it is not a price guide";

const responses: ResponseFormat = {
  listName: 'guides',
  membersOf: ({ data }) => (Array.isArray(data) ? data : null),
  problemOf: (answer) => {
    const { meta, data, item } = answer;
    const isSilent = asObject(meta)?.code === undefined;
    if (isSilent && !asObject(data ?? item) && !Array.isArray(data)) return noGuide;
    return bricklinkError(answer);
  },
};

/** One row per sale, one for the units for sale, or one reject. */
function rowsOf(answer: LocatedRecord, now: number): LocatedRow[] {
  const { where } = answer;
  if ('reason' in answer) return [rejectedRow({ where, text: '' }, answer.reason)];
  return readOr(
    () => {
      const guide = readGuide(asObject(answer.record.data) ?? answer.record);
      if (guide.isStock) {
        return [
          readLocated(shortLocation(where, { ...guide, rows: undefined }), () => ({
            row: feedListings.read(new Fields(readStock(guide, now), now)),
          })),
        ];
      }
      const numbers = new RunningNumbers();
      return guide.rows.map((row) => {
        const shown = { ...guide, rows: undefined, row };
        return readLocated(shortLocation(where, shown), () => {
          const sale = readSale(guide, asObject(row), numbers);
          return { row: feedSale.read(new Fields(sale, now)) };
        });
      });
    },
    (reason) => [rejectedRow(shortLocation(where, answer.record), reason)],
  );
}

function shortLocation(where: string, record: JsonObject): Location {
  return {
    where,
    get text() {
      return shortJson(record);
    },
  };
}

interface Guide {
  readonly itemType: 'set' | 'minifig';
  readonly item: string;
  readonly condition: 'sealed' | 'used';
  readonly currency: string;
  /** Whether the rows are offers, not sales. */
  readonly isStock: boolean;
  readonly rows: readonly unknown[];
}

const itemTypes: ReadonlyMap<string, Guide['itemType']> = new Map([
  ['SET', 'set'],
  ['MINIFIG', 'minifig'],
]);
const conditions: ReadonlyMap<string, Guide['condition']> = new Map([
  ['N', 'sealed'],
  ['U', 'used'],
]);

function readGuide(guide: JsonObject): Guide {
  const item = asObject(guide.item);
  const [number, type] = [item?.no, String(item?.type).toUpperCase()];
  if (typeof number !== 'string') throw new RowError(noGuide);
  const itemType = itemTypes.get(type);
  if (!itemType) throw new RowError(`item type ${shortText(type)} is neither SET nor MINIFIG`);
  const condition = conditions.get(String(guide.new_or_used));
  if (!condition) throw new RowError("'new_or_used' must be N or U");
  const currency = guide.currency_code;
  if (typeof currency !== 'string') throw new RowError("'currency_code' is missing");
  const rows = guide.price_detail;
  if (!Array.isArray(rows)) throw new RowError("'price_detail' is missing; averages are not sales");
  // Only sales have dates. A guide without rows says nothing.
  const isStock = rows.length > 0 && !rows.some((row) => asObject(row)?.date_ordered != null);
  return { itemType, item: number, condition, currency, isStock, rows };
}

/** The file does not say when the units were counted, so that is now. */
function readStock({ itemType, item, condition, currency, rows }: Guide, now: number): JsonObject {
  let units = 0;
  let lowest = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const lot = readLot(asObject(row));
    units += lot.units;
    lowest = Math.min(lowest, lot.unit);
  }
  return {
    item_type: itemType,
    item,
    condition,
    channel: bricklink,
    observed_at: formatInstant(now),
    units,
    lowest_price: Math.round(lowest / 100) / 100,
    currency,
  };
}

/** The price, in ten-thousandths, and the number of units. */
function readLot(row: JsonObject | null): { readonly unit: number; readonly units: number } {
  if (row === null) throw new RowError('the row is not a JSON object');
  const { unit_price: price, quantity, qunatity } = row;
  const unit = tenThousandths(String(price));
  if (unit === null || unit < 0) throw new RowError("'unit_price' must be a number such as 12.345");
  const units = Number(quantity ?? qunatity ?? Number.NaN);
  if (!(Number.isSafeInteger(units) && units > 0)) {
    throw new RowError("'quantity' (or 'qunatity') must be a whole number above 0");
  }
  return { unit, units };
}

function readSale(guide: Guide, row: JsonObject | null, numbers: RunningNumbers): JsonObject {
  const { unit, units } = readLot(row);
  const date = row?.date_ordered;
  if (date == null) throw new RowError('it has no date, so it is an asking price, not a sale');
  const soldAt = typeof date === 'string' ? parseInstant(date) : null;
  if (soldAt === null) throw new RowError("'date_ordered' must be an instant with Z or an offset");
  const { itemType, item, condition, currency } = guide;
  const sold = [formatInstant(soldAt), unit, units];
  const name = [itemType, itemKey(itemType, item), condition, currency, ...sold].join(' ');
  return {
    source: bricklink,
    // Equal rows have the same instant, so they enter and leave the six months of the guide
    // together.
    source_id: `${name} ${numbers.next(name)}`,
    item_type: itemType,
    item,
    condition,
    price: Math.round((unit * units) / 100) / 100,
    currency,
    quantity: units,
    sold_at: formatInstant(soldAt),
    channel: bricklink,
    completeness: 'unknown',
  };
}
