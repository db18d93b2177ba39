/** Records notices about accounts: much of an allowance is used, a key expires, files are ready. */

import type { AccountRoomStore } from '../../accounts/accounts.store.ts';
import {
  bulkNoticeMsMax,
  expiryNotices,
  type NewAccountNotice,
  quotaNotices,
} from '../../accounts/notices/account-notice.ts';
import { type Clock, secondMs } from '../../kernel/time.ts';
import { bulkPositionAfter, formatBulkPosition } from '../../market/published/bulk.ts';
import type { BulkReading } from '../../publish/bulk/bulk.store.ts';
import type { AlertRoomStore } from '../alerts.store.ts';

/** How often the delivery process looks. */
const lookMs = 30 * secondMs;

export interface NoticeDeps {
  readonly accounts: Pick<
    AccountRoomStore & AlertRoomStore,
    'listQuotas' | 'listExpiringKeys' | 'listNewNotices' | 'addAccountNotices'
  >;
  readonly market: Pick<BulkReading, 'listBulkFiles'>;
  /** Whether the operator offers bulk files. */
  readonly hasBulk: boolean;
}

/** A step of the delivery process. Returns whether there is more to do at once. */
export function noticeStep(deps: NoticeDeps & { readonly clock: Clock }): () => Promise<boolean> {
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = deps.clock();
    if (at < nextAt) return false;
    nextAt = at + lookMs;
    await recordNotices(deps, { accountId: null, at });
    return false;
  };
}

/** Records what is new about an account, or about all. Writes only if something is. */
export async function recordNotices(
  { accounts, market, hasBulk }: NoticeDeps,
  { accountId, at }: { readonly accountId: number | null; readonly at: number },
): Promise<void> {
  const [quotas, keys] = [
    await accounts.listQuotas(at, accountId),
    await accounts.listExpiringKeys(at, accountId),
  ];
  const found = [
    ...quotas.flatMap((quota) => quotaNotices(quota, at)),
    ...keys.flatMap((key) => expiryNotices(key, at)),
    ...(hasBulk ? await bulkNotices(market, at) : []),
  ];
  const added = await accounts.listNewNotices(found);
  if (added.length > 0) await accounts.addAccountNotices(added, at);
}

/** One for the latest files. */
async function bulkNotices(market: NoticeDeps['market'], at: number): Promise<NewAccountNotice[]> {
  const [latest] = await market.listBulkFiles();
  if (!latest || latest.createdAt < at - bulkNoticeMsMax) return [];
  const bulkPosition = formatBulkPosition(bulkPositionAfter(latest.stamp));
  const name = `bulk ${bulkPosition}`;
  return [{ accountId: null, kind: 'bulk.ready', name, details: { bulkPosition } }];
}
