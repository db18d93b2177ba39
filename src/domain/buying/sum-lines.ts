/** The way from the price of a sale to what may be paid, line by line, as a receipt has it. */
import { costOf, moneyCents, priceShares } from './max-buy.ts';
import type { BuyTerms, Quote } from './resale.ts';

/** What a line is about. `net` and `max_buy` are what the lines above them add up to. */
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

/** One line; what is taken away is below 0. */
export interface SumLine {
  readonly name: SumLineName;
  readonly cents: number;
}

/**
 * The lines of a quote. Those of 0 are left out, but for totals. Where nothing may be paid, the
 * last one is the net.
 */
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

function linesToMaxBuy({ sum, maxBuyCents, waitDays }: Quote, terms: BuyTerms): SumLine[] {
  if (maxBuyCents === null) return [];
  const { costs, moneyBasisPoints } = terms;
  const cost = costOf(maxBuyCents, costs);
  const money = moneyCents(cost, { moneyBasisPoints, waitDays });
  const { taxCents, cashbackCents } = priceShares(maxBuyCents, costs);
  return [
    { name: 'money', cents: -money },
    // Whole cents: what is left may be a little more than the margin asks for.
    { name: 'margin', cents: cost + money - sum.netCents },
    { name: 'inbound', cents: -costs.inboundCents },
    { name: 'tax', cents: -taxCents },
    { name: 'cashback', cents: cashbackCents },
    { name: 'max_buy', cents: maxBuyCents },
  ];
}
