/** `share list`: what accounts share. */

import { dayText } from '../kernel/format.ts';
import { formatDay, formatInstant, formatInstantOrNull } from '../kernel/time.ts';
import type { ListedShare } from '../portfolio/sharing/share.ts';
import { findAccount } from './accounts.ts';
import { command } from './command.ts';
import { countFlag } from './row.ts';
import { tableOf } from './table.ts';

export const shareListCommand = command({
  name: 'share list',
  summary: 'List shared collections and boxes, newest first, without names and links',
  flags: {
    account: { help: 'Only those of this account', value: 'EMAIL' },
    limit: countFlag('Number of shares', 10_000, 50),
  },
  needs: 'store to read',
  run: async ({ account: email, limit }, context) => {
    const { store, config, result } = context;
    const accountId = email === null ? null : (await findAccount(context, email)).id;
    const shares = await store.accounts.listAllShares({ accountId, limit, at: config.clock() });
    result({ shares: shares.map(shareRecord) }, shareTable(shares));
  },
});

function shareRecord(share: ListedShare) {
  return {
    share_id: share.id,
    owner: share.ownerEmail,
    shows: share.shows,
    reader: share.reader,
    with_costs: share.withCosts,
    created_at: formatInstant(share.createdAt),
    last_used_at: formatInstantOrNull(share.lastUsedAt),
    expires_at: formatInstantOrNull(share.expiresAt),
  };
}

function shareTable(shares: readonly ListedShare[]): string {
  if (shares.length === 0) return 'No shares.';
  const day = (at: number | null) => (at === null ? 'never' : dayText(formatDay(at)));
  return tableOf(shares, {
    ID: ({ id }) => id,
    OWNER: ({ ownerEmail }) => ownerEmail,
    SHOWS: ({ shows }) => shows,
    READER: ({ reader }) => reader,
    COSTS: ({ withCosts }) => (withCosts ? 'yes' : 'no'),
    CREATED: ({ createdAt }) => day(createdAt),
    'LAST USED': ({ lastUsedAt }) => day(lastUsedAt),
    ENDS: ({ expiresAt }) => day(expiresAt),
  });
}
