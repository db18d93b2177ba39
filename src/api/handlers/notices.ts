/** Notices about the account of the caller. */
import { recordNotices } from '../../alerts/notices/account-notices.work.ts';
import { type NoticePage, presentNotice } from '../../contract/plus/notices.ts';
import { dataOf } from '../answer-data.ts';
import type { Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function noticeHandlers({ accounts, market: { store }, bulk }: HandlerDeps) {
  const source = { accounts, market: store, hasBulk: bulk !== null };
  return {
    listNotices: ({ query: { after, limit } }) => ({
      read: async ({ accountId }, { at }) => {
        // The delivery process records them too, but runs only if there is something to send.
        await recordNotices(source, { accountId, at });
        const page = { after, limit: limit + 1 };
        const found = await accounts.listAccountNotices(accountId, page);
        const notices = found.slice(0, limit);
        const answer: NoticePage = {
          notices: notices.map(presentNotice),
          next: notices.at(-1)?.position ?? after,
          has_more: found.length > limit,
        };
        return dataOf(answer);
      },
    }),
  } satisfies Partial<Handlers>;
}
