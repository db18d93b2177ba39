/** Published retail rows on PostgreSQL, found by any identifier. */
import type {
  MarketReading,
  RetailIdentifiers,
  RetailRecord,
} from '../../domain/market/market-reading.ts';
import { inBoth, sharedMax, theOneNamed } from '../retail-matching.ts';
import type { Value } from '../sql/operation.ts';
import type { Reader } from './replica.ts';

const columns = `key AS "setKey", asin_key AS "asinKey", upc_key AS "upcKey",
  ean_key AS "eanKey", changed_at::float8 AS "changedAt", body`;

/** Finds retail rows. */
export function retailReading(
  reader: Reader,
): Pick<MarketReading, 'findRetail' | 'findRetailMonths' | 'findRetailKeys' | 'listRetail'> {
  const find = (where: string, values: readonly Value[]) =>
    reader.query<RetailRecord>(`SELECT ${columns} FROM published.retail WHERE ${where}`, values);
  const candidates = async ({ setKey, asinKey, barcodeKey }: RetailIdentifiers) => {
    if (setKey !== undefined) return find('key = $1', [setKey]);
    if (asinKey !== undefined)
      return find(`asin_key = $1 ORDER BY item_id LIMIT ${sharedMax}`, [asinKey]);
    if (barcodeKey === undefined) return [];
    return find(`upc_key = $1 OR ean_key = $1 ORDER BY item_id LIMIT ${sharedMax}`, [barcodeKey]);
  };
  const keys = async (where: string, wanted: readonly string[] | null) =>
    wanted && new Set((await find(where, [wanted])).map((row) => row.setKey));
  return {
    findRetail: async (named) => theOneNamed(await candidates(named), named),
    findRetailMonths: async (setKey) => {
      const [row] = await reader.query<{ months: string | null }>(
        'SELECT months FROM published.retail WHERE key = $1',
        [setKey],
      );
      return row?.months ? JSON.parse(row.months) : null;
    },
    findRetailKeys: async ({ asinKeys, barcodeKeys }) => {
      const [byAsins, byBarcodes] = await Promise.all([
        keys('asin_key = ANY($1::text[])', asinKeys),
        keys('upc_key = ANY($1::text[]) OR ean_key = ANY($1::text[])', barcodeKeys),
      ]);
      return inBoth(byAsins, byBarcodes);
    },
    listRetail: (setKeys, changedSince) =>
      find('key = ANY($1::text[]) AND ($2::bigint IS NULL OR changed_at >= $2)', [
        setKeys,
        changedSince,
      ]),
  };
}
