/** Simulated offers of the two retailers: discounts, empty shelves, and later third parties. */

import { dayMs, hourMs, minuteMs } from '../../src/kernel/time.ts';
import type { Offer } from '../../src/market/source-rows/source-rows.ts';
import { withBargains } from './bargains.ts';
import type { MarketSet } from './catalog.ts';
import { makeAsin } from './identifiers.ts';
import { setPath } from './prices.ts';
import { Random } from './random.ts';
import { noOffer, type Shop } from './shop.ts';
import { thirdPartyOffers } from './third-party.ts';
import { type World, yearMs } from './world.ts';

/** Which retailers sell a set, with frequencies. */
const ranges = [
  { weight: 62, retailers: ['retailer_a', 'retailer_b'] },
  { weight: 20, retailers: ['retailer_a'] },
  { weight: 12, retailers: ['retailer_b'] },
  { weight: 6, retailers: [] },
] as const;

/** Time after retirement in which the retailer's own offer ends. */
const sellOffMs = 90 * dayMs;

/** In order of time for each retailer. */
export function makeOffers(world: World, set: MarketSet): Offer[] {
  const from = Math.max(set.releasedAt, world.today - world.size.offerYears * yearMs);
  if (from >= world.today) return [];
  const random = new Random(world.seed, 'offers', set.index);
  const path = setPath(world, set);
  const asin = makeAsin(random);
  return random.pickWeighted(ranges).retailers.flatMap((retailer) => {
    const ownUntil = set.retiredAt + random.fraction() * sellOffMs;
    const shop: Shop = { world, set, path, retailer, asin, random, from, ownUntil };
    const offers = [...ownOffers(shop), ...thirdPartyOffers(shop)];
    // A separate stream, so that earlier offers do not depend on the time of day.
    const latest = { ...shop, random: new Random(world.seed, 'latest', set.index, retailer) };
    return withLatestObservation(latest, withBargains(shop, withNews(latest, offers)));
  });
}

const discounts = [
  { weight: 55, share: 0 },
  { weight: 15, share: 0.1 },
  { weight: 20, share: 0.2 },
  { weight: 8, share: 0.3 },
  { weight: 2, share: 0.4 },
] as const;

/** Chance that a step is without an offer, which is about a tenth of the time. */
const emptyChance = 0.16;
const spellDays = { price: 21, empty: 12 };

/** Minimum time between changes. */
const spellMsMin = 6 * hourMs;

/** Price changes while the retailer sells the set itself. */
function ownOffers(shop: Shop): Offer[] {
  const { random } = shop;
  const until = Math.min(shop.world.today, shop.ownUntil);
  const offers: Offer[] = [];
  for (let at = shop.from + random.between(1, 30) * hourMs; at < until; ) {
    const isEmpty = offers.length > 0 && random.chance(emptyChance);
    const offer = isEmpty ? noOffer(shop, at) : ownOffer(shop, at);
    if (offer.priceCents !== offers.at(-1)?.priceCents) offers.push(offer);
    const meanDays = isEmpty ? spellDays.empty : spellDays.price;
    at += spellMsMin + random.exponential(meanDays * dayMs);
  }
  return offers;
}

function ownOffer(shop: Shop, at: number): Offer {
  const { random, set, retailer } = shop;
  const { share } = random.pickWeighted(discounts);
  const exact = set.msrpCents * (1 - share);
  const priceCents = Math.round(share === 0 ? exact : exact * random.between(0.98, 1));
  const offer: Offer = {
    ...noOffer(shop, at),
    priceCents,
    sellerType: 'retailer',
    inStock: !random.chance(0.03),
  };
  if (retailer !== 'retailer_a') return offer;
  const fbaSellers = random.poisson(2);
  const lowestFbaCents = Math.round(priceCents * random.between(1.02, 1.25));
  return {
    ...offer,
    lowestFbaCents: fbaSellers > 0 ? lowestFbaCents : null,
    fbaSellers,
    buyBoxCents: priceCents,
  };
}

/** Chance of a change within the last days. */
const newsChance = { own: 0.32, thirdParty: 0.25 };

/** Log-uniform age of the latest change. */
const newsAgeMs = { min: 2 * minuteMs, max: 4 * dayMs };

/** Adds recent changes, relative to the time of the world. */
function withNews(shop: Shop, offers: readonly Offer[]): Offer[] {
  const { random, world } = shop;
  const isOwn = shop.ownUntil >= world.today;
  const isOutdated = random.chance(isOwn ? newsChance.own : newsChance.thirdParty);
  const age = newsAgeMs.min * (newsAgeMs.max / newsAgeMs.min) ** random.fraction();
  const at = Math.floor((world.now - age) / minuteMs) * minuteMs;
  const before = offers.filter((offer) => offer.observedAt < at);
  const news = isOwn ? dealOfTheDay(shop, before, at) : newAsk(random, before, at);
  return isOutdated && news ? [...before, news] : [...offers];
}

const dealShare = { min: 0.88, max: 0.97 };

/** A price below all previous ones. */
function dealOfTheDay(shop: Shop, offers: readonly Offer[], at: number): Offer | null {
  const lowestCents = Math.min(...offers.flatMap((offer) => offer.priceCents ?? []));
  if (!Number.isFinite(lowestCents)) return null;
  const share = shop.random.between(dealShare.min, dealShare.max);
  const priceCents = Math.round(lowestCents * share);
  const buyBoxCents = shop.retailer === 'retailer_a' ? priceCents : null;
  return { ...ownOffer(shop, at), priceCents, inStock: true, buyBoxCents };
}

const newAskShare = { min: 0.94, max: 1.03 };

/** Third parties make small, frequent changes. */
function newAsk(random: Random, offers: readonly Offer[], at: number): Offer | null {
  const last = offers.at(-1);
  if (!last || last.priceCents === null) return null;
  const share = random.between(newAskShare.min, newAskShare.max);
  const moved = (cents: number | null) => (cents === null ? null : Math.round(cents * share));
  return {
    ...last,
    observedAt: at,
    priceCents: moved(last.priceCents),
    lowestFbaCents: moved(last.lowestFbaCents),
    buyBoxCents: moved(last.buyBoxCents),
  };
}

/** Hours since the latest observation. */
const lookHours = { usual: { min: 1, max: 20 }, overlooked: { min: 50, max: 110 } };

/** Retailers are observed daily; of unchanged observations only the latest is kept. */
function withLatestObservation({ world, random }: Shop, offers: Offer[]): Offer[] {
  const last = offers.at(-1);
  const share = random.fraction();
  const isOverlooked = random.chance(world.traits.overlookedChance);
  const { min, max } = isOverlooked ? lookHours.overlooked : lookHours.usual;
  const age = (min + share * (max - min)) * hourMs;
  const observedAt = Math.floor((world.now - age) / minuteMs) * minuteMs;
  return last && last.observedAt < observedAt ? [...offers, { ...last, observedAt }] : offers;
}
