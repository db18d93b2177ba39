/** Writes as many lots or sales as an account may have, quickly. */
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { openClient } from '../../src/store/postgres/client.ts';
import { databaseOf } from './engines.ts';

const lotColumns = {
  brickfolio_id: '1',
  price_cents: '1',
  is_estimated: 'false',
  purchase_date: "'2026-03-04'",
  date_basis: "'known'",
  status: "'owned'",
};

const saleColumns = {
  platform: "'ebay'",
  sale_date: "'2026-03-04'",
  gross_cents: '1',
  platform_fees_cents: '0',
  payment_fees_cents: '0',
  shipping_cents: '0',
  cost_cents: '1',
  given: "'{}'",
};

/** Inserts rows directly, since adding them through the store would take too long. */
export async function writeRows(
  folder: string,
  table: 'lot' | 'ledger_sale',
  { accountId, count }: { readonly accountId: number; readonly count: number },
): Promise<void> {
  const columns = {
    account_id: String(accountId),
    source_id: "'n' || n",
    kind: "'set'",
    key: "'1'",
    number: "'1'",
    quantity: '1',
    condition: "'sealed'",
    ...(table === 'lot' ? lotColumns : saleColumns),
  };
  const insert = (name: string, numbers: string) => `
    INSERT INTO ${name} (${Object.keys(columns).join()})
    SELECT ${Object.values(columns).join()} FROM ${numbers}`;
  const url = await databaseOf(folder);
  if (url !== null) {
    const client = openClient(url, { max: 1, statementMs: 0, name: 'rows' });
    await client.transaction(async (tx) => {
      // Skips the foreign key checks.
      await tx.run('SET LOCAL session_replication_role = replica', []);
      await tx.run(insert(`private.${table}`, `generate_series(1, ${count}) AS n`), []);
    });
    return client.close();
  }
  const db = new Database(join(folder, 'accounts.db'));
  const upTo = `SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}`;
  db.run(`WITH RECURSIVE numbers AS (${upTo}) ${insert(table, 'numbers')}`);
  db.close();
}
