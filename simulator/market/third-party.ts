/** Third-party offers after a retailer's own offer has ended. */

import { dayMs, hourMs, yearsBetween } from '../../src/kernel/time.ts';
import type { Offer } from '../../src/market/source-rows/source-rows.ts';
import { noOffer, type Shop } from './shop.ts';

/** Chance that third parties take over, by retailer and age. */
const takeOverChance = {
  retailer_a: { recent: 0.9, old: 0.55 },
  retailer_b: { recent: 0.25, old: 0.08 },
} as const;

const spellDays = { price: 55, empty: 25 };
const emptyChance = 0.08;

/** Minimum time between observations. */
const spellMsMin = 6 * hourMs;

/** First asking price over retail price. */
const markup = { min: 1.15, max: 1.4 };

/** Long-term asking price over market price. */
const premium = { min: 1.04, max: 1.12 };
const premiumDecayYears = 0.5;
const askDeviation = 0.03;

/** Empty while the retailer sells the set itself, or if no third party takes over. */
export function thirdPartyOffers(shop: Shop): Offer[] {
  const { random, world, ownUntil } = shop;
  if (ownUntil >= world.today) return [];
  const isRecent = ownUntil > shop.from;
  const chances = takeOverChance[shop.retailer];
  if (!random.chance(isRecent ? chances.recent : chances.old)) {
    return isRecent ? [noOffer(shop, ownUntil)] : [];
  }
  const asks: Asks = {
    firstLog: Math.log(shop.set.msrpCents * random.between(markup.min, markup.max)),
    premiumLog: Math.log(random.between(premium.min, premium.max)),
  };
  const offers: Offer[] = [];
  const start = isRecent ? ownUntil : shop.from + random.exponential(30 * dayMs);
  for (let at = start; at < world.today; ) {
    const isEmpty = offers.length > 0 && random.chance(emptyChance);
    offers.push(isEmpty ? noOffer(shop, at) : thirdPartyOffer(shop, asks, at));
    const meanDays = isEmpty ? spellDays.empty : spellDays.price;
    at += spellMsMin + random.exponential(meanDays * dayMs);
  }
  return offers;
}

/** Time constant with which marketplace sellers leave. */
const sellersLeaveYears = 4;

/** Markup at the start, and premium at the end (logs). */
interface Asks {
  readonly firstLog: number;
  readonly premiumLog: number;
}

/** Asking prices move from a markup on the retail price to a premium on the market price. */
function askLog({ path, ownUntil }: Shop, asks: Asks, at: number): number {
  const excess = asks.firstLog - path.sealedLog(ownUntil) - asks.premiumLog;
  const left = Math.exp(-yearsBetween(ownUntil, at) / premiumDecayYears);
  return path.sealedLog(at) + asks.premiumLog + excess * left;
}

function thirdPartyOffer(shop: Shop, asks: Asks, at: number): Offer {
  const { random, set } = shop;
  const exact = Math.exp(askLog(shop, asks, at)) * random.logNormal(1, askDeviation);
  const priceCents = Math.round(exact);
  const offer: Offer = {
    ...noOffer(shop, at),
    priceCents,
    sellerType: 'third_party',
    inStock: true,
  };
  if (shop.retailer !== 'retailer_a') return offer;
  const years = Math.max(0, yearsBetween(set.retiredAt, at));
  const fbaSellers = random.poisson(6 * Math.exp(-years / sellersLeaveYears));
  const lowestFbaCents = Math.round(priceCents * random.pick([1, 1, 1, 1.02, 1.06]));
  return {
    ...offer,
    lowestFbaCents: fbaSellers > 0 ? lowestFbaCents : null,
    fbaSellers,
    buyBoxCents: random.chance(0.92) ? priceCents : null,
  };
}
