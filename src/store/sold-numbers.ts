/**
 * Lets a minifig be sold under any of its numbers: a lot keeps the number it was entered under, and
 * a sale may have another. Added where sales enter the store, so that callers need not.
 */
import { itemKey } from '../catalog/items/numbers.ts';
import type { AccountRow, AccountRowOf, ChangeAccount } from '../portfolio/lots/private-rows.ts';
import type { MarketReading } from '../publish/reading.store.ts';
import type { AccountStore } from './store.ts';

type Market = Pick<MarketReading, 'findSameKeys'>;

/** A store whose sales take units of lots under all numbers of a minifig. */
export function withAllNumbers<Accounts extends Pick<AccountStore, 'change' | 'rehearse'>>(
  accounts: Accounts,
  market: Market,
): Accounts {
  const numbered =
    (change: ChangeAccount): ChangeAccount =>
    async (accountId, { rows, ...how }, at) =>
      change(accountId, { ...how, rows: await addKeys(market, rows) }, at);
  return {
    ...accounts,
    change: numbered(accounts.change),
    rehearse: async (accountId: number) => {
      const rehearsal = await accounts.rehearse(accountId);
      return { ...rehearsal, change: numbered(rehearsal.change) };
    },
  };
}

async function addKeys(
  market: Market,
  rows: readonly AccountRow[],
): Promise<readonly AccountRow[]> {
  const keys = new Set(rows.filter(takesMinifigs).map(keyOf));
  if (keys.size === 0) return rows;
  const same = await market.findSameKeys([...keys]);
  return rows.map((row) => {
    return takesMinifigs(row) ? { ...row, otherKeys: same.get(keyOf(row)) ?? [] } : row;
  });
}

type SaleRow = AccountRowOf<'ledger_sale'>;

function takesMinifigs(row: AccountRow): row is SaleRow {
  return row.kind === 'ledger_sale' && row.facts.kind === 'minifig' && row.facts.costCents === null;
}

function keyOf({ facts }: SaleRow): string {
  return itemKey(facts.kind, facts.number);
}
