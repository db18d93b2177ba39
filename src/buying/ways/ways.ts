/**
 * Ways to sell a set: what each brings after fees, shipping and work, and how long it takes. A way
 * is a row of `wayRows`. Prices are medians: half of all sales bring more.
 */

import { compareText } from '../../catalog/items/numbers.ts';
import { sumOf } from '../../kernel/sum.ts';
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
import { cautiousCents, gradedResale, type Resale } from '../prices/resale.ts';
import { type FeeTables, feesOf, type SellingChannel } from '../prices/selling-channels.ts';

export const wayNames = ['sealed', 'used', 'minifigs', 'parts'] as const;
export type WayName = (typeof wayNames)[number];

/** Assumptions that are not learned from sales. */
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

/** Why no way is named as best. */
export const noBestReasons = ['one_way', 'all_lose', 'modeled_value', 'too_close'] as const;
export type NoBestReason = (typeof noBestReasons)[number];

/** A set or a minifig, and how a unit in each condition sells. */
export interface SellableItem {
  readonly number: string;
  readonly title: string;
  readonly resale: Readonly<Record<Condition, Resale | null>>;
}

export interface SellableSet extends SellableItem {
  /** The numbers of its minifigs, once each, also of those that were replaced later. */
  readonly minifigs: readonly string[];
  /** How many are in it; 0 if unknown. */
  readonly minifigsCount: number;
  readonly parts: ItemParts;
}

/** Something that is sold, with everything between its price and what is left of it. */
export interface SoldLine {
  /** Of a minifig; null for the set, or what is left of it. */
  readonly minifig: SellableItem | null;
  readonly channel: SellingChannel;
  readonly priceCents: number;
  readonly feesCents: number;
  readonly postageCents: number;
}

export interface Way {
  readonly name: WayName;
  readonly sold: readonly SoldLine[];
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
  /** Null if there is a best one, or no way at all. */
  readonly noBestReason: NoBestReason | null;
}

/** The cost of a seller's work, and the time it takes. */
export type WorkTerms = Pick<BuyingSettings, 'hourCents' | 'secondsPerLot' | 'secondsPerPiece'>;

export interface WaysQuestion {
  /** Of the set in hand. */
  readonly condition: Condition;
  readonly tables: FeeTables;
  readonly work: WorkTerms;
  readonly at: number;
}

/** A set, its minifigs once each, and what grades do to values. */
export interface SetContents {
  readonly set: SellableSet;
  readonly minifigs: readonly SellableItem[];
  readonly effects: GradeEffects;
}

export function waysToSell(parts: SetContents, question: WaysQuestion): WaysToSell {
  const found = wayNames.map((name) => {
    const way = wayRows[name](parts, question);
    return typeof way === 'string' ? { name, reason: way } : finish(name, way, question);
  });
  const ways = found.filter((way) => 'netCents' in way);
  const missing = found.filter((way) => 'reason' in way);
  const best = ways.length === 0 ? null : bestOf(ways);
  return typeof best === 'string'
    ? { ways, missing, best: null, noBestReason: best }
    : { ways, missing, best, noBestReason: null };
}

function bestOf(ways: readonly Way[]): Way | NoBestReason {
  const [best, next] = ways.toSorted((a, b) => b.netCents - a.netCents);
  if (!best || !next) return 'one_way';
  if (losesEachWay(ways)) return 'all_lose';
  if (best.tier === 'modeled') return 'modeled_value';
  const isSure =
    best.netCents - next.netCents > Math.hypot(best.uncertaintyCents, next.uncertaintyCents);
  return isSure ? best : 'too_close';
}

/** Whether each way brings less than the set costs. */
export function losesEachWay(ways: readonly Way[], costCents = 0): boolean {
  return ways.length > 0 && ways.every(({ netCents }) => netCents < costCents);
}

/** The assumptions of at least one way. */
export function assumedIn(
  ways: readonly { readonly assumed: readonly WayAssumption[] }[],
): WayAssumption[] {
  return wayAssumptions.filter((each) => ways.some(({ assumed }) => assumed.includes(each)));
}

/** A way before the sums are made. */
interface WayDraft extends Pick<Way, 'sold' | 'assumed' | 'halfDays' | 'mostDays' | 'tier'> {
  readonly restShare?: number;
  readonly lots: number;
  readonly pieces: number;
  readonly uncertaintyCents: number;
}

function finish(
  name: WayName,
  { lots, pieces, uncertaintyCents, ...way }: WayDraft,
  { work }: WaysQuestion,
): Way {
  const revenueCents = sumOf(way.sold, ({ priceCents }) => priceCents);
  const feesCents = sumOf(way.sold, (line) => line.feesCents);
  const postageCents = sumOf(way.sold, (line) => line.postageCents);
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

type FindWay = (parts: SetContents, question: WaysQuestion) => WayDraft | NoWayReason;

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
): WayDraft | NoWayReason {
  const unit = resale && sellUnit(resale, question);
  if (unit === null) return 'no_value';
  return { ...unitsWay([unit]), lots: 1, pieces: 0, assumed };
}

