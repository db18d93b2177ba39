/** Published retail rows: written beside the document of their set, found by any identifier. */
import type { Database } from 'bun:sqlite';
import type { MarketReading, RetailRecord } from '../../domain/market/market-reading.ts';
import type { PublishedItem } from '../../domain/market/market-store.ts';
import { retailFoldVersion } from '../../domain/market/retail-state.ts';
import { inBoth, sharedMax, theOneNamed } from '../retail-matching.ts';

/** Writes the retail row of an item and the states that went on with it. */
export function retailWriter(db: Database): (item: PublishedItem, setKey: string) => void {
  const save = db.query<never, (string | number | null)[]>(
    `INSERT OR REPLACE INTO retail (item_id, key, asin_key, upc_key, ean_key, changed_at, body,
       months)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const drop = db.query<never, [number]>('DELETE FROM retail WHERE item_id = ?');
  const saveState = db.query<never, (string | number)[]>(
    `INSERT OR REPLACE INTO retail_state (item_id, retailer, fold_version, checked_at, state)
     VALUES (?, ?, ?, ?, ?)`,
  );
  return ({ id, retail }, setKey) => {
    if (retail === null) {
      drop.run(id);
      return;
    }
    const { asinKey, upcKey, eanKey, changedAt, body } = retail;
    const months = JSON.stringify(retail.months);
    save.run(id, setKey, asinKey, upcKey, eanKey, changedAt, body, months);
    for (const state of retail.newStates) {
      const { retailer, latest } = state;
      saveState.run(id, retailer, retailFoldVersion, latest.at, JSON.stringify(state));
    }
  };
}

const columns = `retail.key AS setKey, asin_key AS asinKey, upc_key AS upcKey, ean_key AS eanKey,
  changed_at AS changedAt, body`;

/** Finds retail rows. */
export function retailReading(
  db: Database,
): Pick<MarketReading, 'findRetail' | 'findRetailMonths' | 'findRetailKeys' | 'listRetail'> {
  const bySet = db.query<RetailRecord, [string]>(`SELECT ${columns} FROM retail WHERE key = ?`);
  const monthsOfSet = db.query<{ months: string | null }, [string]>(
    'SELECT months FROM retail WHERE key = ?',
  );
  const byAsin = db.query<RetailRecord, [string]>(
    `SELECT ${columns} FROM retail WHERE asin_key = ? ORDER BY item_id LIMIT ${sharedMax}`,
  );
  const byBarcode = db.query<RetailRecord, [string]>(
    `SELECT ${columns} FROM retail WHERE upc_key = ?1 OR ean_key = ?1
     ORDER BY item_id LIMIT ${sharedMax}`,
  );
  const bySets = db.query<RetailRecord, [string, number | null]>(
    `SELECT ${columns} FROM json_each(?1) j CROSS JOIN retail ON retail.key = j.value
     WHERE ?2 IS NULL OR changed_at >= ?2`,
  );
  const keysByAsins = db.query<{ key: string }, [string]>(
    'SELECT r.key FROM json_each(?) j CROSS JOIN retail r ON r.asin_key = j.value',
  );
  const keysByBarcodes = db.query<{ key: string }, [string]>(
    `SELECT r.key FROM json_each(?) j
     CROSS JOIN retail r ON r.upc_key = j.value OR r.ean_key = j.value`,
  );
  return {
    findRetail: async (named) => {
      const { setKey, asinKey, barcodeKey } = named;
      const candidates =
        (setKey !== undefined && bySet.all(setKey)) ||
        (asinKey !== undefined && byAsin.all(asinKey)) ||
        (barcodeKey !== undefined && byBarcode.all(barcodeKey)) ||
        [];
      return theOneNamed(candidates, named);
    },
    findRetailMonths: async (setKey) => {
      const months = monthsOfSet.get(setKey)?.months ?? null;
      return months === null ? null : JSON.parse(months);
    },
    findRetailKeys: async ({ asinKeys, barcodeKeys }) => {
      const keys = (query: typeof keysByAsins, wanted: readonly string[]) =>
        new Set(query.all(JSON.stringify(wanted)).map((row) => row.key));
      const [byAsins, byBarcodes] = [
        asinKeys && keys(keysByAsins, asinKeys),
        barcodeKeys && keys(keysByBarcodes, barcodeKeys),
      ];
      return inBoth(byAsins, byBarcodes);
    },
    listRetail: async (setKeys, changedSince) => bySets.all(JSON.stringify(setKeys), changedSince),
  };
}
