/** Notices that are queued for webhooks: which, how many at a time, and who is told. */
import { expect, test } from 'bun:test';
import type { AccountNotice, AccountNoticeKind } from '../../accounts/notices/account-notice.ts';
import type { NewDelivery } from './delivery.ts';
import { noticeMessages } from './notice-messages.work.ts';

const kind: AccountNoticeKind = 'bulk.ready';

const notice = (position: number, other: Partial<AccountNotice> = {}): AccountNotice => ({
  position,
  at: 1,
  kind,
  details: { bulkPosition: '1-2' },
  ...other,
});

/** A step with these notices, what it has queued, and how often it told that. */
function stepOf(notices: readonly AccountNotice[]) {
  const done = { queued: [] as NewDelivery[], told: 0, to: 0 };
  const step = noticeMessages({
    queue: {
      findLatestNotice: async () => notices.at(-1)?.position ?? 0,
      listNoticeReaders: async () => [
        { accountId: 1, channelId: 7, kinds: [kind], position: done.to },
      ],
      listAccountNotices: async (_, { after, limit }) =>
        notices.filter(({ position }) => position > after).slice(0, limit),
      advanceNotices: async (_, { to, deliveries }) => {
        done.to = to;
        done.queued.push(...deliveries);
      },
    },
    clock: () => 5,
    onQueued: () => done.told++,
  });
  return { step, done };
}

test('a single notice is queued, and those that send it are told', async () => {
  const { step, done } = stepOf([notice(3)]);
  expect(await step()).toBe(false);
  expect(done).toMatchObject({ told: 1, to: 3, queued: [{ channelId: 7, messageId: 'ntc_7_3' }] });
});

test('nobody is told of a notice that the webhook does not get', async () => {
  const { step, done } = stepOf([notice(3, { kind: 'key.expiring' })]);
  expect(await step()).toBe(false);
  expect(done).toEqual({ told: 0, to: 3, queued: [] });
});

test('a hundred notices are queued at a time, and there may be more after them', async () => {
  const { step, done } = stepOf(Array.from({ length: 101 }, (_, index) => notice(index + 1)));
  expect([await step(), done.queued.length]).toEqual([true, 100]);
  expect([await step(), done.queued.length]).toEqual([false, 101]);
});
