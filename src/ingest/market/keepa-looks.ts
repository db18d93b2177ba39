/**
 * The history of a Keepa product as looks at its offers, one at every instant at which something
 * changed. What follows from them (lows, changes of price and seller) is left to our own rules.
 */

import { secondMs } from '../../domain/kernel/time.ts';
import type { Offer } from '../../domain/market/source-rows.ts';
import { RowFault } from '../fields.ts';
import type { AnswerRecord } from './answers.ts';
import {
  Cursor,
  type Holders,
  keepaInstantOrNull,
  readHolders,
  readSeries,
  type Series,
} from './keepa-series.ts';

/** More looks than this at one product are thinned out: only changes of price and seller stay. */
export const looksMax = 20_000;

/** Amazon itself, as a seller on amazon.com. */
const amazonSeller = 'ATVPDKIKX0DER';

/** What one look found. */
export type Look = Omit<Offer, 'retailer' | 'setKey' | 'asin' | 'productUrl'>;

/** All looks at a product, oldest first. Throws a `RowFault` when its history cannot be read. */
export function listLooks(product: AnswerRecord): Look[] {
  const history = readHistory(product);
  const walk = new Walk(history);
  const looks: Look[] = [];
  for (const at of changeTimes(history)) {
    const look = walk.lookAt(at);
    if (!isSame(looks.at(-1), look)) looks.push(look);
  }
  const last = finalLook(walk, history, looks.at(-1));
  if (last) looks.push(last);
  if (looks.length === 0) throw noHistory();
  return thinnedOut(looks);
}

function noHistory(): RowFault {
  return new RowFault('it has no prices; ask Keepa with history=1');
}

/** The series that looks are made of. Null: Keepa was not asked for it, or does not know. */
interface History {
  readonly amazon: Series | null;
  readonly lowestNew: Series | null;
  readonly list: Series | null;
  readonly lowestFba: Series | null;
  readonly buyBox: Series | null;
  readonly fbaCount: Series | null;
  readonly holders: Holders | null;
  /** Before this instant, an answer that was asked for some days only does not tell enough. */
  readonly startAt: number;
  readonly final: Final;
}

/** The last look, with what is known of that moment alone. */
interface Final {
  readonly at: number;
  /** Whether Keepa looked then, and not only before. */
  readonly isLater: boolean;
  readonly availability: unknown;
  /** Whether the price is shown in the basket only, so that nobody knows about the stock. */
  readonly isPriceHidden: boolean;
}

function readHistory(product: AnswerRecord): History {
  const { csv } = product;
  if (csv !== null && csv !== undefined && !Array.isArray(csv)) {
    throw new RowFault("'csv' must be a list of series");
  }
  const told = {
    amazon: readSeries(csv, 0, 'price'),
    lowestNew: readSeries(csv, 1, 'price'),
    list: readSeries(csv, 4, 'price'),
    lowestFba: readSeries(csv, 10, 'price'),
    buyBox: readSeries(csv, 18, 'price and shipping'),
    fbaCount: readSeries(csv, 34, 'price'),
    holders: readHolders(product.buyBoxSellerIdHistory),
  };
  const final = readFinal(product, Object.values(told));
  return {
    ...withStats(told, product.stats, final.at),
    startAt: startOf(product, [told.amazon, told.lowestNew]),
    final,
  };
}

function readFinal(
  product: AnswerRecord,
  told: readonly ({ readonly times: readonly number[] } | null)[],
): Final {
  const lastChange = told.reduce((last, series) => Math.max(last, series?.times.at(-1) ?? 0), 0);
  const looked = Math.max(
    keepaInstantOrNull(product.lastUpdate) ?? 0,
    keepaInstantOrNull(product.lastPriceChange) ?? 0,
  );
  if (lastChange === 0 && looked === 0) throw noHistory();
  const isLater = looked > lastChange;
  return {
    // Never the instant of a change: what holds today alone must not become part of its history,
    // or the next answer would write that look anew.
    at: isLater ? looked : lastChange + secondMs,
    isLater,
    availability: product.availabilityAmazon ?? null,
    isPriceHidden: product.newPriceIsMAP === true,
  };
}

type Told = Omit<History, 'startAt' | 'final'>;

/** Statistics stand in, at the last look alone, for series that are missing. */
function withStats(told: Told, stats: unknown, at: number): Told {
  if (typeof stats !== 'object' || stats === null) return told;
  const record = stats as AnswerRecord;
  const current = Array.isArray(record.current) ? record.current : [];
  const now = (value: unknown): Series | null =>
    Number.isSafeInteger(value) && Number(value) >= 0
      ? { times: [at], values: [Number(value)] }
      : null;
  const { buyBoxPrice: price, buyBoxShipping: shipping } = record;
  const buyBox = Number(price) >= 0 ? Number(price) + Math.max(Number(shipping) || 0, 0) : null;
  const holder = record.buyBoxIsAmazon === true ? { times: [at], sellers: [amazonSeller] } : null;
  return {
    amazon: told.amazon ?? now(current[0]),
    lowestNew: told.lowestNew ?? now(current[1]),
    list: told.list ?? now(current[4]),
    lowestFba: told.lowestFba ?? now(current[10]),
    buyBox: told.buyBox ?? now(price === null || price === undefined ? current[18] : buyBox),
    fbaCount: told.fbaCount ?? now(current[34]),
    holders: told.holders ?? holder,
  };
}

/** From when on looks tell everything: the beginning, unless the answer was cut to some days. */
function startOf(product: AnswerRecord, deciding: readonly (Series | null)[]): number {
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

/** Walks along all series at once, from look to look. */
class Walk {
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

  lookAt(at: number): Look {
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

/** The last look; null when it adds nothing to the one before it, nor was it made later. */
function finalLook(walk: Walk, { final }: History, before: Look | undefined): Look | null {
  const look = walk.lookAt(final.at);
  const isKnown = before !== undefined || look.priceCents !== null;
  const known: Look = { ...look, inStock: stockOf(look, final) };
  return isKnown && (final.isLater || !isSame(before, known)) ? known : null;
}

/** Amazon tells about its stock for today only: 1, 3 and 4 are orders that have to wait. */
function stockOf(look: Look, { availability, isPriceHidden }: Final): boolean | null {
  if (look.sellerType === null) return false;
  if (look.sellerType === 'third_party') return isPriceHidden ? null : true;
  if (availability === null || availability === 0) return true;
  return [1, 3, 4].includes(Number(availability)) ? false : null;
}

/** Whether two looks found the same; the exit numbers count only where they are asked for. */
function isSame(a: Look | undefined, b: Look, withExit = true): boolean {
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

/** Where there are too many looks, those with a change of the exit numbers alone are left out. */
function thinnedOut(looks: Look[]): Look[] {
  if (looks.length <= looksMax) return looks;
  const kept = looks.filter(
    (look, index) => index === looks.length - 1 || !isSame(looks[index - 1], look, false),
  );
  if (kept.length <= looksMax) return kept;
  throw new RowFault(`its price changed ${kept.length} times; more than ${looksMax} are too many`);
}
