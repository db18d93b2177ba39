/**
 * Complete domain values for tests. A test states what it is about and takes the rest from here, so
 * a new field of a domain type is added in this file alone.
 */
import type { LedgerSaleFacts, LotFacts } from '../../src/domain/portfolio/lots.ts';

/** A lot of two sealed sets at $10 each, in the collection Shelf. */
export function aLot(facts: Partial<LotFacts> = {}): LotFacts {
  return {
    sourceId: 'a',
    brickfolio: 'Shelf',
    setNumber: '1',
    quantity: 2,
    condition: 'sealed',
    priceCents: 10_00,
    purchaseDate: '2026-03-04',
    status: 'owned',
    isEstimated: false,
    dateBasis: 'known',
    ...facts,
  };
}

/** A recorded sale of one sealed set for $30, which takes its units from the oldest lots. */
export function aLedgerSale(facts: Partial<LedgerSaleFacts> = {}): LedgerSaleFacts {
  return {
    sourceId: 's',
    setNumber: '1',
    condition: 'sealed',
    platform: 'ebay',
    quantity: 1,
    saleDate: '2026-05-06',
    grossCents: 30_00,
    platformFeesCents: 1_00,
    paymentFeesCents: 2_00,
    shippingCents: 3_00,
    costCents: null,
    lot: null,
    ...facts,
  };
}
