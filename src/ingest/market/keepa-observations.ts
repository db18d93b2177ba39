/**
 * The history of a Keepa product as observations of its offers, one at every instant at which
 * something changed. What follows from them (lows, changes of price and seller) is left to our own
 * rules.
 */

import { countText } from '../../domain/kernel/format.ts';
import type { JsonObject } from '../../domain/kernel/json.ts';
import { secondMs } from '../../domain/kernel/time.ts';
import type { Offer } from '../../domain/market/source-rows.ts';
import { RowError } from '../fields.ts';
import {
  Cursor,
  type Holders,
  keepaInstantOrNull,
  readHolders,
  readSeries,
  type Series,
} from './keepa-series.ts';

/** More observations than this are thinned out: only changes of price and seller stay. */
export const observationsMax = 20_000;

/** Amazon itself, as a seller on amazon.com. */
const amazonSeller = 'ATVPDKIKX0DER';

/** What one observation found. */
export type Observation = Omit<Offer, 'retailer' | 'setKey' | 'asin' | 'productUrl'>;

/** All observations of a product, oldest first. Throws a `RowError` for unreadable history. */
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

/** The series that observations are made of. Null: Keepa was not asked for it, or does not know. */
interface History {
  readonly amazon: Series | null;
  readonly lowestNew: Series | null;
  readonly list: Series | null;
  readonly lowestFba: Series | null;
  readonly buyBox: Series | null;
  readonly fbaCount: Series | null;
  readonly holders: Holders | null;
  /** Before this instant, a response that was limited to some days does not say enough. */
  readonly startAt: number;
  readonly final: Final;
}

/** The last observation, with what is known of that moment alone. */
interface Final {
  readonly at: number;
  /** Whether Keepa observed it then, and not only before. */
  readonly isLater: boolean;
  readonly availability: unknown;
  /** Whether the price is shown in the basket only, so that nobody knows about the stock. */
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
    // Never the instant of a change: what holds today alone must not become part of its history,
    // or the next response would write that observation anew.
    at: isLater ? observed : lastChange + secondMs,
    isLater,
    availability: product.availabilityAmazon ?? null,
    isPriceHidden: product.newPriceIsMAP === true,
  };
}

type ProductSeries = Omit<History, 'startAt' | 'final'>;

/** Statistics stand in, at the last observation alone, for series that are missing. */
function withStats(series: ProductSeries, stats: unknown, at: number): ProductSeries {
  if (typeof stats !== 'object' || stats === null) return series;
  const record = stats as JsonObject;
  const current = Array.isArray(record.current) ? record.current : [];
  const now = (value: unknown): Series | null =>
    Number.isSafeInteger(value) && Number(value) >= 0
      ? { times: [at], values: [Number(value)] }
      : null;
  const { buyBoxPrice: price, buyBoxShipping: shipping } = record;
  const buyBox = Number(price) >= 0 ? Number(price) + Math.max(Number(shipping) || 0, 0) : null;
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

/** From when on observations are complete: the start, unless the response was cut to some days. */
function startOf(product: JsonObject, deciding: readonly (Series | null)[]): number {
  const firsts = deciding.flatMap((series) => series?.times[0] ?? []);
  const since = keepaInstantOrNull(product.trackingSince);
  const isCut = since !== null && firsts.length > 0 && Math.min(...firsts) > since;
  return isCut ? Math.max(...firsts) : 0;
}

/** The instants at which anything changed, once each and in order. */
function changeTimes({ final, startAt, ...history }: History): number[] {
  const times = Object.values(history).flatMap((series) => series?.times ?? []);
  const distinct = new Set(times.filter((at) => at >= startAt && at < final.at));
  return [...distinct].sort((a, b) => a - b);
}

/** Moves along all series at once, from observation to observation. */
class HistoryCursor {
  private readonly amazon: Cursor<number | null>;
  private readonly lowestNew: Cursor<number | null>;
  private readonly list: Cursor<number | null>;
  private readonly lowestFba: Cursor<number | null>;
  private readonly buyBox: Cursor<number | null>;
  private readonly fbaCount: Cursor<number | null>;
  private readonly holder: Cursor<string | null>;

  constructor(history: History) {
    this.amazon = cursorOf(history.amazon);
    this.lowestNew = cursorOf(history.lowestNew);
    this.list = cursorOf(history.list);
    this.lowestFba = cursorOf(history.lowestFba);
    this.buyBox = cursorOf(history.buyBox);
    this.fbaCount = cursorOf(history.fbaCount);
    this.holder = new Cursor(history.holders?.times ?? [], history.holders?.sellers ?? []);
  }

  observeAt(at: number): Observation {
    for (const cursor of this.cursors()) cursor.moveTo(at);
    const own = this.ownCents();
    const priceCents = own ?? this.thirdPartyCents();
    const count = this.fbaCount.value;
    const seller = own === null ? 'third_party' : 'retailer';
    return {
      observedAt: at,
      priceCents,
      listPriceCents: this.list.value,
      sellerType: priceCents === null ? null : seller,
      inStock: priceCents !== null,
      lowestFbaCents: this.lowestFba.value,
      // Amazon's own offer is counted too.
      fbaSellers: count === null ? null : Math.max(0, count - (own === null ? 0 : 1)),
      buyBoxCents: this.buyBox.value,
    };
  }

  private cursors() {
    const prices = [this.amazon, this.lowestNew, this.list, this.lowestFba, this.buyBox];
    return [...prices, this.fbaCount, this.holder];
  }

  /** Amazon sells while it asks a price, whoever has the buy box. */
  private ownCents(): number | null {
    const { amazon, holder } = this;
    if (amazon.value !== null) return amazon.value;
    // Amazon in the buy box counts as well, unless that is older than the word that it left.
    const isLater = (holder.since ?? 0) >= (amazon.since ?? 0);
    return this.isAmazonInBuyBox() && isLater ? this.buyBox.value : null;
  }

  private thirdPartyCents(): number | null {
    // A buy box that was last seen with Amazon says nothing about the others.
    const buyBox = this.isAmazonInBuyBox() ? null : this.buyBox.value;
    return buyBox ?? this.lowestNew.value;
  }

  private isAmazonInBuyBox(): boolean {
    return this.holder.value === amazonSeller;
  }
}

function cursorOf(series: Series | null): Cursor<number | null> {
  return new Cursor(series?.times ?? [], series?.values ?? []);
}

/** The last observation; null when it adds nothing to the one before it, nor was it made later. */
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

/** Amazon reports its stock for today only: 1, 3 and 4 are orders that have to wait. */
function stockOf(observation: Observation, { availability, isPriceHidden }: Final): boolean | null {
  if (observation.sellerType === null) return false;
  if (observation.sellerType === 'third_party') return isPriceHidden ? null : true;
  if (availability === null || availability === 0) return true;
  return [1, 3, 4].includes(Number(availability)) ? false : null;
}

/** Whether two observations found the same; the exit numbers count only where asked for. */
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

/** Of too many observations, those with a change of the exit numbers alone are left out. */
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
