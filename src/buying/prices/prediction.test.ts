/** The prediction that is stored with a purchase. */
import { expect, test } from 'bun:test';
import { dealsAt as at, soldWell } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { defaultTerms } from '../boxes/quotes.ts';
import { bestSale } from '../deals/deal.ts';
import { predictionOf } from './prediction.ts';

const asked = { condition: 'sealed', at } as const;

test('a prediction has the proceeds of the best channel at the usual terms', () => {
  const best = bestSale(builtInTables, soldWell, { terms: defaultTerms, at });
  if (best === null) throw new Error('It must be sellable.');
  expect(predictionOf(builtInTables, soldWell, asked)).toEqual({
    ...asked,
    valueCents: 100_00,
    netHalfCents: best.medianNetCents,
    netSafeCents: best.netCents,
    channel: best.channel,
    waitDays: best.waitDays,
  });
});

test('there is none for a modeled value, or without learned prices', () => {
  expect(predictionOf(builtInTables, { ...soldWell, tier: 'modeled' }, asked)).toBeNull();
  expect(predictionOf(builtInTables, { ...soldWell, offsets: {} }, asked)).toBeNull();
});
