/**
 * Bargains: offers below the max buy price of a reseller for a few days. Clearances, remaining
 * stock of retired sets, undercutting sellers, and occasional pricing errors.
 */

import { dayMs, hourMs } from '../../src/kernel/time.ts';
import type { Offer, SellerType } from '../../src/market/source-rows/source-rows.ts';
import { demandOfSet } from './arrivals.ts';
import { Random } from './random.ts';
import { noOffer, type Shop } from './shop.ts';
import { drawInstants, type Span } from './walk.ts';
import { yearMs } from './world.ts';

interface Bargain extends Span {
  readonly sellerType: SellerType;
  readonly priceCents: number;
}

/** Sets with fewer sealed sales per month (before scaling) have no bargains. */
const sealedPerMonthMin = 1.8;

const valueCentsMin = 1_500;

/** Per year, for a set in demand at each retailer. */
const perYear = { clearance: 6, lastBoxes: 9, undercut: 1.3 };

/** Older bargains are not generated. */
const rememberedMs = yearMs / 2;

/** How long retailers find remaining stock after retirement. */
const lastBoxesMs = 1.5 * yearMs;

/** Inserts the bargains of a shop, in order of time. */
export function withBargains(shop: Shop, offers: readonly Offer[]): Offer[] {
  let result = [...offers];
  for (const bargain of makeBargains(shop)) result = placeBargain(shop, result, bargain);
  return result;
}

/** In order and without overlaps. */
function makeBargains(shop: Shop): Bargain[] {
  const { world, set, ownUntil } = shop;
  const { bargainTimes } = world.traits;
  const isWanted = demandOfSet(world, set).sealedPerMonth >= sealedPerMonthMin;
  if (bargainTimes === 0 || !isWanted) return [];
  const random = new Random(world.seed, 'bargains', set.index, shop.retailer);
  const from = Math.max(shop.from, world.today - rememberedMs);
  const boxesUntil = ownUntil + lastBoxesMs;
  const kinds = [
    { span: { from, to: ownUntil }, often: perYear.clearance, draw: shelfBargain },
    { span: { from: ownUntil, to: boxesUntil }, often: perYear.lastBoxes, draw: shelfBargain },
    { span: { from: boxesUntil, to: world.today }, often: perYear.undercut, draw: undercut },
  ];
  const drawn = kinds.flatMap(({ span, often, draw }) => {
    const within = { from: Math.max(from, span.from), to: Math.min(world.today, span.to) };
    const starts = drawInstants(random, often * bargainTimes, within);
    return starts.flatMap((start) => draw(shop, random, start) ?? []);
  });
  return withoutOverlaps(drawn.sort((a, b) => a.from - b.from));
}

function withoutOverlaps(bargains: readonly Bargain[]): Bargain[] {
  let freeFrom = 0;
  return bargains.filter(({ from, to }) => {
    if (from < freeFrom) return false;
    freeFrom = to + dayMs;
    return true;
  });
}

const lastsDays = { min: 3, max: 21 };

function drawSpan(random: Random, from: number): Span {
  return { from, to: from + random.between(lastsDays.min, lastsDays.max) * dayMs };
}

/** Approximate net proceeds: a share of the value, less shipping. */
function resaleCents(valueCents: number): number {
  return 0.87 * valueCents - 600;
}

/** Proceeds over cost. */
const bargainGain = { min: 1.4, max: 1.8 };

/** An asking price that is a bargain; null for cheap sets. */
function fairCents({ path }: Shop, random: Random, at: number): number | null {
  const valueCents = Math.exp(path.sealedLog(at));
  const gain = random.between(bargainGain.min, bargainGain.max);
  return valueCents < valueCentsMin ? null : resaleCents(valueCents) / gain;
}

/** Bounds of a retailer's price relative to the retail price. */
const shelfShare = { min: 0.38, max: 1 };

/** A retailer's own bargain; null if its price would be far outside of these bounds. */
function shelfBargain(shop: Shop, random: Random, at: number): Bargain | null {
  const { msrpCents } = shop.set;
  const share = (fairCents(shop, random, at) ?? 0) / msrpCents;
  if (share < shelfShare.min || share > 1.2 * shelfShare.max) return null;
  // In steps of 5%, and a cent below a whole dollar.
  const shown = Math.min(shelfShare.max, Math.floor(share * 20) / 20);
  const priceCents = Math.round((msrpCents * shown) / 100) * 100 - 1;
  return { ...drawSpan(random, at), sellerType: 'retailer', priceCents };
}

/** Chance of a pricing error, and its share of the value. */
const tooGood = { chance: 0.2, min: 0.18, max: 0.24 };

/** More expensive sets are not undercut. */
const undercutCentsMax = 90_00;

/** A third party asks less than all others. */
function undercut(shop: Shop, random: Random, at: number): Bargain | null {
  const fair = fairCents(shop, random, at);
  const isTooGood = random.chance(tooGood.chance);
  const span = drawSpan(random, at);
  if (fair === null || fair > undercutCentsMax) return null;
  const wrongCents = Math.exp(shop.path.sealedLog(at)) * random.between(tooGood.min, tooGood.max);
  const priceCents = Math.round(isTooGood ? wrongCents : fair);
  return { ...span, sellerType: 'third_party', priceCents };
}

/** Replaces the offers during a bargain, and restores the last one at its end. */
function placeBargain(shop: Shop, offers: readonly Offer[], bargain: Bargain): Offer[] {
  const { from, to } = bargain;
  const before = offers.filter(({ observedAt }) => observedAt < from - hourMs);
  const after = offers.filter(({ observedAt }) => observedAt > to + hourMs);
  const usual = offers.findLast(({ observedAt }) => observedAt <= to) ?? noOffer(shop, to);
  const ended =
    to < shop.world.today ? [{ ...usual, observedAt: noOffer(shop, to).observedAt }] : [];
  return [...before, bargainOffer(shop, usual, bargain), ...ended, ...after];
}

function bargainOffer(shop: Shop, usual: Offer, { from, priceCents, sellerType }: Bargain): Offer {
  const offer: Offer = { ...noOffer(shop, from), priceCents, sellerType, inStock: true };
  if (shop.retailer !== 'retailer_a') return offer;
  const { lowestFbaCents, fbaSellers } = usual;
  return { ...offer, lowestFbaCents, fbaSellers, buyBoxCents: priceCents };
}
