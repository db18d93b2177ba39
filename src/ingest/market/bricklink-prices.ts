/** BrickLink's price guide: what was sold in the last six months, one dated row per sale. */
import { itemKey } from '../../domain/catalog/numbers.ts';
import { shortText } from '../../domain/kernel/text.ts';
import { formatInstant, parseInstant } from '../../domain/kernel/time.ts';
import { feedSale } from '../feed/feed-market.ts';
import { Fields, RowFault } from '../fields.ts';
import type { Format } from '../format.ts';
import { asObject } from '../json-values.ts';
import { tenThousandths } from '../loose.ts';
import { type Place, placed, refused } from '../placed.ts';
import type { PlacedRow } from '../source-row.ts';
import { type AnswerForm, type AnswerRecord, type PlacedAnswer, readAnswers } from './answers.ts';

/** The name under which its sales are kept, and the way they were sold. */
const bricklink = 'bricklink';

/** Guides in answers, a list of them, or one; files and folders. */
export const bricklinkPrices: Format = {
  takes: [],
  needs: [],
  isReadFirst: true,
  async *read(paths, options) {
    for await (const answer of readAnswers(paths, options, answers)) {
      yield rowsOf(answer, options.clock());
    }
  },
};

const noGuide = "it has no 'item', so it is no price guide";

const answers: AnswerForm = {
  listName: 'guides',
  membersOf: ({ data }) => (Array.isArray(data) ? data : null),
  faultOf: ({ meta, data, item }) => {
    const { code, message, description } = asObject(meta) ?? {};
    if (code === undefined && !asObject(data ?? item) && !Array.isArray(data)) return noGuide;
    if (code === undefined || code === 200) return null;
    const words = [message, description].filter((word) => typeof word === 'string' && word !== '');
    return `BrickLink answered with an error (${code}): ${shortText(words.join(', '))}`;
  },
};

/** One row per sale, or one with the reason why the guide has none. */
function rowsOf(answer: PlacedAnswer, now: number): PlacedRow[] {
  const { where } = answer;
  if ('reason' in answer) return [refused({ where, text: '' }, answer.reason)];
  try {
    const guide = readGuide(asObject(answer.record.data) ?? answer.record);
    const counts = new Map<string, number>();
    return guide.rows.map((row) => {
      const shown = { ...guide, rows: undefined, row };
      return placed(shortPlace(where, shown), () => {
        const sale = readSale(guide, asObject(row), counts);
        return { row: feedSale.read(new Fields(sale, now)) };
      });
    });
  } catch (error) {
    if (!(error instanceof RowFault)) throw error;
    return [refused(shortPlace(where, answer.record), error.message)];
  }
}

/** The place of a record that may be as long as a book. */
function shortPlace(where: string, record: AnswerRecord): Place {
  return {
    where,
    get text() {
      return JSON.stringify(record).slice(0, textLengthMax);
    },
  };
}

const textLengthMax = 4000;

interface Guide {
  readonly itemType: 'set' | 'minifig';
  readonly item: string;
  readonly condition: 'sealed' | 'used';
  readonly currency: string;
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

function readGuide(guide: AnswerRecord): Guide {
  const item = asObject(guide.item);
  const [number, type] = [item?.no, String(item?.type).toUpperCase()];
  if (typeof number !== 'string') throw new RowFault(noGuide);
  const itemType = itemTypes.get(type);
  if (!itemType) throw new RowFault(`item type ${shortText(type)} is neither SET nor MINIFIG`);
  const condition = conditions.get(String(guide.new_or_used));
  if (!condition) throw new RowFault("'new_or_used' must be N or U");
  const currency = guide.currency_code;
  if (typeof currency !== 'string') throw new RowFault("'currency_code' is missing");
  const rows = guide.price_detail;
  if (!Array.isArray(rows)) throw new RowFault("it has no 'price_detail': averages are not sales");
  if (rows.length > 0 && !rows.some((row) => asObject(row)?.date_ordered != null)) {
    throw new RowFault('asking prices are not sales; ask for guide_type=sold');
  }
  return { itemType, item: number, condition, currency, rows };
}

function readSale(
  guide: Guide,
  row: AnswerRecord | null,
  counts: Map<string, number>,
): AnswerRecord {
  if (row === null) throw new RowFault('the row is not a JSON object');
  const { date_ordered: date, unit_price: price, quantity, qunatity } = row;
  if (date == null) throw new RowFault('it has no date: asking prices are not sales');
  const soldAt = typeof date === 'string' ? parseInstant(date) : null;
  if (soldAt === null) throw new RowFault("'date_ordered' must be an instant with Z or an offset");
  const unit = tenThousandths(String(price));
  if (unit === null || unit < 0) throw new RowFault("'unit_price' must be a number such as 12.345");
  const units = Number(quantity ?? qunatity ?? Number.NaN);
  if (!(Number.isSafeInteger(units) && units > 0)) {
    throw new RowFault("'quantity' (or 'qunatity') must be a whole number above 0");
  }
  const { itemType, item, condition, currency } = guide;
  const what = [itemType, itemKey(itemType, item), condition, currency];
  return {
    source: bricklink,
    source_id: numbered([...what, formatInstant(soldAt), unit, units].join(' '), counts),
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

/**
 * A name made of what the row says, because it has none of its own. Equal rows are counted: they
 * have the same instant, so that they enter and leave the guide's six months together.
 */
function numbered(words: string, counts: Map<string, number>): string {
  const count = (counts.get(words) ?? 0) + 1;
  counts.set(words, count);
  return `${words} ${count}`;
}
