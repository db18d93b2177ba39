/** What third parties ask for a set once the retailer itself has stopped selling it. */

import { dayMs, hourMs, yearsBetween } from '../domain/kernel/time.ts';
import type { Offer } from '../domain/market/source-rows.ts';
import { noOffer, type Shop } from './shop.ts';

/** How often third parties take over: more at the marketplace, less for sets long gone. */
const takeOverChance = {
  retailer_a: { recent: 0.9, old: 0.55 },
  retailer_b: { recent: 0.25, old: 0.08 },
} as const;

const spellDays = { price: 55, empty: 25 };
const emptyChance = 0.08;

/** Two observations are at least this far apart. */
const spellMsMin = 6 * hourMs;

/** The first ask, over the retail price. */
const markup = { min: 1.15, max: 1.4 };

/** What remains of it over the market price, when the market has found its price. */
const premium = { min: 1.04, max: 1.12 };
const premiumDecayYears = 0.5;
const askDeviation = 0.03;

/** The offers after the retailer's own has ended; none when it has not, or nobody steps in. */
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

/** Sellers at the marketplace give up over the years, with this time constant. */
const sellersLeaveYears = 4;

/** How the asks for a set begin, and what they end with over the market (logarithms). */
interface Asks {
  readonly firstLog: number;
  readonly premiumLog: number;
}

/** Asks begin at a markup on the retail price, and soon follow the market at a modest premium. */
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
