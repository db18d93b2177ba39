/** Source rows into `market.db`. */
import type { Database } from 'bun:sqlite';
import type { MarketIngest, MarketRow, RowOutcome } from '../../domain/market/market-store.ts';
import { catalogRows } from './catalog-rows.ts';
import { inTransaction } from './database.ts';
import { itemFinder } from './find-item.ts';
import { sqliteLookups } from './lookups.ts';
import { type MemberChanges, settleMembers } from './member-rows.ts';
import { offerRows } from './offer-rows.ts';
import { parameterChanges } from './parameter-rows.ts';
import { rateRows, saleRows } from './sale-rows.ts';
import { markStale, type Touched } from './touched.ts';

/** The ingest half of the market store. */
export function sqliteMarketIngest(db: Database): MarketIngest {
  return {
    applyRows: async (rows, at) => inTransaction(db, () => applyRows(db, rows, at)),
    findSetNumbers: async (keys) => {
      const find = db.query<{ number: string }, [string]>(
        "SELECT number FROM item WHERE kind = 'set' AND key = ?",
      );
      const found = keys.flatMap((key) => {
        const row = find.get(key);
        return row ? [[key, row.number] as const] : [];
      });
      return new Map(found);
    },
    ...sqliteLookups(db),
  };
}

function applyRows(db: Database, rows: readonly MarketRow[], at: number): RowOutcome[] {
  const touched: Touched = new Set();
  const changes = parameterChanges(db);
  const findItem = itemFinder(db);
  const members: MemberChanges = { keys: new Set(), described: new Set() };
  const catalog = catalogRows(db, { touched, changes, members });
  const sales = saleRows(db, { touched, changes, findItem, at });
  const applyOffer = offerRows(db, { touched, changes, findItem });
  const applyRate = rateRows(db, { touched, changes });
  const applyRow = (row: MarketRow): RowOutcome => {
    switch (row.kind) {
      case 'set':
        return catalog.applySet(row.source, row.facts);
      case 'minifig':
        return catalog.applyMinifig(row.source, row.facts);
      case 'sale':
        return sales.applySale(row.sale);
      case 'retract':
        return sales.applyRetract(row.source, row.sourceId);
      case 'offer':
        return applyOffer(row.offer);
      case 'fx':
        return applyRate(row.rate);
    }
  };
  const outcomes = rows.map(applyRow);
  settleMembers(db, members, { touched, changes });
  markStale(db, touched);
  changes.save();
  return outcomes;
}
