/**
 * Ways to sell a set: what each brings after fees, shipping and work, and how long it takes. A way
 * is a row of `wayRows`. Prices are medians: half of all sales bring more.
 */

import { compareText } from '../../catalog/items/numbers.ts';
import { formatDay, hourMs, secondMs } from '../../kernel/time.ts';
import { type DataTier, dataTiers } from '../../market/evidence/evidence.ts';
import { saleFees } from '../../market/fees/platform-fees.ts';
import { packingCents } from '../../market/fees/postage.ts';
import { type GradeEffects, gradeShare, incompleteGrade } from '../../market/grades/grades.ts';
import type { Condition } from '../../market/source-rows/source-rows.ts';
import type { ItemParts, PartsEstimate } from '../../market/values/parts.ts';
import { soldShareDays } from '../boxes/box-wait.ts';
import { evenTerms, type Quote, quotesOf } from '../boxes/quotes.ts';
import type { BuyingSettings } from '../prices/buying-settings.ts';
import { gradedResale, type Resale } from '../prices/resale.ts';
import { type FeeTables, feesOf, type SellingChannel } from '../prices/selling-channels.ts';

export const wayNames = ['sealed', 'used', 'minifigs', 'parts'] as const;
export type WayName = (typeof wayNames)[number];

/** What is assumed rather than learned from sales. */
export const wayAssumptions = [
  'opened_set',
  'rest_value',
  'one_of_each_minifig',
  'minifigs_without_value',
  'minifigs_left_in',
  'parts_share',
  'parts_time',
  'parts_orders',
  'lots',
] as const;
export type WayAssumption = (typeof wayAssumptions)[number];

export const noWayReasons = [
  'not_sealed',
  'no_value',
  'no_minifigs',
  'minifigs_bring_nothing',
  'no_parts_value',
] as const;
export type NoWayReason = (typeof noWayReasons)[number];

/** A set or a minifig, and how a unit in each condition sells. */
export interface SellableItem {
  readonly number: string;
  readonly title: string;
  readonly resale: Readonly<Record<Condition, Resale | null>>;
}

export interface SellableSet extends SellableItem {
  /** The numbers of its minifigs, once each. */
  readonly minifigs: readonly string[];
  readonly parts: ItemParts;
}

/** Something that is sold, with everything between its price and what is left of it. */
export interface SoldPart {
  /** Of a minifig; null for the set, or what is left of it. */
  readonly minifig: SellableItem | null;
  readonly channel: SellingChannel;
  readonly priceCents: number;
  readonly feesCents: number;
  readonly postageCents: number;
}

export interface Way {
  readonly name: WayName;
  readonly sold: readonly SoldPart[];
  readonly revenueCents: number;
  readonly feesCents: number;
  readonly postageCents: number;
  /** To the half hour. */
  readonly hours: number;
  readonly workCents: number;
  /** Below 0 if the way loses money. */
  readonly netCents: number;
  /** The standard deviation of the net, as far as values are uncertain. */
  readonly uncertaintyCents: number;
  /** Days until half and nine tenths of the money can be expected; null if not known. */
  readonly halfDays: number | null;
  readonly mostDays: number | null;
  /** The worst tier of the values; null for parts, which have none. */
  readonly tier: DataTier | null;
  readonly assumed: readonly WayAssumption[];
  /** The share of the used value that the rest is worth; only without minifigs. */
  readonly restShare?: number;
}

export interface MissingWay {
  readonly name: WayName;
  readonly reason: NoWayReason;
}

export interface WaysToSell {
  readonly ways: readonly Way[];
  readonly missing: readonly MissingWay[];
  /** Null unless it beats the next by more than their uncertainty. */
  readonly best: Way | null;
}

/** What a seller's work costs and takes. */
export type WorkTerms = Pick<BuyingSettings, 'hourCents' | 'secondsPerLot' | 'secondsPerPiece'>;

export interface WaysQuestion {
  /** Of the set in hand. */
  readonly condition: Condition;
  readonly tables: FeeTables;
  readonly work: WorkTerms;
  readonly at: number;
}

/** A set, its minifigs once each, and what grades do to values. */
export interface SetInParts {
  readonly set: SellableSet;
  readonly minifigs: readonly SellableItem[];
  readonly effects: GradeEffects;
}

