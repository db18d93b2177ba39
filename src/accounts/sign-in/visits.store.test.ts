/** Guarantees of every store about visits, seen alerts and skipped deals. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { hashOf, sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { numbersTo, onTables } from '../../../test/support/tables.ts';
import { skippedDealsMax } from '../../buying/deals/skipped-deals.ts';
import { hourMs, minuteMs } from '../../kernel/time.ts';
import { absenceMs, type TokenHash } from './session.ts';

const shared = shareStore();
const store = () => shared.store.accounts;

let sessions = 0;

/** A new session of an account; `see` opens a page. */
async function signIn(accountId: number) {
  const tokenHash = hashOf(++sessions) as TokenHash;
  await store().addSession({
    accountId,
    passwordHash: null,
    method: 'passkey',
    tokenHash,
    expiresAt: now + 1_000 * hourMs,
    agent: 'Browser',
    at: now,
  });
  return (at: number) => store().findSignedIn(tokenHash, at);
}

test('the last visit is that of the account, in any browser', async () => {
  const { id } = await shared.addOwner();
  const [phone, desk] = [await signIn(id), await signIn(id)];
  const lastVisit = async (see: typeof phone, at: number) => (await see(at))?.lastVisitAt;
  expect(await lastVisit(phone, now)).toBeNull();
  // Within minutes, nothing is written.
  expect(await lastVisit(phone, now + minuteMs)).toBeNull();
  const morning = now + 20 * hourMs;
  expect(await lastVisit(desk, morning)).toBe(now);
  expect(await lastVisit(phone, morning + minuteMs)).toBe(now);
  expect(await lastVisit(phone, morning + hourMs)).toBe(now);
  expect(await lastVisit(desk, morning + hourMs + absenceMs)).toBe(morning + hourMs);
  expect(await store().findVisit(id)).toEqual({
    seenAt: morning + hourMs + absenceMs,
    beforeAt: morning + hourMs,
  });
});

test('of two pages at the same time, one begins the visit', async () => {
  const { id } = await shared.addOwner();
  const see = await signIn(id);
  await see(now);
  const later = now + absenceMs;
  const both = await Promise.all([see(later), see(later), see(later + 1)]);
  expect(both.map((who) => who?.lastVisitAt)).toEqual([now, now, now]);
});

test('an account never seen has no visit', async () => {
  const { id } = await shared.addOwner();
  expect(await store().findVisit(id)).toBeNull();
});

test('alerts up to the latest that was seen are no longer new, for their account only', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const [see, seeOther] = [await signIn(one.id), await signIn(other.id)];
  for (const { id } of [one, other]) {
    await onTables(
      shared.folder,
      `${numbersTo(3)} INSERT INTO private.notification (account_id, rule_name, at, item_kind,
         item_key, number, title, reason, facts, state, due_at)
       SELECT ${id}, 'Rule', ${now}, 'set', n, n, 'Set', 'It is cheap', '{}', 'sent', ${now}
       FROM numbers`,
    );
  }
  const unseen = async () =>
    Promise.all([see, seeOther].map(async (who) => (await who(now))?.unseenAlerts));
  expect(await unseen()).toEqual([3, 3]);
  const page = { before: null, limit: 9 };
  const ids = (await store().listNotifications(one.id, page)).map(({ id }) => id);
  await store().markAlertsSeen(one.id, ids[1] ?? 0);
  expect(await unseen()).toEqual([1, 3]);
  // A page that was opened before shows fewer.
  await store().markAlertsSeen(one.id, ids[2] ?? 0);
  expect(await unseen()).toEqual([1, 3]);
});

test('skipped deals are of their account, latest first, with the last price', async () => {
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  const skip = (setKey: string, priceCents: number, skippedAt: number) =>
    store().skipDeal(one.id, { setKey, priceCents, skippedAt });
  expect(await skip('1-1', 40_00, 1)).toBe(true);
  await skip('2-1', 50_00, 2);
  await skip('1-1', 35_00, 3);
  expect(await store().listSkippedDeals(one.id)).toEqual([
    { setKey: '1-1', priceCents: 35_00, skippedAt: 3 },
    { setKey: '2-1', priceCents: 50_00, skippedAt: 2 },
  ]);
  expect(await store().listSkippedDeals(other.id)).toEqual([]);
  expect(await store().unskipDeal(other.id, '1-1')).toBe(false);
  expect(await store().unskipDeal(one.id, '1-1')).toBe(true);
  expect((await store().listSkippedDeals(one.id)).map(({ setKey }) => setKey)).toEqual(['2-1']);
  const gone = { setKey: '1-1', priceCents: 1, skippedAt: 1 };
  expect(await store().skipDeal(999_999, gone)).toBe(false);
});

test('beyond the limit, the oldest skipped deals come back', async () => {
  const { id } = await shared.addOwner();
  // All at once, since each call takes a transaction.
  await onTables(
    shared.folder,
    `${numbersTo(skippedDealsMax)} INSERT INTO private.skipped_deal
       (account_id, set_key, price_cents, skipped_at)
     SELECT ${id}, n || '-1', 1, n FROM numbers`,
  );
  expect(await store().listSkippedDeals(id)).toHaveLength(skippedDealsMax);
  await store().skipDeal(id, { setKey: 'new', priceCents: 1, skippedAt: skippedDealsMax + 1 });
  const kept = (await store().listSkippedDeals(id)).map(({ setKey }) => setKey);
  expect(kept).toHaveLength(skippedDealsMax);
  expect([kept.includes('1-1'), kept.includes('2-1')]).toEqual([false, true]);
});
