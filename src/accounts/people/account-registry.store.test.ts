/** Guarantees of every store about accounts and their removal. */
// @runs SQLite, PostgreSQL, PostgreSQL 17

import { describe, expect, test } from 'bun:test';
import { ruleFacts } from '../../../test/support/alerts.ts';
import { anAccount } from '../../../test/support/builders.ts';
import { keysById } from '../../../test/support/keys-by-id.ts';
import {
  hashOf,
  sharedNow as now,
  type Owner,
  shareStore,
} from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import { usualSettings } from '../../buying/prices/buying-settings.ts';
import { dayMs } from '../../kernel/time.ts';
import type { AccountStore } from '../../store/store.ts';
import { byService } from '../audit/audit.ts';
import type { KeyHash } from '../keys/keys.ts';
import type { TokenHash } from '../sign-in/session.ts';
import { closedMs } from './account.ts';
import type { Role } from './role.ts';

const shared = shareStore();

const count = async (table: string, { id }: Owner) => {
  const sql = `SELECT count(*) AS n FROM private.${table} WHERE account_id = ?`;
  const [row] = await onTables<{ n: number }>(shared.folder, sql, [id]);
  return row?.n;
};

test('accounts are listed in order of emails, ignoring case', async () => {
  for (const email of ['m@example.com', 'Z@example.com', 'A@example.com']) {
    await shared.addOwner(email);
  }
  const listed = await shared.store.accounts.listAccounts(now);
  expect(listed.map(({ email }) => email)).toEqual([
    'A@example.com',
    'm@example.com',
    'Z@example.com',
  ]);
});

test('an email has one account; a second attempt changes nothing and uses up no id', async () => {
  const { accounts } = shared.store;
  const first = await shared.addOwner(' Once@example.com ');
  expect(
    await accounts.addAccount(
      anAccount({ email: 'once@EXAMPLE.com', plan: 'free', isOperator: true, at: now }),
    ),
  ).toBeNull();
  expect(await accounts.findAccount('once@example.com', now)).toEqual({
    id: first.id,
    email: 'Once@example.com',
    plan: 'reseller',
    role: null,
    createdAt: now,
    activeKeys: 0,
  });
  expect((await shared.addOwner()).id).toBe(first.id + 1);
});

test('a plan is changed for one account; an unknown email changes nothing', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  expect(await accounts.setPlan(one.email.toUpperCase(), 'free')).toBe(true);
  expect((await accounts.findAccount(one.email, now))?.plan).toBe('free');
  expect((await accounts.findAccount(other.email, now))?.plan).toBe('reseller');
  expect(await accounts.setPlan('nobody@example.com', 'free')).toBe(false);
});

type Changes = Parameters<Parameters<AccountStore['changeAs']>[1]>[0];

/** What those with a role do to accounts. */
const changes: Readonly<Record<string, (accounts: Changes, owner: Owner) => Promise<unknown>>> = {
  plan: (accounts, { email }) => accounts.setPlan(email, 'free'),
  'password link': (accounts, { email, id }) => {
    const tokenHash = hashOf(700 + id) as TokenHash;
    return accounts.addResetLink({ email, tokenHash, expiresAt: now + dayMs });
  },
  password: (accounts, { email }) => accounts.setPassword(email, 'new'),
  factors: (accounts, { email }) => accounts.resetFactors(email),
  closing: (accounts, { email }) => accounts.closeAccount(email, byService, now),
  erasing: (accounts, { email }) => accounts.removeAccount(email),
};

describe.each(Object.keys(changes))('changing an account: %s', (name) => {
  const change = (role: Role | null, owner: Owner) =>
    shared.store.accounts.changeAs({ role, accountId: owner.id }, async (accounts) =>
      changes[name]?.(accounts, owner),
    );

  test('operators may, unless the account got a role since they found it', async () => {
    const { accounts } = shared.store;
    const owner = await shared.addOwner();
    await accounts.setRole(owner.email, 'support');
    const found = await accounts.findAccount(owner.email, now);
    const password = await accounts.findPasswordHash(owner.email);
    for (const role of ['operator', 'support', null] as const) {
      expect(await change(role, owner)).toBe('not allowed');
    }
    expect(await accounts.findAccount(owner.email, now)).toEqual(found);
    expect(await accounts.findPasswordHash(owner.email)).toEqual(password);
    expect(await accounts.findResetLink(hashOf(700 + owner.id) as TokenHash, now)).toBeNull();
    await accounts.setRole(owner.email, null);
    expect(await change('support', owner)).toBe('not allowed');
    expect([true, owner.id]).toContain((await change('operator', owner)) as number);
  });

  test('admins may, also if it has a role', async () => {
    const owner = await shared.addOwner();
    await shared.store.accounts.setRole(owner.email, 'operator');
    expect([true, owner.id]).toContain((await change('admin', owner)) as number);
  });
});