export function waysToSell(parts: SetInParts, question: WaysQuestion): WaysToSell {
  const found = wayNames.map((name) => {
    const way = wayRows[name](parts, question);
    return typeof way === 'string' ? { name, reason: way } : finish(name, way, question);
  });
  const ways = found.filter((way) => 'netCents' in way);
  const missing = found.filter((way) => 'reason' in way);
  return { ways, missing, best: bestOf(ways) };
}

/** None if the highest net rests on a value that is mostly an estimate. */
function bestOf(ways: readonly Way[]): Way | null {
  const [best, next] = ways.toSorted((a, b) => b.netCents - a.netCents);
  if (!best || !next || best.tier === 'modeled') return null;
  const isSure =
    best.netCents - next.netCents > Math.hypot(best.uncertaintyCents, next.uncertaintyCents);
  return isSure ? best : null;
}

/** A way before the sums are made. */
interface WayParts extends Pick<Way, 'sold' | 'assumed' | 'halfDays' | 'mostDays' | 'tier'> {
  readonly restShare?: number;
  readonly lots: number;
  readonly pieces: number;
  readonly uncertaintyCents: number;
}

function finish(
  name: WayName,
  { lots, pieces, uncertaintyCents, ...way }: WayParts,
  { work }: WaysQuestion,
): Way {
  const total = (read: (part: SoldPart) => number) =>
    way.sold.reduce((sum, part) => sum + read(part), 0);
  const revenueCents = total((part) => part.priceCents);
  const feesCents = total((part) => part.feesCents);
  const postageCents = total((part) => part.postageCents);
  const ms = (lots * work.secondsPerLot + pieces * work.secondsPerPiece) * secondMs;
  const hours = Math.round((2 * ms) / hourMs) / 2;
  const workCents = Math.round(hours * work.hourCents);
  return {
    name,
    ...way,
    revenueCents,
    feesCents,
    postageCents,
    hours,
    workCents,
    netCents: revenueCents - feesCents - postageCents - workCents,
    uncertaintyCents: Math.round(uncertaintyCents),
  };
}

type FindWay = (parts: SetInParts, question: WaysQuestion) => WayParts | NoWayReason;

const wayRows: Readonly<Record<WayName, FindWay>> = {
  sealed: ({ set }, question) =>
    question.condition === 'sealed' ? wholeWay(set.resale.sealed, question, []) : 'not_sealed',
  used: ({ set }, question) =>
    wholeWay(set.resale.used, question, question.condition === 'sealed' ? ['opened_set'] : []),
  minifigs: minifigsWay,
  parts: partsWay,
};

function wholeWay(
  resale: Resale | null,
  question: WaysQuestion,
  assumed: readonly WayAssumption[],
): WayParts | NoWayReason {
  const unit = resale && sellUnit(resale, question);
  if (unit === null) return 'no_value';
  return { ...unitsWay([unit]), lots: 1, pieces: 0, assumed };
}

/** A unit with its sale in the channel that leaves most, among those with learned prices. */
interface SoldUnit {
  readonly resale: Resale;
  readonly quote: Quote;
  readonly minifig: SellableItem | null;
  /** Of its price: the uncertainty of its value, and of what is assumed about it. */
  readonly spread: number;
}

function sellUnit(
  resale: Resale,
  { tables, at }: WaysQuestion,
  minifig: SellableItem | null = null,
  assumedSpread = 0,
): SoldUnit | null {
  const [quote] = quotesOf(tables, resale, { terms: evenTerms, at })
    .filter(({ isAssumed }) => !isAssumed)
    .sort((a, b) => b.sum.netCents - a.sum.netCents || compareText(a.channel, b.channel));
  if (!quote) return null;
  return { resale, quote, minifig, spread: Math.hypot(resale.price.valueSpread, assumedSpread) };
}

function unitsWay(units: readonly SoldUnit[]) {
  const isPaceKnown = units.every(({ quote }) => quote.wait !== null);
  const waiting = units.map(({ quote }) => ({
    quantity: 1,
    unitCents: quote.sum.priceCents,
    medianDays: () => quote.wait?.days ?? 0,
  }));
  const days = (share: number) => (isPaceKnown ? soldShareDays(waiting, share) : null);
  return {
    sold: units.map(({ quote: { channel, sum }, minifig }): SoldPart => {
      const { priceCents, postageCents } = sum;
      return { minifig, channel, priceCents, feesCents: feesOf(sum), postageCents };
    }),
    halfDays: days(half),
    mostDays: days(most),
    uncertaintyCents: Math.hypot(
      ...units.map(({ quote, spread }) => quote.sum.priceCents * spread),
    ),
    tier: worstTier(units.map(({ resale }) => resale.tier)),
  };
}

