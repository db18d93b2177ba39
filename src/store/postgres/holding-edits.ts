/** What owners do to their collections, lots and sales, on PostgreSQL. */
import type {
  HoldingEdits,
  LotCount,
  LotsFate,
  SaleSum,
} from '../../domain/portfolio/holding-edits.ts';
import { type OwnSaleRow, toOwnSale } from '../holding-rows.ts';
import { sliceRows } from './account-removal.ts';
import type { Client, Connection } from './client.ts';
import { findOwnLot } from './lot-ties.ts';

type Edits = Omit<HoldingEdits, 'applyTogether' | 'rehearse'>;

/** The owner's part of the private half. */
export function postgresHoldingEdits(client: Client): Edits {
  return { ...reading(client), ...brickfolioEdits(client), ...lotAndSaleEdits(client) };
}

/** The account stays locked, so that nobody else changes what is its own meanwhile. */
function changing<T>(
  client: Client,
  accountId: number,
  work: (tx: Connection) => Promise<T>,
): Promise<T> {
  return client.transaction(async (tx) => {
    const lock = 'SELECT 1 FROM private.account WHERE id = $1::bigint FOR NO KEY UPDATE';
    await tx.query(lock, [accountId]);
    return work(tx);
  });
}

type Reading = 'findLot' | 'findSale' | 'listSaleSums' | 'countLots';

function reading(client: Client): Pick<Edits, Reading> {
  return {
    findLot: (accountId, lotId) => findOwnLot(client, accountId, lotId),
    findSale: async (accountId, saleId) => {
      const [row] = await client.query<OwnSaleRow>(
        `SELECT id, given, cost_cents AS "costCents" FROM private.ledger_sale
         WHERE account_id = $1::bigint AND id = $2::bigint`,
        [accountId, saleId],
      );
      return row ? toOwnSale(row) : null;
    },
    listSaleSums: (accountId) => client.query<SaleSum>(selectSums, [accountId]),
    countLots: async (accountId, brickfolioId) => {
      const [row] = await client.query<LotCount>(
        `SELECT (SELECT count(*) FROM private.lot WHERE brickfolio_id = b.id) AS lots,
           (SELECT count(*) FROM private.lot WHERE brickfolio_id = b.id AND sold > 0)
             AS "withSales"
         FROM private.brickfolio b WHERE b.account_id = $1::bigint AND b.id = $2::bigint`,
        [accountId, brickfolioId],
      );
      return row ?? null;
    },
  };
}

const selectSums = `
  SELECT substr(sale_date, 1, 7) AS month, platform, count(*) AS sales, sum(quantity) AS units,
    sum(gross_cents) AS "grossCents", sum(platform_fees_cents) AS "platformFeesCents",
    sum(payment_fees_cents) AS "paymentFeesCents", sum(shipping_cents) AS "shippingCents",
    sum(cost_cents) AS "costCents"
  FROM private.ledger_sale WHERE account_id = $1::bigint GROUP BY 1, 2 ORDER BY 1 DESC, 2`;

type Brickfolios = 'changeBrickfolio' | 'setDefault' | 'removeBrickfolio';

function brickfolioEdits(client: Client): Pick<Edits, Brickfolios> {
  return {
    changeBrickfolio: (accountId, id, { name, description }) =>
      changing(client, accountId, async (tx) => {
        if (!(await isOwn(tx, accountId, id))) return 'missing';
        const others = await tx.query(
          `SELECT 1 FROM private.brickfolio
           WHERE account_id = $1::bigint AND name = $2::text AND id <> $3::bigint`,
          [accountId, name, id],
        );
        if (others.length > 0) return 'taken';
        await tx.run(
          `UPDATE private.brickfolio SET name = $1::text, description = $2::text
           WHERE id = $3::bigint`,
          [name, description, id],
        );
        await raiseVersion(tx, accountId);
        return 'done';
      }),
    setDefault: (accountId, id) =>
      changing(client, accountId, async (tx) => {
        if (!(await isOwn(tx, accountId, id))) return false;
        await makeDefault(tx, accountId, id);
        await raiseVersion(tx, accountId);
        return true;
      }),
    removeBrickfolio: async (accountId, id, fate) => {
      const options = { accountId, id, fate };
      // A statement may take only so long, so many lots take several.
      for (;;) {
        const outcome = await changing(client, accountId, (tx) => removeSome(tx, options));
        if (outcome !== 'more') return outcome;
      }
    },
  };
}

interface Removal {
  readonly accountId: number;
  readonly id: number;
  readonly fate: LotsFate;
}

