/** Predictions for deals. */
import { expect, test } from 'bun:test';
import { dealsAt as at, candidate } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { defaultTerms } from '../boxes/quotes.ts';
import { bestSale, profitOf, toDeal } from './deal.ts';
import { predictionOf } from './deal-prediction.ts';

test('a prediction has the usual terms, and the channels with learned prices', () => {
  const given = candidate({});
  const terms = { terms: defaultTerms, at };
  const sale = bestSale(builtInTables, given.resale, terms);
  const profit = sale && profitOf(given.offer.priceCents, sale, defaultTerms);
  if (!profit) throw new Error('It must be a deal.');
  const deal = toDeal(given, { sale, profit }, terms);
  const { channels, ...prediction } = predictionOf(builtInTables, deal, at);
  expect(prediction).toMatchObject({
    valueCents: 100_00,
    tier: 'high',
    share: defaultTerms.share,
    marginBasisPoints: defaultTerms.marginBasisPoints,
    costCents: 50_00,
    maxBuyCents: deal.maxBuyCents,
  });
  expect(channels.map(({ channel, priceCents }) => [channel, priceCents])).toEqual([
    ['ebay', 91_93],
    ['bricklink', 87_33],
  ]);
  expect(channels.find(({ channel }) => channel === deal.channel)?.netCents).toBe(deal.netCents);
});
