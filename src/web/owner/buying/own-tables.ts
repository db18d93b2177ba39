/** The tables that sums of an account are made with: published fees, and its own rates. */
import { tablesOf } from '../../../domain/buying/buying-settings.ts';
import type { FeeTables } from '../../../domain/buying/channels.ts';
import type { WebDeps } from '../../deps.ts';
import type { OwnRequest } from '../../page.ts';

/** Published fees, with the rates of the account in their place where it has some. */
export async function findOwnTables(
  deps: Pick<WebDeps, 'accounts' | 'tables'>,
  { who }: Pick<OwnRequest, 'who'>,
): Promise<FeeTables> {
  return tablesOf(deps.tables, await deps.accounts.findBuyingSettings(who.accountId));
}
