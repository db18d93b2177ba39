/** Made-up offers of the two retailers: discounts, empty shelves, and third parties afterwards. */

import { dayMs, hourMs, minuteMs } from '../domain/kernel/time.ts';
import type { Offer } from '../domain/market/source-rows.ts';
import { withBargains } from './bargains.ts';
import type { MarketSet } from './catalog.ts';
import { makeAsin } from './identifiers.ts';
import { setPath } from './prices.ts';
import { Random } from './random.ts';
import { noOffer, type Shop } from './shop.ts';
import { thirdPartyOffers } from './third-party.ts';
import { type World, yearMs } from './world.ts';

/** Which retailers have a set, and how often that is so. */
const ranges = [
  { weight: 62, retailers: ['retailer_a', 'retailer_b'] },
  { weight: 20, retailers: ['retailer_a'] },
  { weight: 12, retailers: ['retailer_b'] },
  { weight: 6, retailers: [] },
] as const;

/** The retailer's own offer ends within this time after retirement. */
const sellOffMs = 90 * dayMs;

/** The offers for a set at both retailers, each in order of time. */
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
    // The latest has a stream of its own: nothing before it depends on the time of the day.
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

/** One in six steps is an empty shelf, which with these spells is a tenth of the time. */
const emptyChance = 0.16;
const spellDays = { price: 21, empty: 12 };

/** Nothing changes twice within this time. */
const spellMsMin = 6 * hourMs;

/** Steps during production; a step that changes nothing is left out. */
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

/** How often there was news within the last days. */
const newsChance = { own: 0.32, thirdParty: 0.25 };

/** How old the news is: as much of it is from the last minutes as from the last days. */
const newsAgeMs = { min: 2 * minuteMs, max: 4 * dayMs };

/** Something new for whoever watches prices at the time that the world is made. */
function withNews(shop: Shop, offers: readonly Offer[]): Offer[] {
  const { random, world } = shop;
  const isOwn = shop.ownUntil >= world.today;
  const hasNews = random.chance(isOwn ? newsChance.own : newsChance.thirdParty);
  const age = newsAgeMs.min * (newsAgeMs.max / newsAgeMs.min) ** random.fraction();
  const at = Math.floor((world.now - age) / minuteMs) * minuteMs;
  const before = offers.filter((offer) => offer.observedAt < at);
  const news = isOwn ? dealOfTheDay(shop, before, at) : newAsk(random, before, at);
  return hasNews && news ? [...before, news] : [...offers];
}

const dealShare = { min: 0.88, max: 0.97 };

/** A price below anything that the retailer asked before. */
function dealOfTheDay(shop: Shop, offers: readonly Offer[], at: number): Offer | null {
  const lowestCents = Math.min(...offers.flatMap((offer) => offer.priceCents ?? []));
  if (!Number.isFinite(lowestCents)) return null;
  const share = shop.random.between(dealShare.min, dealShare.max);
  const priceCents = Math.round(lowestCents * share);
  const buyBoxCents = shop.retailer === 'retailer_a' ? priceCents : null;
  return { ...ownOffer(shop, at), priceCents, inStock: true, buyBoxCents };
}

const newAskShare = { min: 0.94, max: 1.03 };

/** Third parties move with their competitors, a little and often. */
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

/** How long ago the latest look was, in hours: within the day, or when it was overlooked. */
const lookHours = { usual: { min: 1, max: 20 }, overlooked: { min: 50, max: 110 } };

/** Retailers are observed daily; of observations without news only the latest is kept. */
function withLatestObservation({ world, random }: Shop, offers: Offer[]): Offer[] {
  const last = offers.at(-1);
  const share = random.fraction();
  const isOverlooked = random.chance(world.traits.overlookedChance);
  const { min, max } = isOverlooked ? lookHours.overlooked : lookHours.usual;
  const age = (min + share * (max - min)) * hourMs;
  const observedAt = Math.floor((world.now - age) / minuteMs) * minuteMs;
  return last && last.observedAt < observedAt ? [...offers, { ...last, observedAt }] : offers;
}