/** A unit with its sale in the channel that leaves most, among those with learned prices. */
interface QuotedUnit {
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
): QuotedUnit | null {
  const [quote] = quotesOf(tables, resale, { terms: evenTerms, at })
    .filter(({ isAssumed }) => !isAssumed)
    .sort((a, b) => b.sum.netCents - a.sum.netCents || compareText(a.channel, b.channel));
  if (!quote) return null;
  const { price, doubtedCents } = resale;
  const doubt = Math.abs(price.valueCents - (doubtedCents ?? price.valueCents));
  const spread = Math.hypot(price.valueSpread, assumedSpread, doubt / cautiousCents(resale));
  return { resale, quote, minifig, spread };
}

function unitsWay(units: readonly QuotedUnit[]) {
  const isPaceKnown = units.every(({ quote }) => quote.wait !== null);
  const waiting = units.map(({ quote }) => ({
    quantity: 1,
    unitCents: quote.sum.priceCents,
    medianDays: () => quote.wait?.days ?? 0,
  }));
  const days = (share: number) => (isPaceKnown ? soldShareDays(waiting, share) : null);
  return {
    sold: units.map(({ quote: { channel, sum }, minifig }): SoldLine => {
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
  { set, minifigs, effects }: SetContents,
  question: WaysQuestion,
): WayDraft | NoWayReason {
  const used = set.resale.used;
  const count = set.minifigsCount || set.minifigs.length;
  if (set.minifigs.length === 0) return 'no_minifigs';
  if (used === null) return 'no_value';
  const valued = minifigs.flatMap((minifig) => {
    const resale = minifig.resale[question.condition] ?? minifig.resale.used;
    return (resale && sellUnit(resale, question, minifig)) ?? [];
  });
  // Shipped alone, a cheap one costs more than it brings. Of variants, the set has the cheapest.
  const taken = valued
    .filter(({ quote }) => quote.sum.netCents > 0)
    .sort((a, b) => a.quote.sum.netCents - b.quote.sum.netCents)
    .slice(0, count);
  if (taken.length === 0) return valued.length === 0 ? 'no_value' : 'minifigs_bring_nothing';
  const takenCents = sumOf(taken, ({ resale }) => cautiousCents(resale));
  const rest = sellRest({ used, effects, takenCents }, question);
  const units = rest ? [...taken, rest.unit] : taken;
  const { uncertaintyCents, ...way } = unitsWay(units);
  const uncounted = Math.abs(count - set.minifigs.length) * (takenCents / taken.length);
  return {
    ...way,
    uncertaintyCents: Math.hypot(uncertaintyCents, uncounted),
    restShare: rest?.share ?? 0,
    lots: units.length,
    pieces: taken.length,
    assumed: wayAssumptions.filter((assumption) => {
      if (assumption === 'rest_value') return true;
      if (assumption === 'one_of_each_minifig') return count !== set.minifigs.length;
      if (assumption === 'minifigs_without_value') return valued.length < set.minifigs.length;
      return assumption === 'minifigs_left_in' && taken.length < Math.min(count, valued.length);
    }),
  };
}

/** Null if the minifigs are worth as much as the set, or the rest brings nothing. */
function sellRest(
  {
    used,
    effects,
    takenCents,
  }: Pick<SetContents, 'effects'> & {
    readonly used: Resale;
    readonly takenCents: number;
  },
  question: WaysQuestion,
): { readonly unit: QuotedUnit; readonly share: number } | null {
  const percent = Math.min(99, Math.round(100 * (1 - takenCents / cautiousCents(used))));
  if (percent < 1) return null;
  const grade = gradeShare(incompleteGrade(percent), effects);
  const unit = sellUnit(gradedResale(used, grade), question, null, restSpread);
  return unit && unit.quote.sum.netCents > 0 ? { unit, share: grade.share } : null;
}

/** Parts are sold on BrickLink, in many orders, whose buyers pay the shipping. */
export const partsChannel = 'bricklink';
export const partsOrderCents = 25_00;
const partsShippingCents = 5_00;

/** Days until half, and nine tenths, of what sells are assumed to be sold. */
export const partsDays = { half: 270, most: 900 } as const;

function partsWay({ set }: SetContents, question: WaysQuestion): WayDraft | NoWayReason {
  const estimate = set.parts[question.condition];
  if (estimate === null) return 'no_parts_value';
  return {
    sold: [sellParts(estimate, question)],
    halfDays: partsDays.half,
    mostDays: partsDays.most,
    uncertaintyCents: estimate.spread * estimate.soldCents,
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
function sellParts({ soldCents }: PartsEstimate, { tables, at }: WaysQuestion): SoldLine {
  const day = formatDay(at);
  const orders = ordersOf(soldCents);
  const { platformFeesCents, paymentFeesCents } = saleFees(tables.fees, {
    platform: partsChannel,
    day,
    paidCents: Math.round(soldCents / orders) + partsShippingCents,
    shippingCents: partsShippingCents,
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
