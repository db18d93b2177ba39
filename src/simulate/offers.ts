/** Made-up offers of the two retailers: discounts, empty shelves, and third parties afterwards. */
import type { Offer } from '../domain/market.ts';
import { dayMs, hourMs, minuteMs } from '../domain/time.ts';
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
    const offers = withDealOfTheDay(shop, ownOffers(shop));
    return withLatestLook(shop, [...offers, ...thirdPartyOffers(shop)]);
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

/** How often a retailer has just cut its price below anything it asked before, and by how much. */
const dealChance = 0.2;
const dealShare = { min: 0.88, max: 0.97 };

/** Something new for whoever watches prices on the day that the world is made. */
function withDealOfTheDay(shop: Shop, offers: Offer[]): Offer[] {
  const { random, world } = shop;
  if (shop.ownUntil < world.today || !random.chance(dealChance)) return offers;
  const at = world.today - random.between(0.5, 6) * hourMs;
  const lowestCents = Math.min(...offers.flatMap((offer) => offer.priceCents ?? []));
  if (!Number.isFinite(lowestCents)) return offers;
  const priceCents = Math.round(lowestCents * random.between(dealShare.min, dealShare.max));
  const deal: Offer = { ...ownOffer(shop, at), priceCents, inStock: true };
  const buyBoxCents = shop.retailer === 'retailer_a' ? priceCents : null;
  return [...offers.filter((offer) => offer.observedAt < at), { ...deal, buyBoxCents }];
}

/** Retailers are looked at daily; of looks that find nothing new only the latest is kept. */
function withLatestLook({ world, random }: Shop, offers: Offer[]): Offer[] {
  const last = offers.at(-1);
  const observedAt = world.today - Math.ceil(random.between(1, 20) * 60) * minuteMs;
  return last && last.observedAt < observedAt ? [...offers, { ...last, observedAt }] : offers;
}
