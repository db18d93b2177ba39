/**
 * Converts the history of a Keepa product to observations of its offers, one at every change. Lows
 * and changes of price or seller are derived by the rules of the domain.
 */

import { countText } from '../../kernel/format.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { secondMs } from '../../kernel/time.ts';
import type { Offer } from '../../market/source-rows/source-rows.ts';
import { RowError } from '../runner/fields.ts';
import {
  Cursor,
  type Holders,
  keepaInstantOrNull,
  readHolders,
  readSeries,
  type Series,
} from './keepa-series.ts';

/** Beyond this, only changes of price, seller, stock and list price are kept. */
export const observationsMax = 20_000;

/** Amazon's seller ID on amazon.com. */
const amazonSeller = 'ATVPDKIKX0DER';

export type Observation = Omit<Offer, 'retailer' | 'setKey' | 'currency' | 'asin' | 'productUrl'>;

/** Oldest first. Throws a `RowError` if the history is invalid. */
export function listObservations(product: JsonObject): Observation[] {
  const history = readHistory(product);
  const cursor = new HistoryCursor(history);
  const observations: Observation[] = [];
  for (const at of changeTimes(history)) {
    const observation = cursor.observeAt(at);
    if (!isSame(observations.at(-1), observation)) observations.push(observation);
  }
  const last = finalObservation(cursor, history, observations.at(-1));
  if (last) observations.push(last);
  if (observations.length === 0) throw noHistory();
  return thinnedOut(observations);
}

function noHistory(): RowError {
  return new RowError('it has no prices; use history=1');
}

type PriceName = 'amazon' | 'lowestNew' | 'list' | 'lowestFba' | 'buyBox' | 'fbaCount';

/** Series are null if they are not in the response. */
interface History extends Readonly<Record<PriceName, Series | null>> {
  readonly holders: Holders | null;
  /** The history is incomplete before this instant. */
  readonly startAt: number;
  readonly final: Final;
}

/** The last observation, with data that is only known for that time. */
interface Final {
  readonly at: number;
  /** Whether Keepa checked the product after the last change. */
  readonly isLater: boolean;
  readonly availability: unknown;
  /** Whether the price is only shown in the cart (MAP), so the stock is unknown. */
  readonly isPriceHidden: boolean;
}

function readHistory(product: JsonObject): History {
  const { csv } = product;
  if (csv !== null && csv !== undefined && !Array.isArray(csv)) {
    throw new RowError("'csv' must be a list of series");
  }
  const series = {
    amazon: readSeries(csv, 0, 'price'),
    lowestNew: readSeries(csv, 1, 'price'),
    list: readSeries(csv, 4, 'price'),
    lowestFba: readSeries(csv, 10, 'price'),
    buyBox: readSeries(csv, 18, 'price and shipping'),
    fbaCount: readSeries(csv, 34, 'price'),
    holders: readHolders(product.buyBoxSellerIdHistory),
  };
  const final = readFinal(product, Object.values(series));
  return {
    ...withStats(series, product.stats, final.at),
    startAt: startOf(product, [series.amazon, series.lowestNew]),
    final,
  };
}

function readFinal(
  product: JsonObject,
  series: readonly ({ readonly times: readonly number[] } | null)[],
): Final {
  const lastChange = series.reduce((last, series) => Math.max(last, series?.times.at(-1) ?? 0), 0);
  const observed = Math.max(
    keepaInstantOrNull(product.lastUpdate) ?? 0,
    keepaInstantOrNull(product.lastPriceChange) ?? 0,
  );
  if (lastChange === 0 && observed === 0) throw noHistory();
  const isLater = observed > lastChange;
  return {
    // Never the instant of a change: data that is only valid today would become part of the
    // history, and the next response would replace that observation.
    at: isLater ? observed : lastChange + secondMs,
    isLater,
    availability: product.availabilityAmazon ?? null,
    isPriceHidden: product.newPriceIsMAP === true,
  };
}

type ProductSeries = Omit<History, 'startAt' | 'final'>;

/** Fills in missing series at the last observation from the statistics. */
function withStats(series: ProductSeries, stats: unknown, at: number): ProductSeries {
  if (typeof stats !== 'object' || stats === null) return series;
  const record = stats as JsonObject;
  const current = Array.isArray(record.current) ? record.current : [];
  const now = (value: unknown): Series | null =>
    Number.isSafeInteger(value) && Number(value) >= 0
      ? { times: [at], values: [Number(value)] }
      : null;
  const { buyBoxPrice: price, buyBoxShipping: shipping } = record;
  const buyBox = Number(price) > 0 ? Number(price) + Math.max(Number(shipping) || 0, 0) : null;
  const holder = record.buyBoxIsAmazon === true ? { times: [at], sellers: [amazonSeller] } : null;
  return {
    amazon: series.amazon ?? now(current[0]),
    lowestNew: series.lowestNew ?? now(current[1]),
    list: series.list ?? now(current[4]),
    lowestFba: series.lowestFba ?? now(current[10]),
    buyBox: series.buyBox ?? now(price === null || price === undefined ? current[18] : buyBox),
    fbaCount: series.fbaCount ?? now(current[34]),
    holders: series.holders ?? holder,
  };
}

