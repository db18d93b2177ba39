/** What every store guarantees about how much an account may hold. */
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOf, engines } from '../../test/support/engines.ts';
import { brickfoliosMax, lotsMax } from '../contract/limits.ts';
import type { PrivateRow } from '../domain/account-store.ts';
import type { Store } from '../domain/store.ts';
import { openClient } from './postgres/client.ts';

const now = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';

const brickfolio = (name: string, description: string | null = null): PrivateRow => ({
  ...{ email, kind: 'brickfolio', facts: { name, description, isDefault: false } },
});

const lot = (sourceId: string, quantity = 1): PrivateRow => ({
  ...{ email, kind: 'holding' },
  facts: {
    ...{ sourceId, brickfolio: 'Shelf', setNumber: '1', quantity, condition: 'sealed' },
    ...{ priceCents: 10_00, purchaseDate: '2026-03-04', status: 'owned', isEstimated: false },
  },
});

/** So many lots of an account, written past the rules, which would take long. */
async function writeLots(folder: string, accountId: number, count: number): Promise<void> {
  const insert = (lots: string, numbers: string) => `
    INSERT INTO ${lots} (account_id, source_id, brickfolio_id, set_key, set_number, quantity,
      condition, price_cents, purchase_date, status)
    SELECT ${accountId}, 'n' || n, 1, '1', '1', 1, 'sealed', 1, '2026-03-04', 'owned'
    FROM ${numbers}`;
  const url = await databaseOf(folder);
  if (url !== null) {
    const client = openClient(url, { max: 1, statementMs: 0, name: 'lots' });
    await client.transaction(async (tx) => {
      // Without looking up the collection for each of them.
      await tx.run('SET LOCAL session_replication_role = replica', []);
      await tx.run(insert('private.lot', `generate_series(1, ${count}) AS n`), []);
    });
    return client.close();
  }
  const db = new Database(join(folder, 'accounts.db'));
  const upTo = `SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}`;
  db.run(`WITH RECURSIVE numbers AS (${upTo}) ${insert('lot', 'numbers')}`);
  db.close();
}

describe.each(engines)('$engine', ({ open }) => {
  let folder: string;
  let store: Store;
  let ann: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-most-'));
    store = await open(folder);
    const facts = { plan: 'free', isOperator: false, passwordHash: null, at: now } as const;
    ann = (await store.accounts.addAccount({ email, ...facts }))?.id ?? 0;
    await store.accounts.applyRows([brickfolio('Shelf')], now);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const apply = async (...rows: PrivateRow[]) =>
    (await store.accounts.applyRows(rows, now)).map((outcome) =>
      outcome.kind === 'rejected' ? outcome.reason : outcome.kind,
    );

  test('there are so many collections and no more; those there are can be changed', async () => {
    const rows = Array.from({ length: brickfoliosMax }, (_, n) => brickfolio(`Box ${n}`));
    const outcomes = await apply(...rows);
    const refusal = `there are ${brickfoliosMax} collections already, which is the most`;
    expect(outcomes).toEqual([...Array(brickfoliosMax - 1).fill('added'), refusal]);
    expect(await apply(brickfolio('Another'))).toEqual([refusal]);
    expect(await apply(brickfolio('Box 1', 'small'))).toEqual(['updated']);
    expect((await store.accounts.findHoldings(ann)).brickfolios).toHaveLength(brickfoliosMax);
  });

  test('there are so many lots and no more; those there are can be changed', async () => {
    await writeLots(folder, ann, lotsMax - 1);
    const refusal = `there are ${lotsMax} lots already, which is the most`;
    expect(await apply(lot('a'), lot('b'))).toEqual(['added', refusal]);
    expect(await apply(lot('c'))).toEqual([refusal]);
    expect(await apply(lot('a', 3), lot('n1', 2))).toEqual(['updated', 'updated']);
  });
});
