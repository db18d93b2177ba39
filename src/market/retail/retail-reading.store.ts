/** Finds published retail rows by any identifier. */

import * as db from '../../store/sql/operation.ts';
import type { RetailIdentifiers, RetailRecord } from '../published/published-records.ts';
import type { RetailMonths } from '../published/publishing.ts';
import { findRetailHistories } from './retail-history.store.ts';

/** The most sets with the same identifier that are considered. */
export const sharedMax = 100;

const retailSql = `SELECT key AS "setKey", asin_key AS "asinKey", upc_key AS "upcKey",
    ean_key AS "eanKey", changed_at::float8 AS "changedAt", body
  FROM published.retail WHERE`;

const oneOfShared = `ORDER BY item_id LIMIT ${sharedMax}`;

export function retailReading(engine: Pick<db.Engine, 'run'>) {
  const find = (where: string, values: readonly db.Value[]) =>
    engine.run(() => db.query<RetailRecord>(`${retailSql} ${where}`, values));
  const candidates = async ({ setKey, asinKey, barcodeKey }: RetailIdentifiers) => {
    if (setKey !== undefined) return find('key = $1::text', [setKey]);
    if (asinKey !== undefined) return find(`asin_key = $1::text ${oneOfShared}`, [asinKey]);
    if (barcodeKey === undefined) return [];
    return find(`(upc_key = $1::text OR ean_key = $1::text) ${oneOfShared}`, [barcodeKey]);
  };
  const keys = async (where: string, identifiers: readonly string[] | null) =>
    identifiers && new Set((await find(where, [identifiers])).map((row) => row.setKey));
  return {
    ...db.methods(engine.run, { findRetailMonths, findRetailHistories }),
    /** The only retail row with all the given identifiers; null if there are none or several. */
    findRetail: async (identifiers: RetailIdentifiers) =>
      theOneNamed(await candidates(identifiers), identifiers),
    /** Sets with one of the ASINs and one of the barcodes; null means no restriction. */
    findRetailKeys: async ({
      asinKeys,
      barcodeKeys,
    }: {
      readonly asinKeys: readonly string[] | null;
      readonly barcodeKeys: readonly string[] | null;
    }): Promise<string[]> => {
      const [byAsins, byBarcodes] = await Promise.all([
        keys('asin_key = ANY($1::text[])', asinKeys),
        keys('(upc_key = ANY($1::text[]) OR ean_key = ANY($1::text[]))', barcodeKeys),
      ]);
      if (byAsins && byBarcodes) return [...byAsins.intersection(byBarcodes)];
      return [...(byAsins ?? byBarcodes ?? [])];
    },
    /** Retail rows of sets; with a time, only those changed since. */
    listRetail: (setKeys: readonly string[], changedSince: number | null) =>
      find('key = ANY($1::text[]) AND ($2::bigint IS NULL OR changed_at >= $2::bigint)', [
        setKeys,
        changedSince,
      ]),
    /** Retail rows of sets changed since a time, latest change first. */
    listLatestRetail: (
      setKeys: readonly string[],
      { since, limit }: { readonly since: number; readonly limit: number },
    ) =>
      find(
        `key = ANY($1::text[]) AND changed_at >= $2::bigint
         ORDER BY changed_at DESC, key LIMIT $3::bigint`,
        [setKeys, since, limit],
      ),
  };
}

/** The lowest price of each month at each retailer; null if nothing is published. */
function* findRetailMonths(setKey: string): db.Reading<RetailMonths | null> {
  const sql = 'SELECT months FROM published.retail WHERE key = $1::text';
  const row = yield* db.first<{ months: string }>(sql, [setKey]);
  return row && JSON.parse(row.months);
}

function theOneNamed(
  candidates: readonly RetailRecord[],
  { asinKey, barcodeKey }: RetailIdentifiers,
): RetailRecord | null {
  const [found, other] = candidates.filter(
    (row) =>
      (asinKey === undefined || row.asinKey === asinKey) &&
      (barcodeKey === undefined || row.upcKey === barcodeKey || row.eanKey === barcodeKey),
  );
  return found && !other ? found : null;
}