/** The start of complete data: 0, unless the response was limited to some days. */
function startOf(product: JsonObject, deciding: readonly (Series | null)[]): number {
  const firsts = deciding.flatMap((series) => series?.times[0] ?? []);
  const since = keepaInstantOrNull(product.trackingSince);
  const isCut = since !== null && Math.min(...firsts) > since;
  return isCut ? Math.max(...firsts) : 0;
}

/** Distinct and sorted. */
function changeTimes({ final, startAt, ...history }: History): number[] {
  const times = Object.values(history).flatMap((series) => series?.times ?? []);
  const distinct = new Set(times.filter((at) => at >= startAt && at < final.at));
  return [...distinct].sort((a, b) => a - b);
}

/** Advances all series together. */
class HistoryCursor {
  private readonly prices: Readonly<Record<PriceName, Cursor<number | null>>>;
  private readonly holder: Cursor<string | null>;

  constructor({ holders, ...history }: History) {
    const cursorOf = (series: Series | null) =>
      new Cursor(series?.times ?? [], series?.values ?? []);
    this.prices = {
      amazon: cursorOf(history.amazon),
      lowestNew: cursorOf(history.lowestNew),
      list: cursorOf(history.list),
      lowestFba: cursorOf(history.lowestFba),
      buyBox: cursorOf(history.buyBox),
      fbaCount: cursorOf(history.fbaCount),
    };
    this.holder = new Cursor(holders?.times ?? [], holders?.sellers ?? []);
  }

  observeAt(at: number): Observation {
    for (const cursor of [...Object.values(this.prices), this.holder]) cursor.moveTo(at);
    const { list, lowestFba, buyBox, fbaCount } = this.prices;
    const own = this.ownCents();
    const priceCents = own ?? this.thirdPartyCents();
    const count = fbaCount.value;
    const seller = own === null ? 'third_party' : 'retailer';
    return {
      observedAt: at,
      priceCents,
      listPriceCents: list.value,
      sellerType: priceCents === null ? null : seller,
      inStock: priceCents !== null,
      lowestFbaCents: lowestFba.value,
      // The count includes Amazon.
      fbaSellers: count === null ? null : Math.max(0, count - (own === null ? 0 : 1)),
      buyBoxCents: buyBox.value,
    };
  }

  /** Amazon's own price, even if another seller has the buy box. */
  private ownCents(): number | null {
    const { holder } = this;
    const { amazon, buyBox } = this.prices;
    if (amazon.value !== null) return amazon.value;
    // Amazon in the buy box counts too, unless its offer ended later.
    const isLater = (holder.since ?? 0) >= (amazon.since ?? 0);
    return this.isAmazonInBuyBox() && isLater ? buyBox.value : null;
  }

  private thirdPartyCents(): number | null {
    // A buy box last held by Amazon says nothing about third parties.
    const buyBox = this.isAmazonInBuyBox() ? null : this.prices.buyBox.value;
    return buyBox ?? this.prices.lowestNew.value;
  }

  private isAmazonInBuyBox(): boolean {
    return this.holder.value === amazonSeller;
  }
}

/** Null if it is neither newer nor different from the previous one. */
function finalObservation(
  cursor: HistoryCursor,
  { final }: History,
  before: Observation | undefined,
): Observation | null {
  const observation = cursor.observeAt(final.at);
  const isKnown = before !== undefined || observation.priceCents !== null;
  const known: Observation = { ...observation, inStock: stockOf(observation, final) };
  return isKnown && (final.isLater || !isSame(before, known)) ? known : null;
}

/** Amazon reports stock for today only; 1, 3 and 4 are backorders and preorders. */
function stockOf(observation: Observation, { availability, isPriceHidden }: Final): boolean | null {
  if (observation.sellerType === null) return false;
  if (observation.sellerType === 'third_party') return isPriceHidden ? null : true;
  if (availability === null || availability === 0) return true;
  return [1, 3, 4].includes(Number(availability)) ? false : null;
}

/** Whether two observations are equal; without `withExit`, FBA and buy box may differ. */
function isSame(a: Observation | undefined, b: Observation, withExit = true): boolean {
  return (
    a !== undefined &&
    a.priceCents === b.priceCents &&
    a.sellerType === b.sellerType &&
    a.inStock === b.inStock &&
    a.listPriceCents === b.listPriceCents &&
    (!withExit ||
      (a.lowestFbaCents === b.lowestFbaCents &&
        a.fbaSellers === b.fbaSellers &&
        a.buyBoxCents === b.buyBoxCents))
  );
}

/** If there are too many, drops observations in which only FBA or buy box changed. */
function thinnedOut(observations: Observation[]): Observation[] {
  if (observations.length <= observationsMax) return observations;
  const thinned = observations.filter(
    (observation, index) =>
      index === observations.length - 1 || !isSame(observations[index - 1], observation, false),
  );
  if (thinned.length <= observationsMax) return thinned;
  const changes = countText(thinned.length);
  throw new RowError(
    `its price changed ${changes} times; the limit is ${countText(observationsMax)}`,
  );
}
