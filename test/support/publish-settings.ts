/** What tests publish with, besides an engine. */
import { builtInFees } from '../../src/domain/fees/fee-table.ts';
import { builtInPostage } from '../../src/domain/fees/postage.ts';

/** The tables of fees and postage that come with this version. */
export const builtInTables = { fees: builtInFees, postage: builtInPostage };

/** Retailers without a name of their own, and the tables of this version. */
export const publishSettings = {
  retailerNames: { retailer_a: 'Retailer A', retailer_b: 'Retailer B' },
  tables: builtInTables,
};
