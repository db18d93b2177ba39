/** The calculation from the sale price to the maximum price to pay, as lines of a receipt. */
import { costOf, moneyCents, priceShares } from '../prices/max-buy.ts';
import type { BuyTerms, Quote } from './quotes.ts';

/** `net` and `max_buy` are totals of the lines above them. */
export type SumLineName =
  | 'price'
  | 'platform_fees'
  | 'payment_fees'
  | 'fulfillment'
  | 'storage'
  | 'postage'
  | 'net'
  | 'money'
  | 'margin'
  | 'inbound'
  | 'tax'
  | 'cashback'
  | 'max_buy';

/** Deductions are negative. */
export interface SumLine {
  readonly name: SumLineName;
  readonly cents: number;
}

/** Lines of 0 are omitted, except totals. Without a maximum price, the net proceeds are last. */
export function sumLines(quote: Quote, terms: BuyTerms): SumLine[] {
  const lines = [...linesToNet(quote), ...linesToMaxBuy(quote, terms)];
  return lines.filter(({ name, cents }) => cents !== 0 || name === 'net' || name === 'max_buy');
}

function linesToNet({ sum }: Quote): SumLine[] {
  return [
    { name: 'price', cents: sum.priceCents },
    { name: 'platform_fees', cents: -sum.platformFeesCents },
    { name: 'payment_fees', cents: -sum.paymentFeesCents },
    { name: 'fulfillment', cents: -sum.fulfilmentCents },
    { name: 'storage', cents: -sum.storageCents },
    { name: 'postage', cents: -sum.postageCents },
    { name: 'net', cents: sum.netCents },
  ];
}

function linesToMaxBuy({ sum, maxBuyCents, wait }: Quote, terms: BuyTerms): SumLine[] {
  if (maxBuyCents === null) return [];
  const { costs, moneyBasisPoints } = terms;
  const cost = costOf(maxBuyCents, costs);
  const money = moneyCents(cost, { moneyBasisPoints, waitDays: wait?.days ?? null });
  const { taxCents, cashbackCents } = priceShares(maxBuyCents, costs);
  return [
    { name: 'money', cents: -money },
    // Because of rounding, the margin may be slightly above the requested one.
    { name: 'margin', cents: cost + money - sum.netCents },
    { name: 'inbound', cents: -costs.inboundCents },
    { name: 'tax', cents: -taxCents },
    { name: 'cashback', cents: cashbackCents },
    { name: 'max_buy', cents: maxBuyCents },
  ];
}
