/** Private rows of one account, as imports bring them in; tests say what they are about. */
import type { LedgerSaleFacts, LotFacts } from '../../src/domain/portfolio/lots.ts';
import type { PrivateRow } from '../../src/domain/portfolio/private-rows.ts';

/** Makes rows of one account. */
export interface OwnRows {
  readonly email: string;
  brickfolio(name: string, facts?: { isDefault?: boolean; description?: string }): PrivateRow;
  lot(sourceId: string, facts?: Partial<LotFacts>): PrivateRow;
  sale(sourceId: string, facts?: Partial<LedgerSaleFacts>): PrivateRow;
}

/** Rows of an account: a collection called Shelf, lots of two sealed sets, and sales of one. */
export function rowsOf(email: string): OwnRows {
  return {
    email,
    brickfolio: (name, { isDefault = false, description } = {}) => ({
      email,
      kind: 'brickfolio',
      facts: { name, description: description ?? null, isDefault },
    }),
    lot: (sourceId, facts = {}) => ({
      email,
      kind: 'holding',
      facts: {
        sourceId,
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
      },
    }),
    sale: (sourceId, facts = {}) => ({
      email,
      kind: 'ledger_sale',
      facts: {
        sourceId,
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
      },
    }),
  };
}
