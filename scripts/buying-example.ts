/**
 * The worked example of `docs/buying.md`: one set on three channels, from its value to the max buy
 * price. Totals come from the product's code; the steps are calculated separately, and a difference
 * of a cent is an error.
 */

import { defaultTerms, type Quote, quoteOf } from '../src/buying/boxes/quotes.ts';
import { costOf, maxBuyCents } from '../src/buying/prices/max-buy.ts';
import type { Resale } from '../src/buying/prices/resale.ts';
import { feesOf, type SellingChannel } from '../src/buying/prices/selling-channels.ts';
import { fbaFees } from '../src/market/fees/fba.ts';
import { builtInFees } from '../src/market/fees/fee-table.ts';
import { builtInPostage } from '../src/market/fees/postage.ts';
import { soldShares } from '../src/market/values/price.ts';

const tables = { fees: builtInFees, postage: builtInPostage };
const at = Date.UTC(2026, 10, 15);

/** The price that four of five sales exceed, as a share of the value. */
const fourOfFive = 0.88;

/** Price levels relative to eBay. */
const above = { ebay: 1, bricklink: 0.95, fba: 1.05 } as const;

const example: Resale = {
  tier: 'high',
  doubtedCents: null,
  price: {
    valueCents: 120_00,
    valueSpread: 0,
    saleSpread: 1,
    soldAbove: soldShares.map((share) => (share <= 0.5 ? 0 : Math.log(fourOfFive))),
  },
  offsets: {
    fixed: 0,
    bricklink: Math.log(above.bricklink),
    amazon: Math.log(above.fba),
  },
  rate: {
    sales: 12,
    days: 180,
    priorSales: 1,
    priorDays: 20,
    shares: { fixed: 0.5, bricklink: 0.25, amazon: 0.25 },
  },
  season: null,
  growthPerYear: null,
  listings: [
    { channel: 'fixed', observedAt: at, units: 3, lowestCents: null },
    { channel: 'bricklink', observedAt: at, units: 5, lowestCents: null },
  ],
  parcel: { box: { widthIn: 14, heightIn: 10, depthIn: 2.6, weightLbs: 2.2 }, pieces: 750 },
  fbaSellers: 1,
  amazonAskCents: null,
};

const channels = ['ebay', 'bricklink', 'fba'] as const satisfies readonly SellingChannel[];

/** The page with a fresh example. */
export function withBuyingExample(page: string): string {
  const markers = /(<!-- example -->\n)[\s\S]*?(<!-- end -->)/;
  if (!markers.test(page)) throw new Error('There is no place for the example.');
  return page.replace(markers, (_, start: string, end: string) => {
    return `${start}${exampleText()}\n${end}`;
  });
}

function exampleText(): string {
  const sales = channels.map((channel) => ({
    channel,
    safe: quote(channel, defaultTerms.share),
    even: quote(channel, 0.5),
  }));
  const row = (name: string, cell: (sale: (typeof sales)[number]) => string) =>
    `| ${[name, ...sales.map(cell)].join(' | ')} |`;
  return [
    '| | eBay | BrickLink | Amazon FBA |',
    '|---|--:|--:|--:|',
    row('Value', () => usd(example.price.valueCents)),
    row('× channel', ({ channel }) => above[channel].toFixed(2)),
    row('× 4 of 5 sales bring more', () => fourOfFive.toFixed(2)),
    row('**Price**', ({ safe }) => `**${usd(safe.sum.priceCents)}**`),
    row('− platform fees', ({ safe }) => usd(safe.sum.platformFeesCents)),
    row('− payment', ({ safe }) => usdOrNone(safe.sum.paymentFeesCents)),
    row('− fulfillment', ({ safe }) => usdOrNone(safe.sum.fulfilmentCents)),
    row('− storage', ({ safe }) => usdOrNone(safe.sum.storageCents)),
    row('− shipping', ({ safe }) => usdOrNone(safe.sum.postageCents)),
    row('**Net**', ({ safe }) => `**${usd(safe.sum.netCents)}**`),
    row('÷ 1.25 = **max buy price**', ({ safe }) => `**${usd(safe.maxBuyCents ?? 0)}**`),
    row('median net', ({ even }) => usd(even.sum.netCents)),
    row('median profit when bought at that price', ({ safe, even }) => profitText(safe, even)),
    row('time to sell', ({ safe }) => `${Math.round(safe.wait?.days ?? 0)} days`),
    '',
    ...steps().map((step) => `- ${step}`),
  ].join('\n');
}

function quote(channel: SellingChannel, share: number): Quote {
  const terms = { ...defaultTerms, share };
  const found = quoteOf(tables, example, { channel, terms, at });
  if (found === null) throw new Error('The box of the example is known.');
  if (found.sum.netCents !== found.sum.priceCents - feesOf(found.sum) - found.sum.postageCents) {
    throw new Error('The lines of the example do not add up.');
  }
  return found;
}

function profitText(safe: Quote, even: Quote): string {
  const costCents = costOf(safe.maxBuyCents ?? 0, defaultTerms.costs);
  const profitCents = even.sum.netCents - costCents;
  return `${usd(profitCents)} (${Math.round((100 * profitCents) / costCents)}%)`;
}

