/** Queues notices about accounts for the webhooks that get them. */

import type { AccountNotice } from '../../accounts/notices/account-notice.ts';
import { presentNotice } from '../../contract/plus/notices.ts';
import { type Clock, secondMs } from '../../kernel/time.ts';
import type { AlertRoomStore } from '../alerts.store.ts';
import { webhookBody } from '../channels/kinds/webhook.ts';
import type { NewDelivery } from './delivery.ts';
import type { Step } from './loop.ts';

/** How long all webhooks are left alone without a new notice. */
const lookMs = 30 * secondMs;

/** Notices of a webhook per transaction. */
const noticesAtOnce = 100;

export interface NoticeMessageDeps {
  readonly queue: Pick<
    AlertRoomStore,
    'findLatestNotice' | 'listNoticeReaders' | 'listAccountNotices' | 'advanceNotices'
  >;
  readonly clock: Clock;
  onQueued(): void;
}

/** A step of the delivery process. Looks at all webhooks only after a notice, and now and then. */
export function noticeMessages(deps: NoticeMessageDeps): Step {
  let seen: number | null = null;
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const latest = await deps.queue.findLatestNotice();
    const at = deps.clock();
    if (latest === seen && at < nextAt) return false;
    const hasMore = await queueNotices(deps);
    // A webhook that was turned on again may be behind.
    nextAt = hasMore ? at : at + lookMs;
    seen = latest;
    return hasMore;
  };
}

/** Returns whether there is more to queue at once. */
async function queueNotices({ queue, clock, onQueued }: NoticeMessageDeps): Promise<boolean> {
  let hasMore = false;
  for (const reader of await queue.listNoticeReaders()) {
    const { accountId, channelId, kinds, position } = reader;
    const page = { after: position, limit: noticesAtOnce };
    const notices = await queue.listAccountNotices(accountId, page);
    const to = notices.at(-1)?.position ?? position;
    const deliveries = notices
      .filter(({ kind }) => kinds.includes(kind))
      .map((notice) => messageOf(notice, { channelId, at: clock() }));
    await queue.advanceNotices(reader, { to, deliveries });
    if (deliveries.length > 0) onQueued();
    if (notices.length === noticesAtOnce) hasMore = true;
  }
  return hasMore;
}

/** In order: a notice waits until the one before it is accepted. */
function messageOf(
  notice: AccountNotice,
  { channelId, at }: { readonly channelId: number; readonly at: number },
): NewDelivery {
  return {
    channelId,
    messageId: `ntc_${channelId}_${notice.position}`,
    type: notice.kind,
    orderKey: 'notices',
    body: JSON.stringify(webhookBody(notice.kind, notice.at, presentNotice(notice))),
    at,
  };
}