test('a password link of an operator does not outlive that the account becomes admin', async () => {
  const { accounts } = shared.store;
  for (let round = 0; round < 10; round++) {
    const owner = await shared.addOwner();
    const tokenHash = hashOf(10_000 + owner.id) as TokenHash;
    const link = { email: owner.email, tokenHash, expiresAt: now + dayMs };
    await Promise.all([
      accounts.changeAs({ role: 'operator', accountId: owner.id }, (store) =>
        store.addResetLink(link),
      ),
      accounts.setRole(owner.email, 'admin'),
    ]);
    expect(await accounts.findResetLink(tokenHash, now)).toBeNull();
  }
});

let keys = 0;
const addKey = async ({ email }: Owner, expiresAt: number | null = null) => {
  const facts = { name: 'k', prefix: 'k', allowance: 9, expiresAt, at: now };
  const made = await shared.store.accounts.addKey({
    email,
    hash: hashOf(++keys) as KeyHash,
    ...facts,
  });
  return typeof made === 'object' ? made.id : 0;
};

test('active keys are those not revoked and not expired', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  await addKey(one);
  await addKey(one, now + dayMs);
  await keysById(accounts).revokeKey(await addKey(one), now);
  await addKey(other);
  const active = async (at: number) => (await accounts.findAccount(one.email, at))?.activeKeys;
  expect(await active(now + dayMs - 1)).toBe(2);
  expect(await active(now + dayMs)).toBe(1);
});

