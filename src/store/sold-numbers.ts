/**
 * Lets a minifig be sold under any of its numbers: a lot keeps the number it was entered under, and
 * a sale may have another. Added where sales enter the store, so that callers need not.
 */
import { itemKey } from '../domain/catalog/numbers.ts';
import type { ApplyRows, PrivateRow, PrivateRowOf } from '../domain/portfolio/private-rows.ts';
import type { AccountStore, MarketReading } from './store.ts';

type Market = Pick<MarketReading, 'findSameKeys'>;

/** A store whose sales take units of lots under all numbers of a minifig. */
export function withAllNumbers<
  Accounts extends Pick<AccountStore, 'applyRows' | 'applyTogether' | 'rehearse'>,
>(accounts: Accounts, market: Market): Accounts {
  const numbered =
    (apply: ApplyRows): ApplyRows =>
    async (rows, at) =>
      apply(await addKeys(market, rows), at);
  return {
    ...accounts,
    applyRows: numbered(accounts.applyRows),
    applyTogether: numbered(accounts.applyTogether),
    rehearse: async (accountId: number) => {
      const rehearsal = await accounts.rehearse(accountId);
      return { ...rehearsal, applyRows: numbered(rehearsal.applyRows) };
    },
  };
}

async function addKeys(
  market: Market,
  rows: readonly PrivateRow[],
): Promise<readonly PrivateRow[]> {
  const asked = new Set(rows.filter(takesMinifigs).map(keyOf));
  if (asked.size === 0) return rows;
  const same = await market.findSameKeys([...asked]);
  return rows.map((row) => {
    return takesMinifigs(row) ? { ...row, otherKeys: same.get(keyOf(row)) ?? [] } : row;
  });
}

type SaleRow = PrivateRowOf<'ledger_sale'>;

function takesMinifigs(row: PrivateRow): row is SaleRow {
  return row.kind === 'ledger_sale' && row.facts.kind === 'minifig' && row.facts.costCents === null;
}

function keyOf({ facts }: SaleRow): string {
  return itemKey(facts.kind, facts.number);
}
