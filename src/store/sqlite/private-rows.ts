/** The private tables of `accounts.db`, as a batch of rows reads and writes them. */
import type { Database } from 'bun:sqlite';
import type { PrivateRow } from '../../domain/account/account-store.ts';
import type { RowOutcome } from '../../domain/market/market-store.ts';
import type { LotUnits } from '../../domain/portfolio/lots.ts';
import { applyPrivateRows, hasRejected } from '../private-rows.ts';
import type { BrickfolioRow, LotRow, LotValues, PrivateTables } from '../private-tables.ts';
import type { CountMemory } from '../row-counts.ts';
import { BatchCounts } from './batch-counts.ts';
import { inTransactionUnless } from './database.ts';
import { sqliteSales } from './ledger-rows.ts';

/**
 * Applies private rows in order, in one transaction. Together: all of them, or none when one is
 * rejected.
 */
export function applySqliteRows(
  db: Database,
  rows: readonly PrivateRow[],
  { at, together, memory }: ApplyOptions,
): RowOutcome[] {
  const counts = new BatchCounts(db, memory);
  const tables = {
    ...sqliteAccountRows(db),
    ...sqliteBrickfolios(db, at),
    ...sqliteLots(db, counts),
    ...sqliteSales(db, counts),
  };
  const isUndone = (outcomes: readonly RowOutcome[]) => together && hasRejected(outcomes);
  const outcomes = inTransactionUnless(db, isUndone, () => {
    const applied = applyPrivateRows(tables, rows);
    counts.readVersions();
    return applied;
  });
  if (!isUndone(outcomes)) counts.keep();
  return outcomes;
}

interface ApplyOptions {
  readonly at: number;
  readonly together: boolean;
  readonly memory: CountMemory;
}

function sqliteAccountRows(db: Database): Pick<PrivateTables, 'findAccount' | 'raiseVersion'> {
  return {
    findAccount: (key) =>
      db.query<{ id: number }, [string]>('SELECT id FROM account WHERE email_key = ?').get(key)
        ?.id ?? null,
    raiseVersion: (key) => {
      db.query('UPDATE account SET private_version = private_version + 1 WHERE email_key = ?').run(
        key,
      );
    },
  };
}

type Brickfolios =
  | 'countBrickfolios'
  | 'findBrickfolio'
  | 'addBrickfolio'
  | 'changeBrickfolio'
  | 'clearDefault';

function sqliteBrickfolios(db: Database, at: number): Pick<PrivateTables, Brickfolios> {
  return {
    countBrickfolios: (accountId) => {
      const sql = 'SELECT count(*) AS count FROM brickfolio WHERE account_id = ?';
      return db.query<{ count: number }, [number]>(sql).get(accountId)?.count ?? 0;
    },
    findBrickfolio: (accountId, name) => {
      const row = db
        .query<Omit<BrickfolioRow, 'isDefault'> & { isDefault: number }, [number, string]>(
          `SELECT id, description, is_default AS isDefault FROM brickfolio
           WHERE account_id = ? AND name = ?`,
        )
        .get(accountId, name);
      return row && { ...row, isDefault: row.isDefault === 1 };
    },
    addBrickfolio: (accountId, { name, description, isDefault }) => {
      db.query(
        `INSERT INTO brickfolio (account_id, name, description, is_default, created_at)
         VALUES (?, ?, ?, ?, ?)`,
      ).run(accountId, name, description, Number(isDefault), at);
    },
    changeBrickfolio: (id, { description, isDefault }) => {
      db.query('UPDATE brickfolio SET description = ?, is_default = ? WHERE id = ?').run(
        description,
        Number(isDefault),
        id,
      );
    },
    clearDefault: (accountId) => {
      db.query('UPDATE brickfolio SET is_default = 0 WHERE account_id = ?').run(accountId);
    },
  };
}

type Lots = 'countLots' | 'findLot' | 'addLot' | 'changeLot' | 'listOpenLots' | 'moveUnits';

function sqliteLots(db: Database, counts: BatchCounts): Pick<PrivateTables, Lots> {
  return {
    countLots: (accountId) => counts.count(accountId, 'lot'),
    findLot: (accountId, sourceId) => {
      const row = db
        .query<Omit<LotRow, 'isEstimated'> & { isEstimated: number }, [number, string]>(
          `SELECT id, brickfolio_id AS brickfolioId, set_key AS setKey, quantity, condition,
             price_cents AS priceCents, purchase_date AS purchaseDate, status,
             is_estimated AS isEstimated, sold
           FROM lot WHERE account_id = ? AND source_id = ?`,
        )
        .get(accountId, sourceId);
      return row && { ...row, isEstimated: row.isEstimated === 1 };
    },
    addLot: (accountId, sourceId, values) => {
      counts.grow(accountId, 'lot');
      db.query(
        `INSERT INTO lot (account_id, source_id, brickfolio_id, set_key, set_number, quantity,
           condition, price_cents, purchase_date, status, is_estimated)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(accountId, sourceId, ...lotParameters(values));
    },
    changeLot: (id, values) => {
      db.query(
        `UPDATE lot SET brickfolio_id = ?, set_key = ?, set_number = ?, quantity = ?,
           condition = ?, price_cents = ?, purchase_date = ?, status = ?, is_estimated = ?
         WHERE id = ?`,
      ).run(...lotParameters(values), id);
    },
    listOpenLots: (accountId, { setKey, condition, lot, limit }) =>
      db
        .query<LotUnits, [number, string, string, string | null, number]>(
          `SELECT id AS lotId, purchase_date AS purchaseDate, price_cents AS priceCents,
             quantity - sold AS unitsLeft
           FROM lot WHERE account_id = ?1 AND set_key = ?2 AND condition = ?3 AND sold < quantity
             AND (?4 IS NULL OR source_id = ?4)
           ORDER BY purchase_date, id LIMIT ?5`,
        )
        .all(accountId, setKey, condition, lot, limit),
    moveUnits: (takes, sign) => {
      const move = db.query('UPDATE lot SET sold = sold + ? WHERE id = ?');
      for (const { lotId, quantity } of takes) move.run(sign * quantity, lotId);
    },
  };
}

function lotParameters(values: LotValues): (string | number)[] {
  return [
    values.brickfolioId,
    values.setKey,
    values.setNumber,
    values.quantity,
    values.condition,
    values.priceCents,
    values.purchaseDate,
    values.status,
    Number(values.isEstimated),
  ];
}
