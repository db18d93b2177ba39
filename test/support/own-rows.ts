/** Builders for the private rows of one account, as imports produce them. */

import { noDetails } from '../../src/portfolio/lots/lot-fields.ts';
import type { GivenLot, LedgerSaleFacts, LotFacts } from '../../src/portfolio/lots/lots.ts';
import type { PrivateRow } from '../../src/portfolio/lots/private-rows.ts';
import { aBrickfolio, aLedgerSale, aLot } from './builders.ts';

export { applyAccountRows as applyRows } from '../../src/ingest/rows/account-rows.ts';

export interface OwnRows {
  readonly email: string;
  brickfolio(name: string, facts?: { isDefault?: boolean; description?: string }): PrivateRow;
  lot(sourceId: string, facts?: Partial<LotFacts>): PrivateRow;
  /** A lot without details, except for those stated. */
  given(sourceId: string, facts?: Partial<GivenLot>): PrivateRow;
  sale(sourceId: string, facts?: Partial<LedgerSaleFacts>): PrivateRow;
}

/** By default lots have two sealed sets, and sales one, in the collection Shelf. */
export function rowsOf(email: string): OwnRows {
  return {
    email,
    brickfolio: (name, { isDefault = false, description } = {}) => ({
      email,
      kind: 'brickfolio',
      facts: aBrickfolio({ name, description: description ?? null, isDefault }),
    }),
    lot: (sourceId, facts) => ({ email, kind: 'holding', facts: aLot({ sourceId, ...facts }) }),
    given: (sourceId, facts) => {
      const lot = aLot({ sourceId });
      const bare = Object.entries(lot).filter(([field]) => !(field in noDetails));
      return {
        email,
        kind: 'holding',
        facts: { ...(Object.fromEntries(bare) as GivenLot), ...facts },
      };
    },
    sale: (sourceId, facts) => ({
      email,
      kind: 'ledger_sale',
      facts: aLedgerSale({ sourceId, ...facts }),
    }),
  };
}
