/** Guarantees of every store about the audit log. */
import { expect, test } from 'bun:test';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import {
  actionText,
  actorText,
  auditNetworkMs,
  byAccount,
  byService,
  onMachine,
  targetText,
} from '../../domain/account/audit.ts';

const shared = shareStore();

const ofAccount = (accountId: number) =>
  shared.store.accounts.listAudit({ accountId, before: null, limit: 100 });

test('entries are listed newest first, in parts, with the current addresses', async () => {
  const { accounts } = shared.store;
  const [ann, op] = [await shared.addOwner('ann@audit.com'), await shared.addOwner('op@audit.com')];
  await accounts.recordAudit({
    at: now,
    by: onMachine,
    action: 'account.added',
    accountId: ann.id,
  });
  const change = { action: 'plan.changed', accountId: ann.id, detail: 'reseller' } as const;
  await accounts.recordAudit({ at: now + 1, by: byAccount(op.id), ...change });
  await accounts.recordAudit({ at: now + 2, by: byService, action: 'import' });
  const own = await ofAccount(ann.id);
  expect(own.map(({ action }) => action)).toEqual(['plan.changed', 'account.added']);
  expect(own[0]).toEqual({
    id: expect.any(Number),
    at: now + 1,
    actor: 'account',
    actorId: op.id,
    actorEmail: 'op@audit.com',
    action: 'plan.changed',
    accountId: ann.id,
    accountEmail: 'ann@audit.com',
    detail: 'reseller',
    network: null,
  });
  const [latest, next] = await accounts.listAudit({ accountId: null, before: null, limit: 2 });
  expect(next).toEqual(own[0]);
  expect([latest?.accountId, latest?.actor]).toEqual([null, 'service']);
  const before = own[0]?.id ?? 0;
  expect(await accounts.listAudit({ accountId: ann.id, before, limit: 9 })).toEqual(own.slice(1));
  const words = own.map((entry) => `${actorText(entry)}: ${actionText(entry)}`);
  expect(words).toEqual([
    'op@audit.com: Plan changed',
    'Operator on this machine: Account created',
  ]);
});

test('entries outlive their accounts, whose addresses they do not have', async () => {
  const { accounts } = shared.store;
  const gone = await shared.addOwner();
  const by = byAccount(gone.id);
  await accounts.recordAudit({ at: now, by, action: 'sign-in', accountId: gone.id });
  await accounts.removeAccount(gone.email);
  const [entry] = await ofAccount(gone.id);
  expect(entry).toMatchObject({ actorId: gone.id, actorEmail: null, accountEmail: null });
  expect(entry && [actorText(entry), targetText(entry)]).toEqual([
    `Account ${gone.id} (erased)`,
    `Account ${gone.id} (erased)`,
  ]);
});

test.each([
  "UPDATE private.audit SET action = 'x'",
  'UPDATE private.audit SET actor_id = 7, network = NULL',
  "UPDATE private.audit SET network = '203.0.113.9'",
  'DELETE FROM private.audit',
])('the database refuses: %s', async (sql) => {
  const owner = await shared.addOwner();
  const entry = { at: now, by: byAccount(owner.id), accountId: owner.id } as const;
  await shared.store.accounts.recordAudit({ ...entry, action: 'sign-in', network: '192.0.2.1' });
  expect(onTables(shared.folder, sql)).rejects.toThrow('The audit log is append-only.');
  expect(await ofAccount(owner.id)).toMatchObject([{ action: 'sign-in', network: '192.0.2.1' }]);
});

test('networks are removed after 90 days, and nothing else', async () => {
  const { accounts } = shared.store;
  const owner = await shared.addOwner();
  const at = now + 1_000_000;
  const entry = { by: byAccount(owner.id), action: 'sign-in', accountId: owner.id } as const;
  await accounts.recordAudit({ ...entry, at, network: '192.0.2.1' });
  await accounts.recordAudit({ ...entry, at: at + 1, network: '192.0.2.2' });
  while ((await accounts.sweep(at + auditNetworkMs, 1)) > 0);
  const kept = await ofAccount(owner.id);
  expect(kept.map(({ network }) => network)).toEqual(['192.0.2.2', null]);
});

test('networks of an account are removed when it is erased', async () => {
  const { accounts } = shared.store;
  const [gone, other] = [await shared.addOwner(), await shared.addOwner()];
  for (const { id } of [gone, other]) {
    const entry = { by: byAccount(id), action: 'sign-in', accountId: id } as const;
    await accounts.recordAudit({ ...entry, at: now, network: '192.0.2.1' });
  }
  await accounts.removeAccount(gone.email);
  expect(await ofAccount(gone.id)).toMatchObject([{ network: null }]);
  expect(await ofAccount(other.id)).toMatchObject([{ network: '192.0.2.1' }]);
});
