/** Finds the fees that apply to an account. */
import { tablesOf } from '../../../buying/prices/buying-settings.ts';
import type { FeeTables } from '../../../buying/prices/selling-channels.ts';
import type { OwnRequest, WebDeps } from '../../page.ts';

/** Published fees, replaced by the account's own rates if it has any. */
export async function findOwnTables(
  deps: Pick<WebDeps, 'accounts' | 'site'>,
  { who }: Pick<OwnRequest, 'who'>,
): Promise<FeeTables> {
  return tablesOf(deps.site.tables, await deps.accounts.findBuyingSettings(who.accountId));
}