async function removeSome(
  tx: Connection,
  options: Removal,
): Promise<'done' | 'missing' | 'lots left' | 'more'> {
  const refusal = await refuseRemoval(tx, options);
  if (refusal) return refusal;
  return (await clearLots(tx, options)) === sliceRows ? 'more' : removeEmptied(tx, options);
}

async function refuseRemoval(
  tx: Connection,
  { accountId, id, fate: { lots, to } }: Removal,
): Promise<'missing' | 'lots left' | null> {
  if (!(await isOwn(tx, accountId, id))) return 'missing';
  if (to !== null && (to === id || !(await isOwn(tx, accountId, to)))) return 'missing';
  if (to !== null) return null;
  const among = lots === 'move' ? '' : 'AND sold > 0';
  const staying = `SELECT 1 FROM private.lot WHERE brickfolio_id = $1::bigint ${among} LIMIT 1`;
  return (await tx.query(staying, [id])).length > 0 ? 'lots left' : null;
}

/** Moves or removes some of the lots; how many. */
async function clearLots(tx: Connection, { accountId, id, fate }: Removal): Promise<number> {
  const { lots, to } = fate;
  const some = (among: string, limit: number) =>
    `id IN (SELECT id FROM private.lot WHERE brickfolio_id = $1::bigint ${among} LIMIT ${limit})`;
  const remove = `DELETE FROM private.lot WHERE ${some('AND sold = 0', sliceRows)}`;
  const removed = lots === 'move' ? 0 : await tx.run(remove, [id]);
  const left = to === null ? 0 : sliceRows - removed;
  const move = `UPDATE private.lot SET brickfolio_id = $2::bigint WHERE ${some('', left)}`;
  const moved = left === 0 ? 0 : await tx.run(move, [id, to]);
  if (removed + moved > 0) await raiseVersion(tx, accountId);
  return removed + moved;
}

async function removeEmptied(tx: Connection, { accountId, id, fate }: Removal): Promise<'done'> {
  const { to } = fate;
  const [old] = await tx.query<{ isDefault: boolean }>(
    'DELETE FROM private.brickfolio WHERE id = $1::bigint RETURNING is_default AS "isDefault"',
    [id],
  );
  if (old?.isDefault) await makeDefault(tx, accountId, to ?? (await oldest(tx, accountId)));
  await raiseVersion(tx, accountId);
  return 'done';
}

function lotAndSaleEdits(client: Client): Pick<Edits, 'removeLot' | 'removeSale'> {
  return {
    removeLot: (accountId, lotId) =>
      changing(client, accountId, async (tx) => {
        const [lot] = await tx.query<{ sold: number }>(
          'SELECT sold FROM private.lot WHERE account_id = $1::bigint AND id = $2::bigint',
          [accountId, lotId],
        );
        if (!lot) return 'missing';
        if (lot.sold > 0) return 'sold';
        await tx.run('DELETE FROM private.lot WHERE id = $1::bigint', [lotId]);
        await raiseVersion(tx, accountId);
        return 'done';
      }),
    removeSale: (accountId, saleId) =>
      changing(client, accountId, async (tx) => {
        const own = await tx.query(
          'SELECT 1 FROM private.ledger_sale WHERE account_id = $1::bigint AND id = $2::bigint',
          [accountId, saleId],
        );
        if (own.length === 0) return false;
        await tx.run(
          `UPDATE private.lot SET sold = sold - take.quantity FROM private.ledger_take take
           WHERE take.sale_id = $1::bigint AND take.lot_id = lot.id`,
          [saleId],
        );
        await tx.run('DELETE FROM private.ledger_sale WHERE id = $1::bigint', [saleId]);
        await raiseVersion(tx, accountId);
        return true;
      }),
  };
}

async function isOwn(tx: Connection, accountId: number, id: number): Promise<boolean> {
  const own = await tx.query(
    'SELECT 1 FROM private.brickfolio WHERE account_id = $1::bigint AND id = $2::bigint',
    [accountId, id],
  );
  return own.length > 0;
}

async function oldest(tx: Connection, accountId: number): Promise<number | null> {
  const [row] = await tx.query<{ id: number | null }>(
    'SELECT min(id) AS id FROM private.brickfolio WHERE account_id = $1::bigint',
    [accountId],
  );
  return row?.id ?? null;
}

async function makeDefault(tx: Connection, accountId: number, id: number | null): Promise<void> {
  await tx.run(
    `UPDATE private.brickfolio SET is_default = (id IS NOT DISTINCT FROM $2::bigint)
     WHERE account_id = $1::bigint`,
    [accountId, id],
  );
}

async function raiseVersion(tx: Connection, accountId: number): Promise<void> {
  await tx.run(
    `UPDATE private.account
     SET private_version = greatest(private_version + 1, published.instant(NULL, 0))
     WHERE id = $1::bigint`,
    [accountId],
  );
}
