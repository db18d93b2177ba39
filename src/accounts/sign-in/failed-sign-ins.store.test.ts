/** Counts of failed sign-ins, as operators see them. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { afterEach, expect, test } from 'bun:test';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { dayMs, hourMs, minuteMs } from '../../kernel/time.ts';
import { failedOfText, networksPerHour } from './failed-sign-ins.ts';

const shared = shareStore();

const network = '192.0.2.1';
const failed = { method: 'password', network, at: now } as const;

const list = async (accountId: number | null = null) => {
  const rows = await shared.store.accounts.listFailedSignIns(accountId, 100);
  return rows.map((row) => [failedOfText(row), row.method, (now - row.hourAt) / hourMs, row.count]);
};

// Rows without an account stay until the next test.
afterEach(() => shared.store.accounts.sweep(now + 200 * dayMs, 10_000));

test('an hour of an account is one row by method, and so is one of a network', async () => {
  const { accounts } = shared.store;
  const { id } = await shared.addOwner('ann@example.com');
  await accounts.noteFailedSignIn({ ...failed, email: 'ANN@example.com', at: now + 5 * minuteMs });
  await accounts.noteFailedSignIn({ ...failed, email: 'ann@example.com', network: '192.0.2.9' });
  await accounts.noteFailedSignIn({ ...failed, method: 'code', accountId: id });
  await accounts.noteFailedSignIn({ ...failed, email: 'nobody@example.com' });
  await accounts.noteFailedSignIn({ ...failed, email: 'nobody-else@example.com' });
  await accounts.noteFailedSignIn({ ...failed, method: 'provider', at: now - hourMs });
  expect(await list()).toEqual([
    [network, 'password', 0, 2],
    ['ann@example.com', 'code', 0, 1],
    ['ann@example.com', 'password', 0, 2],
    [network, 'provider', 1, 1],
  ]);
  expect(await list(id)).toEqual([
    ['ann@example.com', 'code', 0, 1],
    ['ann@example.com', 'password', 0, 2],
  ]);
  // Neither who is known is with a network, nor an email that somebody typed is kept.
  const rows = await accounts.listFailedSignIns(id, 9);
  expect(rows.map((row) => row.network)).toEqual([null, null]);
});

test('those of this hour and the one before are counted by method', async () => {
  const { accounts } = shared.store;
  for (const ago of [0, hourMs, 2 * hourMs]) {
    await accounts.noteFailedSignIn({ ...failed, at: now - ago });
  }
  await accounts.noteFailedSignIn({ ...failed, method: 'passkey' });
  expect(await accounts.countFailedSignIns(now + hourMs - 1)).toEqual([
    { method: 'passkey', count: 1 },
    { method: 'password', count: 2 },
  ]);
});

test('failures at the same time are all counted, in one row', async () => {
  const { accounts } = shared.store;
  await Promise.all(Array.from({ length: 20 }, () => accounts.noteFailedSignIn(failed)));
  expect(await list()).toEqual([[network, 'password', 0, 20]]);
});

test('networks beyond the limit of an hour are one row', async () => {
  const { accounts } = shared.store;
  const attack = Array.from({ length: networksPerHour }, (_, number) => `2001:db8:${number}::/64`);
  for (const from of attack) await accounts.noteFailedSignIn({ ...failed, network: from });
  for (const from of ['198.51.100.1', '198.51.100.2', attack[0] ?? '']) {
    await accounts.noteFailedSignIn({ ...failed, network: from });
  }
  const [newest] = await accounts.listFailedSignIns(null, 2);
  expect([newest && failedOfText(newest), newest?.count]).toEqual(['Other networks', 2]);
  expect(await accounts.listFailedSignIns(null, 2_000)).toHaveLength(networksPerHour + 1);
}, 120_000);