test('an account is removed with all its data, and nothing of others', async () => {
  const { accounts } = shared.store;
  const [gone, other] = [await shared.addOwner(), await shared.addOwner()];
  for (const [index, owner] of [gone, other].entries()) {
    await addKey(owner);
    const passwordHash = `of ${owner.email}`;
    const proof = { accountId: owner.id, passwordHash, method: 'password' } as const;
    const session = { ...proof, agent: 'Browser' };
    const token = { tokenHash: hashOf(900 + index) as TokenHash, expiresAt: now + dayMs };
    await accounts.addSession({ ...session, ...token, at: now });
    await accounts.addResetLink({ email: owner.email, ...token });
    await accounts.saveBuyingSettings(owner.id, usualSettings);
    await owner.apply(owner.brickfolio('Shelf'), owner.lot('a'), owner.sale('s'));
  }
  const keyTables = ['api_key', 'session', 'reset_link'];
  const tables = [...keyTables, 'buying_settings', 'brickfolio', 'lot', 'ledger_sale'];
  const counts = (owner: Owner) => Promise.all(tables.map((table) => count(table, owner)));
  expect(await counts(gone)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(await accounts.removeAccount('nobody@example.com')).toBe(false);
  expect(await accounts.removeAccount(gone.email)).toBe(true);
  expect(await accounts.removeAccount(gone.email)).toBe(false);
  expect(await counts(gone)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  expect(await counts(other)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect((await accounts.findAccount(other.email, now))?.id).toBe(other.id);
  expect((await shared.addOwner(gone.email)).id).toBeGreaterThan(gone.id);
});

test('removing an account turns off no channels and alerts of others', async () => {
  const { accounts } = shared.store;
  const [gone, other] = [await shared.addOwner(), await shared.addOwner()];
  for (const { id } of [gone, other]) {
    const facts = { kind: 'email', name: 'Email', address: null, secret: null } as const;
    await accounts.addDeliveryChannel(id, {
      ...facts,
      subscription: null,
      position: null,
      at: now,
    });
    const rule = ruleFacts();
    await accounts.addAlertRule(id, { rule, reported: [], position: 0, at: now });
  }
  expect(await accounts.removeAccount(gone.email)).toBe(true);
  expect(await accounts.listDeliveryChannels(other.id)).toMatchObject([{ state: 'active' }]);
  expect(await accounts.listAlertRules(other.id)).toMatchObject([{ isOn: true }]);
});

describe('a closed account', () => {
  /** An account with a key, a session, a link, a channel, an alert and lots, and closed. */
  async function addClosed() {
    const { accounts } = shared.store;
    const owner = await shared.addOwner();
    await addKey(owner);
    const proof = { passwordHash: `of ${owner.email}`, method: 'password' } as const;
    const session = { accountId: owner.id, ...proof, agent: 'Browser' };
    const token = { tokenHash: hashOf(5000 + owner.id) as TokenHash, expiresAt: now + 9 * dayMs };
    await accounts.addSession({ ...session, ...token, at: now });
    await accounts.addResetLink({ email: owner.email, ...token });
    const channel = { kind: 'email', name: 'Email', address: null, secret: null } as const;
    const silent = { subscription: null, position: null, at: now };
    await accounts.addDeliveryChannel(owner.id, { ...channel, ...silent });
    await accounts.addAlertRule(owner.id, {
      rule: ruleFacts(),
      reported: [],
      position: 0,
      at: now,
    });
    await owner.apply(owner.brickfolio('Shelf'), owner.lot('a'));
    expect(await accounts.closeAccount(owner.email.toUpperCase(), byService, now)).toBe(owner.id);
    return { owner, session: { ...session, ...token, at: now } };
  }

  test('has no sessions, keys and links, gets no messages, and cannot be found', async () => {
    const { accounts } = shared.store;
    const { owner, session } = await addClosed();
    for (const table of ['api_key', 'session', 'reset_link']) {
      expect([table, await count(table, owner)]).toEqual([table, 0]);
    }
    expect(await accounts.listDeliveryChannels(owner.id)).toMatchObject([{ state: 'off' }]);
    expect(await accounts.listAlertRules(owner.id)).toMatchObject([{ isOn: false }]);
    expect(await accounts.findAccount(owner.email, now)).toBeNull();
    expect(await accounts.findPasswordHash(owner.email)).toBeNull();
    // A sign-in whose password was checked just before.
    expect(await accounts.addSession({ ...session, tokenHash: hashOf(7) as TokenHash })).toBeNull();
    const listed = (await accounts.listAccounts(now)).map(({ id }) => id);
    expect(listed).not.toContain(owner.id);
    expect(await accounts.closeAccount(owner.email, byService, now)).toBeNull();
  });

  test('keeps its email and its data, and can be restored', async () => {
    const { accounts } = shared.store;
    const { owner } = await addClosed();
    const closed = { id: owner.id, email: owner.email, closedAt: now };
    expect(await accounts.findClosed(owner.email.toUpperCase(), now)).toMatchObject(closed);
    expect((await accounts.listClosed(now)).find(({ id }) => id === owner.id)).toMatchObject(
      closed,
    );
    expect(shared.addOwner(owner.email)).rejects.toThrow('already');
    expect(await count('lot', owner)).toBe(1);
    expect(await accounts.restoreAccount(owner.email)).toBe(owner.id);
    expect(await accounts.restoreAccount(owner.email)).toBeNull();
    expect(await accounts.findClosed(owner.email, now)).toBeNull();
    expect((await accounts.findAccount(owner.email, now))?.id).toBe(owner.id);
    expect((await accounts.findPasswordHash(owner.email))?.passwordHash).toBeNull();
    while ((await accounts.sweep(now + closedMs, 100)) > 0);
    expect(await count('lot', owner)).toBe(1);
  });

  test('is erased seven days later, and its email is free then', async () => {
    const { accounts } = shared.store;
    const { owner } = await addClosed();
    while ((await accounts.sweep(now + closedMs - 1, 100)) > 0);
    expect(await count('lot', owner)).toBe(1);
    while ((await accounts.sweep(now + closedMs, 100)) > 0);
    expect(await count('lot', owner)).toBe(0);
    expect(await accounts.restoreAccount(owner.email)).toBeNull();
    const [entry] = await accounts.listAudit({ accountId: owner.id, before: null, limit: 1 });
    expect(entry).toMatchObject({ action: 'account.erased', actor: 'service', accountEmail: null });
    expect((await shared.addOwner(owner.email)).id).toBeGreaterThan(owner.id);
  });

  test('can be erased at once', async () => {
    const { accounts } = shared.store;
    const { owner } = await addClosed();
    expect(await accounts.removeAccount(owner.email)).toBe(true);
    expect(await count('lot', owner)).toBe(0);
    expect((await shared.addOwner(owner.email)).id).toBeGreaterThan(owner.id);
  });
});

/** An account with an interrupted removal, and three sales and three lots left. */
async function addHalfRemoved(): Promise<Owner> {
  const owner = await shared.addOwner();
  const numbers = ['1', '2', '3'];
  await owner.apply(
    owner.brickfolio('Shelf'),
    ...numbers.map((each) => owner.lot(each)),
    ...numbers.map((each) => owner.sale(each, { costCents: 0 })),
  );
  const sql = "UPDATE private.account SET email_key = 'removed ' || id WHERE id = ?";
  await onTables(shared.folder, sql, [owner.id]);
  return owner;
}

test.each<{ limit: number; swept: number[] }>([
  // Sales first, then lots, then the account; if all slices are full, one more is needed.
  { limit: 2, swept: [2, 2, 2, 1, 0] },
  { limit: 4, swept: [4, 2, 0] },
  { limit: 6, swept: [6, 1, 0] },
  { limit: 7, swept: [6, 0] },
])('the rest of a removed account is deleted $limit rows at a time', async ({ limit, swept }) => {
  const owner = await addHalfRemoved();
  const all: number[] = [];
  while (all.at(-1) !== 0) {
    all.push(await shared.store.accounts.sweep(now, limit));
    expect(await count('ledger_sale', owner)).toBe(Math.max(0, 3 - limit * all.length));
  }
  expect(all).toEqual(swept);
  expect(await count('lot', owner)).toBe(0);
  expect(
    await onTables(shared.folder, 'SELECT 1 FROM private.account WHERE id = ?', [owner.id]),
  ).toEqual([]);
});

test('deliveries of a removed account are deleted in slices, too', async () => {
  const { accounts } = shared.store;
  const owner = await addHalfRemoved();
  const facts = { kind: 'email', name: 'Email', address: null, secret: null } as const;
  const silent = { subscription: null, position: null, at: now };
  const added = await accounts.addDeliveryChannel(owner.id, { ...facts, ...silent });
  const channelId = typeof added === 'string' ? 0 : added.id;
  const delivery = { channelId, type: 'alert', orderKey: null, body: '{}', at: now };
  await accounts.addDeliveries(['a', 'b', 'c'].map((messageId) => ({ ...delivery, messageId })));
  const swept: number[] = [];
  while (swept.at(-1) !== 0) swept.push(await accounts.sweep(now, 4));
  // Three sales, three lots and three deliveries.
  expect(swept).toEqual([4, 4, 1, 0]);
});

test('buying settings are the defaults until an account saves its own', async () => {
  const { accounts } = shared.store;
  const [one, other] = [await shared.addOwner(), await shared.addOwner()];
  expect(await accounts.findBuyingSettings(one.id)).toEqual(usualSettings);
  const saved = {
    share: 0.9,
    marginBasisPoints: 4_000,
    taxBasisPoints: 825,
    cashbackBasisPoints: 500,
    inboundCents: 2_50,
    moneyBasisPoints: 1_200,
    ownRates: [{ platform: 'ebay', basisPoints: 1_325, feeCents: 40 } as const],
    todayMinProfitCents: 5_00,
    todayMinRoiPercent: 20,
    todayMaxWaitDays: 90,
    hourCents: 22_50,
    secondsPerLot: 30,
    secondsPerPiece: 2,
  };
  const versionOf = async () => {
    const sql = 'SELECT private_version AS version FROM private.account WHERE id = ?';
    return (await onTables<{ version: number }>(shared.folder, sql, [one.id]))[0]?.version ?? 0;
  };
  const before = await versionOf();
  expect(await accounts.saveBuyingSettings(one.id, { ...saved, share: 0.5 })).toBe(true);
  expect(await accounts.saveBuyingSettings(one.id, saved)).toBe(true);
  expect(await versionOf()).toBeGreaterThan(before);
  expect(await accounts.findBuyingSettings(one.id)).toEqual(saved);
  expect(await accounts.findBuyingSettings(other.id)).toEqual(usualSettings);
  expect(await accounts.saveBuyingSettings(other.id + 99, saved)).toBe(false);
});

test('an account is found by its ID until it is closed', async () => {
  const { accounts } = shared.store;
  const { id } = await shared.addOwner('una@example.com');
  expect(await accounts.findAccountById(id, now)).toMatchObject({ id, email: 'una@example.com' });
  await accounts.closeAccount('una@example.com', byService, now);
  expect(await accounts.findAccountById(id, now)).toBeNull();
});