/** The calculation of each line, compared with the product's result. */
function steps(): string[] {
  const [ebay, bricklink, fba] = channels.map((channel) => quote(channel, defaultTerms.share).sum);
  if (!ebay || !bricklink || !fba) throw new Error('There must be three channels.');
  const taxed = ebay.priceCents + share(ebay.priceCents, 7.5);
  const items = bricklink.priceCents - bricklink.postageCents;
  const paid = bricklink.priceCents + share(bricklink.priceCents, 7.5);
  const fees = fbaFees(fba.priceCents, example.parcel.box, at);
  const surcharged = Math.round(652 * 1.035);
  const [ebayDays, bricklinkDays, fbaDays] = channels.map((channel) =>
    Math.round(quote(channel, defaultTerms.share).wait?.days ?? 0),
  );
  const storage = Math.round((364 / 1_728) * (240 * (16 / 30 + 1) + 78 * (1 + 10 / 28)));
  same('eBay', ebay.platformFeesCents, share(taxed, 13.6) + 40);
  same('BrickLink', bricklink.platformFeesCents, share(items, 3));
  same('PayPal', bricklink.paymentFeesCents, share(paid, 3.49) + 49);
  same('referral', fba.platformFeesCents, share(fba.priceCents, 15));
  same('fulfillment', fba.fulfilmentCents, surcharged + 41);
  same('peak', fees?.peakCents ?? 0, 41);
  same('storage', fba.storageCents, storage);
  same('shipping', ebay.postageCents, 10_75 + 1_00);
  return [
    `**eBay** takes 13.6% of what the buyer pays with sales tax (7.5% assumed), and $0.40: ` +
      `${usd(ebay.priceCents)} × 1.075 = ${usd(taxed)}; × 13.6% + $0.40 = ` +
      `${usd(ebay.platformFeesCents)}.`,
    `**BrickLink** takes 3% of the items without shipping: (${usd(bricklink.priceCents)} − ` +
      `${usd(bricklink.postageCents)}) × 3% = ${usd(bricklink.platformFeesCents)}. PayPal takes ` +
      `3.49% of everything with sales tax, and $0.49: ${usd(bricklink.priceCents)} × 1.075 = ` +
      `${usd(paid)}; × 3.49% + $0.49 = ${usd(bricklink.paymentFeesCents)}.`,
    `**FBA** takes 15% (${usd(fba.platformFeesCents)}). The box is 14 × 10 × 2.6 in = 364 in³, ` +
      `÷ 139 = 2.62 lb: $6.52 + 3.5% fuel = ${usd(surcharged)}, + $0.41 from October 15 to ` +
      `January 14 = ${usd(fba.fulfilmentCents)}. Storage: 364 ÷ 1,728 = 0.2106 cubic feet at ` +
      `$2.40 a month for 16 of November's 30 days and all of December, and at $0.78 for January ` +
      `and 10 of February's 28 days: ${usd(fba.storageCents)}.`,
    `**Shipping**: the box counts as 364 in³ ÷ 166 = 2.19 lb, but weighs 2.20 lb; with 0.35 lb ` +
      `of packing 2.55 lb. Up to 3 lb $10.75, + $1.00 for the packing = ${usd(ebay.postageCents)}.`,
    `**Time to sell**: 12 sales in the last 180 days; similar items count as one more sale in ` +
      `20 more days. Half of the time, the next sale comes within 200 × (2^(1/13) − 1) = ` +
      `11 days, about 0.7 × 200 ÷ 13. Half of the sales are on eBay, where 3 other units are ` +
      `for sale: yours takes 4 ÷ 0.5 = 8 times as long, ${ebayDays} days. A quarter are on ` +
      `BrickLink, with 5 others: 6 ÷ 0.25 = 24 times, ${bricklinkDays} days. A quarter are ` +
      `on Amazon, with one other FBA seller: 2 ÷ 0.25 = 8 times, ${fbaDays} days.`,
    taxStep(ebay.netCents),
  ];
}

/** The effect of sales tax and cashback. */
function taxStep(netCents: number): string {
  const costs = { taxBasisPoints: 800, cashbackBasisPoints: 500, inboundCents: 0 };
  const priceCents = maxBuyCents(netCents, { ...defaultTerms, costs }) ?? 0;
  const [tax, cashback] = [share(priceCents, 8), Math.floor((priceCents * 5) / 100)];
  const costCents = priceCents + tax - cashback;
  same('cost', costOf(priceCents, costs), costCents);
  return (
    `**With 8% sales tax and 5% cashback** the max buy price on eBay is ${usd(priceCents)}: ` +
    `${usd(priceCents)} + ${usd(tax)} − ${usd(cashback)} = ${usd(costCents)}, × 1.25 = ` +
    `${usd(Math.round(costCents * 1.25))}.`
  );
}

/** A percentage of an amount, rounded as fees are. */
function share(cents: number, percent: number): number {
  return Math.round((cents * percent) / 100);
}

function same(what: string, codeCents: number, handCents: number): void {
  if (codeCents !== handCents) {
    throw new Error(`By hand, ${what} comes to ${usd(handCents)}, not ${usd(codeCents)}.`);
  }
}

function usd(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

function usdOrNone(cents: number): string {
  return cents === 0 ? '' : usd(cents);
}
