/** Guarantees of every store about the audit log. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import { databaseOf } from '../../../test/support/engines.ts';
import {
  hashOf,
  sharedNow as now,
  type Owner,
  shareStore,
} from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import type { NewDeliveryChannel } from '../../alerts/channels/delivery-channel.ts';
import type { Encrypted } from '../../kernel/encryption.ts';
import type { KeyHash } from '../keys/keys.ts';
import type { TokenHash } from '../sign-in/session.ts';
import {
  actionText,
  actorText,
  auditNetworkMs,
  byAccount,
  byService,
  onMachine,
  targetText,
} from './audit.ts';

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

const sealed = Buffer.from('sealed') as unknown as Encrypted;

const typed = 'Typed by ann@example.com';

const webhook: NewDeliveryChannel = {
  kind: 'webhook',
  name: typed,
  address: sealed,
  secret: sealed,
  subscription: null,
  position: null,
  at: now,
};

const idOf = (made: object | string) => (made as { readonly id: number }).id;

async function addKey({ id, email }: Owner): Promise<number> {
  const facts = { name: typed, prefix: 'bmk_0000', allowance: 20, expiresAt: null, at: now };
  const hash = hashOf(id) as KeyHash;
  return idOf(await shared.store.accounts.addKey({ email, hash, ...facts }));
}

test('everything that an owner does to webhooks and alert channels is recorded, by ID', async () => {
  const { accounts } = shared.store;
  const [ann, bob] = [await shared.addOwner(), await shared.addOwner()];
  const hook = idOf(await accounts.addDeliveryChannel(ann.id, webhook));
  const confirmHash = Buffer.alloc(32, hook) as unknown as TokenHash;
  const silent = { ...webhook, secret: null, address: null };
  const mail = idOf(
    await accounts.addDeliveryChannel(ann.id, { ...silent, kind: 'email', confirmHash }),
  );
  await accounts.useConfirmLink(mail, confirmHash, now);
  await accounts.changeDeliveryChannel(ann.id, hook, { name: typed, address: sealed, at: now });
  const events = { kinds: [], scope: 'all', position: 1 } as const;
  await accounts.changeDeliveryChannel(ann.id, hook, { ...events, notices: [], at: now });
  for (const isOn of [true, false, false, true])
    await accounts.changeDeliveryChannel(ann.id, hook, { isOn, at: now });
  const rotation = { secret: sealed, oldUntil: now, at: now };
  await accounts.rotateSecret(ann.id, hook, rotation);
  // What is refused is not recorded.
  expect(await accounts.addDeliveryChannel(ann.id, { ...webhook, isNameUnique: true })).toBe(
    'name taken',
  );
  expect(await accounts.rotateSecret(ann.id, mail, rotation)).toBe('missing');
  expect(await accounts.changeDeliveryChannel(bob.id, hook, { name: 'x', at: now })).toBe(
    'missing',
  );
  expect(await accounts.removeDeliveryChannel(bob.id, hook, now)).toBe(false);
  expect(await accounts.removeDeliveryChannel(ann.id, hook, now + 1)).toBe(true);
  expect(await accounts.removeDeliveryChannel(ann.id, hook, now + 2)).toBe(false);
  const entries = await ofAccount(ann.id);
  expect(entries.map((entry) => `${actionText(entry)}: ${entry.detail}`).reverse()).toEqual([
    `Webhook created: webhook ${hook}`,
    `Alert channel created: email ${mail}`,
    `Alert channel changed: email ${mail}, confirmed`,
    `Webhook changed: webhook ${hook}, name, address`,
    `Webhook changed: webhook ${hook}, events, notices`,
    `Webhook changed: webhook ${hook}, turned off`,
    `Webhook changed: webhook ${hook}, turned on`,
    `Webhook changed: webhook ${hook}, secret`,
    `Webhook deleted: webhook ${hook}`,
  ]);
  expect(entries[0]).toMatchObject({ at: now + 1, actor: 'account', actorId: ann.id });
  expect(await ofAccount(bob.id)).toEqual([]);
});

test('creating and revoking a spreadsheet link is recorded, by ID', async () => {
  const { accounts } = shared.store;
  const ann = await shared.addOwner();
  const keyId = await addKey(ann);
  const link = { accountId: ann.id, keyId, name: typed, content: 'values', at: now } as const;
  const id = idOf(await accounts.addSheetLink({ ...link, handle: 'audited' }));
  expect(await accounts.addSheetLink({ ...link, keyId: 0, handle: 'none' })).toBe('no key');
  expect(await accounts.removeSheetLink(ann.id + 1, id, now)).toBe(false);
  expect(await accounts.removeSheetLink(ann.id, id, now + 1)).toBe(true);
  const entries = await ofAccount(ann.id);
  expect(entries.map((entry) => `${actionText(entry)}: ${entry.detail}`)).toEqual([
    `Spreadsheet link revoked: link ${id}`,
    `Spreadsheet link created: link ${id}, key ${keyId}`,
  ]);
});

test('a webhook or link that cannot be recorded is not made', async () => {
  const { accounts } = shared.store;
  const ann = await shared.addOwner();
  const keyId = await addKey(ann);
  const isSqlite = (await databaseOf(shared.folder)) === null;
  const refuse = isSqlite
    ? `CREATE TRIGGER private.refuse BEFORE INSERT ON audit
       BEGIN SELECT raise(ABORT, 'refused'); END`
    : "ALTER TABLE private.audit ADD CONSTRAINT refused CHECK (action = '') NOT VALID";
  await onTables(shared.folder, refuse);
  const link = { accountId: ann.id, keyId, name: 'x', content: 'values', at: now } as const;
  await expect(accounts.addDeliveryChannel(ann.id, webhook)).rejects.toThrow('refused');
  await expect(accounts.addSheetLink({ ...link, handle: 'x' })).rejects.toThrow('refused');
  expect(await accounts.listDeliveryChannels(ann.id)).toEqual([]);
  expect(await accounts.listSheetLinks(ann.id)).toEqual([]);
  const allow = isSqlite
    ? 'DROP TRIGGER private.refuse'
    : 'ALTER TABLE private.audit DROP CONSTRAINT refused';
  await onTables(shared.folder, allow);
});

test('the last backup is that of the audit log', async () => {
  const { accounts } = shared.store;
  await accounts.recordAudit({ at: now - 5, by: onMachine, action: 'store.backed-up' });
  await accounts.recordAudit({ at: now, by: onMachine, action: 'store.changed' });
  expect(await accounts.findLastBackup()).toBe(now - 5);
});
