/** Simulated sales: the true value with effects of channel, noise and odd listings. */

import type { ItemKind } from '../../src/catalog/items/numbers.ts';
import type { Condition, Sale } from '../../src/market/source-rows/source-rows.ts';
import type { Arrival } from './arrivals.ts';
import { currencies, type Rates } from './fx.ts';
import type { ValuePath } from './prices.ts';
import { hashText, type Random } from './random.ts';
import type { SaleChannelRow } from './sale-channels.ts';
import { drawState } from './sale-state.ts';
import { midway, type World } from './world.ts';

export interface MarketSale {
  readonly sale: Sale;
  readonly isRetracted: boolean;
  /** One complete unit, in any channel. */
  readonly isOrdinary: boolean;
  /** One complete unit at a fixed price. */
  readonly isPlain: boolean;
}

export interface SaleItem {
  readonly kind: ItemKind;
  readonly number: string;
  readonly path: ValuePath;
  /** Log standard deviation of prices. */
  readonly spread: Readonly<Record<Condition, number>>;
  readonly channels: readonly SaleChannelRow[];
  /** Shipping cost of one unit. */
  readonly postageCents: number;
}

const retractedChance = 0.01;
const foreignChance = 0.1;
const sellerKnownChance = 0.92;
const severalChance = 0.05;
const bulkDiscountLog = 0.03;

/** One sale per arrival. */
export function makeSales(
  random: Random,
  item: SaleItem,
  market: {
    readonly world: World;
    readonly arrivals: readonly Arrival[];
    readonly rates: Rates;
  },
): MarketSale[] {
  const { traits } = market.world;
  const laterFrom = midway(market.world);
  return market.arrivals.map((arrival, index) => {
    const { at, condition } = arrival;
    const { kind } = item;
    const row = random.pickWeighted(item.channels);
    const quantity = random.chance(severalChance) ? 2 + Math.min(6, random.poisson(0.6)) : 1;
    const state = drawState(random, { kind, condition, oddTimes: traits.oddTimes });
    const { channel } = row;
    const laterLog = at < laterFrom ? 0 : (traits.laterLog[channel] ?? 0);
    const channelLog = row.log + (traits.channelLog[channel] ?? 0) + laterLog;
    const unitLog = marketLog(item, arrival, traits.drawNoise(random)) + channelLog + state.log;
    const totalCents = Math.exp(unitLog - bulkDiscountLog * Math.log(quantity)) * quantity;
    const usd = splitShipping(random, { item, row, quantity, totalCents });
    const sale: Sale = {
      source: row.source,
      sourceId: `${item.number}-${index + 1}`,
      itemKind: kind,
      itemKey: item.number,
      condition,
      ...inSomeCurrency(random, usd, { at, rates: market.rates }),
      quantity,
      soldAt: at,
      channel: row.channel,
      seller: random.chance(sellerKnownChance) ? drawSeller(random) : null,
      completeness: state.completeness,
    };
    const isOrdinary = state.log === 0 && quantity === 1;
    const isPlain = isOrdinary && row.channel === 'fixed';
    return { sale, isRetracted: random.chance(retractedChance), isOrdinary, isPlain };
  });
}

/** Noise is clipped (log). */
const noiseMax = 1.2;

/** The true value with noise. */
function marketLog({ path, spread }: SaleItem, arrival: Arrival, drawn: number): number {
  const { at, condition } = arrival;
  const log = condition === 'sealed' ? path.sealedLog(at) : path.usedLog(at);
  const noise = spread[condition] * drawn;
  return log + holidayLog(log, at) + Math.max(-noiseMax, Math.min(noiseMax, noise));
}

const expensiveLog = Math.log(15_000);

/** In December, expensive items are slightly cheaper because of high supply. */
function holidayLog(log: number, at: number): number {
  if (new Date(at).getUTCMonth() !== 11) return 0;
  return log > expensiveLog ? -0.02 : 0.01;
}

interface Money {
  readonly priceCents: number;
  readonly shippingCents: number;
}

/** Maximum share of shipping. */
const shippingShareMax = 0.18;

/** Splits the total into price and shipping. */
function splitShipping(
  random: Random,
  deal: { item: SaleItem; row: SaleChannelRow; quantity: number; totalCents: number },
): Money {
  const { item, row, quantity, totalCents } = deal;
  if (!random.chance(row.shippingChance)) return { priceCents: totalCents, shippingCents: 0 };
  const postage = item.postageCents * random.between(0.8, 1.3) * Math.sqrt(quantity);
  const shippingCents = Math.min(totalCents * shippingShareMax, postage);
  return { priceCents: totalCents - shippingCents, shippingCents };
}

const priceCentsMin = 25;

/** Mostly US dollars; others are converted by the rate of the day. */
function inSomeCurrency(
  random: Random,
  usd: Money,
  when: { at: number; rates: Rates },
): Money & { readonly currency: string } {
  const foreign = random.chance(foreignChance) ? random.pickWeighted(currencies) : null;
  const rate = foreign ? when.rates.usdPerUnit(foreign, when.at) : 1;
  return {
    priceCents: Math.max(priceCentsMin, Math.round(usd.priceCents / rate)),
    shippingCents: Math.round(usd.shippingCents / rate),
    currency: foreign?.code ?? 'USD',
  };
}

const sellersCount = 6_000;

/** A few sellers make many sales. */
function drawSeller(random: Random): string {
  const rank = Math.floor(sellersCount * random.fraction() ** 3);
  return `s${hashText(String(rank), 0x5bd1e995).toString(36)}`;
}
