/** Published retail rows, found by any identifier. */
import type {
  MarketReading,
  RetailIdentifiers,
  RetailRecord,
} from '../../domain/market/market-reading.ts';
import type { RetailChange } from '../../domain/market/price-steps.ts';
import { type Engine, first, query, type Value } from '../sql/operation.ts';

/** Sets that share an identifier are looked at up to this many; more name none of them. */
export const sharedMax = 100;

const retailSql = `SELECT key AS "setKey", asin_key AS "asinKey", upc_key AS "upcKey",
    ean_key AS "eanKey", changed_at::float8 AS "changedAt", body
  FROM published.retail WHERE`;

/** The condition on the retailer is what makes the index of these events fit. */
const changesSql = `SELECT at::float8 AS at, retailer, before, after FROM published.event
  WHERE key = $1::text AND retailer IS NOT NULL AND kind IN ('retail.price', 'retail.stock')
  ORDER BY position DESC LIMIT $2::bigint`;

type ChangeRow = Omit<RetailChange, 'before' | 'after'> & {
  readonly before: string;
  readonly after: string;
};

const oneOfShared = `ORDER BY item_id LIMIT ${sharedMax}`;

/** Finds retail rows. */
export function retailReading(
  engine: Pick<Engine, 'run'>,
): Pick<
  MarketReading,
  | 'findRetail'
  | 'findRetailMonths'
  | 'listRetailChanges'
  | 'findRetailKeys'
  | 'listRetail'
  | 'listLatestRetail'
> {
  const find = (where: string, values: readonly Value[]) =>
    engine.run(() => query<RetailRecord>(`${retailSql} ${where}`, values));
  const candidates = async ({ setKey, asinKey, barcodeKey }: RetailIdentifiers) => {
    if (setKey !== undefined) return find('key = $1::text', [setKey]);
    if (asinKey !== undefined) return find(`asin_key = $1::text ${oneOfShared}`, [asinKey]);
    if (barcodeKey === undefined) return [];
    return find(`(upc_key = $1::text OR ean_key = $1::text) ${oneOfShared}`, [barcodeKey]);
  };
  const keys = async (where: string, identifiers: readonly string[] | null) =>
    identifiers && new Set((await find(where, [identifiers])).map((row) => row.setKey));
  return {
    findRetail: async (identifiers) => theOneNamed(await candidates(identifiers), identifiers),
    findRetailMonths: async (setKey) => {
      const sql = 'SELECT months FROM published.retail WHERE key = $1::text';
      const row = await engine.run(() => first<{ months: string }>(sql, [setKey]));
      return row && JSON.parse(row.months);
    },
    listRetailChanges: async (setKey, limit) => {
      const rows = await engine.run(() => query<ChangeRow>(changesSql, [setKey, limit]));
      return rows.reverse().map(({ before, after, ...change }) => ({
        ...change,
        before: JSON.parse(before),
        after: JSON.parse(after),
      }));
    },
    findRetailKeys: async ({ asinKeys, barcodeKeys }) => {
      const [byAsins, byBarcodes] = await Promise.all([
        keys('asin_key = ANY($1::text[])', asinKeys),
        keys('(upc_key = ANY($1::text[]) OR ean_key = ANY($1::text[]))', barcodeKeys),
      ]);
      if (byAsins && byBarcodes) return [...byAsins.intersection(byBarcodes)];
      return [...(byAsins ?? byBarcodes ?? [])];
    },
    listRetail: (setKeys, changedSince) =>
      find('key = ANY($1::text[]) AND ($2::bigint IS NULL OR changed_at >= $2::bigint)', [
        setKeys,
        changedSince,
      ]),
    listLatestRetail: (setKeys, { since, limit }) =>
      find(
        `key = ANY($1::text[]) AND changed_at >= $2::bigint
         ORDER BY changed_at DESC, key LIMIT $3::bigint`,
        [setKeys, since, limit],
      ),
  };
}

/** The one row that has all the identifiers; null for none, and for several. */
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