/** Shares of the money that times are about. */
const half = 0.5;
const most = 0.9;

function worstTier(tiers: readonly DataTier[]): DataTier {
  return dataTiers[Math.max(...tiers.map((tier) => dataTiers.indexOf(tier)))] ?? 'modeled';
}

/** How far off the value of a set without its minifigs may be. */
const restSpread = 0.25;

/** Minifigs one by one, and the rest as an incomplete set: less of it, the more they are worth. */
function minifigsWay(
  { set, minifigs, effects }: SetInParts,
  question: WaysQuestion,
): WayParts | NoWayReason {
  const used = set.resale.used;
  if (set.minifigs.length === 0) return 'no_minifigs';
  if (used === null) return 'no_value';
  const valued = minifigs.flatMap((minifig) => {
    const resale = minifig.resale[question.condition] ?? minifig.resale.used;
    return (resale && sellUnit(resale, question, minifig)) ?? [];
  });
  // Shipped alone, a cheap minifig costs more than it brings.
  const taken = valued.filter(({ quote }) => quote.sum.netCents > 0);
  if (taken.length === 0) return valued.length === 0 ? 'no_value' : 'minifigs_bring_nothing';
  const takenCents = taken.reduce((sum, { resale }) => sum + resale.price.valueCents, 0);
  const left = Math.round(100 * (1 - takenCents / used.price.valueCents));
  const grade = gradeShare(incompleteGrade(Math.min(99, Math.max(1, left))), effects);
  const rest = sellUnit(gradedResale(used, grade), question, null, restSpread);
  if (rest === null) return 'no_value';
  return {
    ...unitsWay([...taken, rest]),
    restShare: grade.share,
    lots: taken.length + 1,
    pieces: taken.length,
    assumed: wayAssumptions.filter((assumption) => {
      if (assumption === 'rest_value' || assumption === 'one_of_each_minifig') return true;
      if (assumption === 'minifigs_without_value') return valued.length < set.minifigs.length;
      return assumption === 'minifigs_left_in' && taken.length < valued.length;
    }),
  };
}

/** Parts are sold on BrickLink, in many orders, whose buyers pay the shipping. */
export const partsChannel = 'bricklink';
export const partsOrderCents = 25_00;

/** Days until half, and nine tenths, of what sells are assumed to be sold. */
export const partsDays = { half: 270, most: 900 } as const;

/** How far off the estimate of parts may be. */
const partsSpread = 0.3;

function partsWay({ set }: SetInParts, question: WaysQuestion): WayParts | NoWayReason {
  const estimate = set.parts[question.condition];
  if (estimate === null) return 'no_parts_value';
  return {
    sold: [sellParts(estimate, question)],
    halfDays: partsDays.half,
    mostDays: partsDays.most,
    uncertaintyCents: partsSpread * estimate.soldCents,
    tier: null,
    lots: estimate.lots,
    pieces: estimate.units,
    assumed: [
      'parts_share',
      'parts_time',
      'parts_orders',
      ...(estimate.areLotsGuessed ? (['lots'] as const) : []),
    ],
  };
}

/** Orders of equal size. */
function sellParts({ soldCents }: PartsEstimate, { tables, at }: WaysQuestion): SoldPart {
  const day = formatDay(at);
  const orders = ordersOf(soldCents);
  const { platformFeesCents, paymentFeesCents } = saleFees(tables.fees, {
    platform: partsChannel,
    day,
    paidCents: Math.round(soldCents / orders),
    shippingCents: 0,
    quantity: 1,
    payment: null,
  });
  return {
    minifig: null,
    channel: partsChannel,
    priceCents: soldCents,
    feesCents: orders * (platformFeesCents + paymentFeesCents),
    postageCents: orders * packingCents(tables.postage, day),
  };
}

export function ordersOf(soldCents: number): number {
  return Math.max(1, Math.round(soldCents / partsOrderCents));
}
