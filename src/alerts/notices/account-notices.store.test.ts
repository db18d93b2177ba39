/** Guarantees of every store about notices: once per name, in order, for their account only. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { hashOf, sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import type { KeyHash } from '../../accounts/keys/keys.ts';
import {
  accountNoticesKeptDays,
  type NewAccountNotice,
} from '../../accounts/notices/account-notice.ts';
import { dayMs } from '../../kernel/time.ts';
import { positionBefore } from '../../market/events/events.ts';

const shared = shareStore();
const accounts = () => shared.store.accounts;

function noticeOf(accountId: number | null, name: string): NewAccountNotice {
  return { accountId, kind: 'quota.reached', name: `${accountId} ${name}`, details: { used: 9 } };
}

const page = { after: 0, limit: 100 };

test('a notice is recorded once, also by two processes, for its account or for all', async () => {
  const [owner, other] = [await shared.addOwner(), await shared.addOwner()];
  const mine = noticeOf(owner.id, 'a');
  const everyone = noticeOf(null, 'b');
  const both = [mine, everyone];
  await Promise.all([1, 2, 3].map(() => accounts().addAccountNotices(both, now)));
  const found = await accounts().listAccountNotices(owner.id, page);
  expect(found).toMatchObject([
    { at: now, kind: 'quota.reached', details: { used: 9 } },
    { at: now },
  ]);
  expect(await accounts().listNewNotices([mine, noticeOf(owner.id, 'c')])).toEqual([
    noticeOf(owner.id, 'c'),
  ]);
  expect(await accounts().listAccountNotices(other.id, page)).toEqual([found[1] as never]);
  const rest = await accounts().listAccountNotices(owner.id, {
    after: found[0]?.position ?? 0,
    limit: 100,
  });
  expect(rest).toEqual([found[1] as never]);
});

test('positions increase, also after the clock was set back, and are at least the time', async () => {
  const owner = await shared.addOwner();
  const at = now + dayMs;
  await accounts().addAccountNotices([noticeOf(owner.id, 'a'), noticeOf(owner.id, 'b')], at);
  await accounts().addAccountNotices([noticeOf(owner.id, 'c')], at - 1_000);
  const own = await accounts().listAccountNotices(owner.id, {
    after: positionBefore(at),
    limit: 9,
  });
  const start = own[0]?.position ?? 0;
  expect(own.map(({ position }) => position - start)).toEqual([0, 1, 2]);
  expect(start).toBeGreaterThan(positionBefore(at));
  expect(await accounts().findLatestNotice()).toBe(start + 2);
});

test('a webhook is behind until its position is moved, and only from where it was', async () => {
  const email = 'reader@example.com';
  const owner = await shared.addOwner(email);
  const at = now + 2 * dayMs;
  const made = await accounts().addDeliveryChannel(owner.id, {
    kind: 'webhook',
    name: 'Shop',
    address: null,
    secret: null,
    subscription: null,
    position: null,
    notices: ['quota.reached'],
    at,
  });
  const channelId = typeof made === 'object' ? made.id : 0;
  const readers = async () =>
    (await accounts().listNoticeReaders()).filter((each) => each.channelId === channelId);
  expect(await readers()).toEqual([]);
  await accounts().addAccountNotices([noticeOf(owner.id, 'a')], at);
  await accounts().setPlan(email, 'free');
  expect(await readers()).toEqual([]);
  await accounts().setPlan(email, 'reseller');
  const [reader] = await readers();
  expect(reader).toMatchObject({ accountId: owner.id, kinds: ['quota.reached'] });
  if (!reader) return;
  const [notice] = await accounts().listAccountNotices(owner.id, {
    after: reader.position,
    limit: 1,
  });
  const to = notice?.position ?? 0;
  const delivery = { channelId, messageId: 'ntc', type: 'x', orderKey: null, body: '{}', at };
  const deliveries = [delivery];
  await Promise.all([1, 2].map(() => accounts().advanceNotices(reader, { to, deliveries })));
  expect(await readers()).toEqual([]);
  const queued = await accounts().listDeliveries(owner.id, channelId, { before: null, limit: 9 });
  expect(queued).toHaveLength(1);
});

test('the date of a rolled key was chosen when it was rolled', async () => {
  const { id: accountId, email } = await shared.addOwner();
  const facts = { name: 'Key', prefix: 'bmk_0001', allowance: 1, expiresAt: null };
  const old = { ...facts, email, hash: hashOf(7_001) as KeyHash, at: now - 100 * dayMs };
  const made = await accounts().addKey(old);
  const keyId = typeof made === 'object' ? made.id : 0;
  const [expiresAt, hash] = [now + 10 * dayMs, hashOf(7_002) as KeyHash];
  const rolled = { keyId, seen: 'bmk_0001', hash, prefix: 'bmk_0002', expiresAt, at: now };
  await accounts().rollKey(accountId, rolled);
  expect(await accounts().listExpiringKeys(now, accountId)).toEqual([
    { id: keyId, accountId, prefix: 'bmk_0002', expiresAt, chosenAt: now },
  ]);
});

test('notices are removed after 90 days', async () => {
  const owner = await shared.addOwner();
  const at = now + 10 * dayMs;
  await accounts().addAccountNotices([noticeOf(owner.id, 'a')], at);
  const own = () =>
    accounts().listAccountNotices(owner.id, { after: positionBefore(at), limit: 9 });
  await accounts().sweep(at + accountNoticesKeptDays * dayMs - 1, 1_000);
  expect(await own()).toHaveLength(1);
  await accounts().sweep(at + accountNoticesKeptDays * dayMs, 1_000);
  expect(await own()).toEqual([]);
});
