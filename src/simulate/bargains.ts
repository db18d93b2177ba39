/**
 * Bargains of the made-up market: for some days a retailer, or somebody who sells there, asks less
 * than a reseller may pay. Clearances, last boxes of retired sets, sellers who undercut others, and
 * now and then a price that is too good to be true.
 */
import { dayMs, hourMs } from '../domain/kernel/time.ts';
import type { Offer, SellerType } from '../domain/market/source-rows.ts';
import { setDemand } from './arrivals.ts';
import { Random } from './random.ts';
import { noOffer, type Shop } from './shop.ts';
import { drawInstants, type Span } from './walk.ts';
import { yearMs } from './world.ts';

/** One bargain at a retailer. */
interface Bargain extends Span {
  readonly sellerType: SellerType;
  readonly priceCents: number;
}

/** What is hardly ever sold is no bargain at any price; before demand is scaled. */
const sealedPerMonthMin = 1.8;

/** Nobody bothers with less. */
const valueCentsMin = 1_500;

/** How often there are bargains, for a set that is wanted and for each retailer. */
const perYear = { clearance: 6, lastBoxes: 9, undercut: 1.3 };

/** Bargains of more than half a year ago are forgotten. */
const rememberedMs = yearMs / 2;

/** The retailer itself finds boxes for so long after it stopped selling a set. */
const lastBoxesMs = 1.5 * yearMs;

/** The offers with the bargains of a set at a retailer among them, in order of time. */
export function withBargains(shop: Shop, offers: readonly Offer[]): Offer[] {
  let result = [...offers];
  for (const bargain of makeBargains(shop)) result = placeBargain(shop, result, bargain);
  return result;
}

/** The bargains in order of time; none begins before another has ended. */
function makeBargains(shop: Shop): Bargain[] {
  const { world, set, ownUntil } = shop;
  const { bargainTimes } = world.traits;
  const isWanted = setDemand(world, set).sealedPerMonth >= sealedPerMonthMin;
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

/** About what is left of a sale: fees are a share of it, postage is not. */
function resaleCents(valueCents: number): number {
  return 0.87 * valueCents - 600;
}

/** What a bargain brings over what it costs. */
const bargainGain = { min: 1.4, max: 1.8 };

/** What somebody may ask for whom it would be a bargain; null for what is not worth it. */
function fairCents({ path }: Shop, random: Random, at: number): number | null {
  const valueCents = Math.exp(path.sealedLog(at));
  const gain = random.between(bargainGain.min, bargainGain.max);
  return valueCents < valueCentsMin ? null : resaleCents(valueCents) / gain;
}

/** Retailers ask no less than this share of the retail price, and no more than all of it. */
const shelfShare = { min: 0.38, max: 1 };

/** The retailer's own: null where it would have to be cheaper, or is worth far more than ever. */
function shelfBargain(shop: Shop, random: Random, at: number): Bargain | null {
  const { msrpCents } = shop.set;
  const share = (fairCents(shop, random, at) ?? 0) / msrpCents;
  if (share < shelfShare.min || share > 1.2 * shelfShare.max) return null;
  // In steps of five percent, and a cent below a whole dollar.
  const shown = Math.min(shelfShare.max, Math.floor(share * 20) / 20);
  const priceCents = Math.round((msrpCents * shown) / 100) * 100 - 1;
  return { ...drawSpan(random, at), sellerType: 'retailer', priceCents };
}

/** How often a price is a mistake, or of something else: this share of the value is asked. */
const tooGood = { chance: 0.2, min: 0.18, max: 0.24 };

/** Of what is dearer than this, sellers know the price. */
const undercutCentsMax = 90_00;

/** Somebody at the retailer asks less than everybody else. */
function undercut(shop: Shop, random: Random, at: number): Bargain | null {
  const fair = fairCents(shop, random, at);
  const isTooGood = random.chance(tooGood.chance);
  const span = drawSpan(random, at);
  if (fair === null || fair > undercutCentsMax) return null;
  const wrongCents = Math.exp(shop.path.sealedLog(at)) * random.between(tooGood.min, tooGood.max);
  const priceCents = Math.round(isTooGood ? wrongCents : fair);
  return { ...span, sellerType: 'third_party', priceCents };
}

/** The bargain in place of what was asked meanwhile, and what was asked once more when it ends. */
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
