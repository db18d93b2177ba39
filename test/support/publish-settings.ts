/** Settings of publishing in tests, without the engine. */
import { builtInFees } from '../../src/market/fees/fee-table.ts';
import { builtInPostage } from '../../src/market/fees/postage.ts';

/** The fee and postage tables of this version. */
export const builtInTables = { fees: builtInFees, postage: builtInPostage };

export const publishSettings = {
  retailerNames: { retailer_a: 'Retailer A', retailer_b: 'Retailer B' },
  /** Of one item; a publisher finds the current ones. */
  tables: builtInTables,
  findTables: () => builtInTables,
};
