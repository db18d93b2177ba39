/** Guarantees of every store about forms that change something else than lots, sales, purchases. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { describe, expect, test } from 'bun:test';
import { ruleFacts } from '../../../test/support/alerts.ts';
import {
  hashOf,
  sharedNow as now,
  type Owner,
  shareStore,
} from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import type { KeyHash } from '../../accounts/keys/keys.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import type { Encrypted } from '../../kernel/encryption.ts';
import { dayMs } from '../../kernel/time.ts';
import type { AccountStore } from '../../store/store.ts';
import { formsKeptMs } from '../device/device-entries.ts';

const shared = shareStore();
const stored = () => shared.store.accounts;

/** The methods that a form can call. */
type Changes = Parameters<Parameters<AccountStore['applyForm']>[1]>[0];

let hashes = 0;
const newHash = () => hashOf(++hashes);
const encrypted = new Uint8Array(4) as Encrypted;

const newKey = ({ email }: Owner) => {
  const terms = { name: 'k', allowance: 9, expiresAt: null, at: now };
  return { email, hash: newHash() as KeyHash, prefix: `k${hashes}`, ...terms };
};

const webhook = { kind: 'webhook', name: 'Hook', address: encrypted, secret: encrypted } as const;

async function addKey(owner: Owner): Promise<number> {
  const made = await stored().addKey(newKey(owner));
  if (typeof made === 'string') throw new Error(made);
  return made.id;
}

async function addWebhook({ id }: Owner): Promise<number> {
  const made = await stored().addDeliveryChannel(id, { ...webhook, at: now });
  if (typeof made === 'string') throw new Error(made);
  return made.id;
}

async function addShelf(owner: Owner): Promise<number> {
  await owner.apply(owner.brickfolio('Shelf'));
  return (await stored().listBrickfolios(owner.id))[0]?.id ?? 0;
}

const shareOf = (brickfolioId: number) => ({
  brickfolioId,
  boxId: null,
  withCosts: false,
  expiresAt: null,
  name: 'Ann',
  tokenHash: newHash() as TokenHash,
  acceptUntil: null,
  at: now,
});

/** What a form changes; each call is another change. */
type Work = (accounts: Changes) => Promise<unknown>;

/** What forms change, once there is what they need. */
const forms: Readonly<Record<string, (owner: Owner) => Promise<Work>>> = {
  'a notice is added': async () => {
    const facts = { severity: 'info', title: 'Now', text: '', fromAt: now, untilAt: null } as const;
    return (accounts) => accounts.addNotice(facts);
  },
  'an invitation is added': async () => (accounts) =>
    accounts.addInvitation({
      plan: 'free',
      tokenHash: newHash() as TokenHash,
      at: now,
      expiresAt: now + dayMs,
    }),
  'a key is added': async (owner) => (accounts) => accounts.addKey(newKey(owner)),
  'a key is rolled': async (owner) => {
    const keyId = await addKey(owner);
    return async (accounts) => {
      const [key] = (await stored().listKeys(owner.email, now)) ?? [];
      const { hash, prefix, expiresAt, at } = newKey(owner);
      const seen = key?.prefix ?? '';
      return accounts.rollKey(owner.id, { keyId, seen, hash, prefix, expiresAt, at });
    };
  },
  'a spreadsheet link is added': async ({ id: accountId, ...owner }) => {
    const keyId = await addKey({ id: accountId, ...owner });
    const link = { accountId, keyId, name: 'Sheet', content: 'values', at: now } as const;
    return (accounts) => accounts.addSheetLink({ ...link, handle: `handle-${++hashes}` });
  },
  'a webhook is added':
    async ({ id }) =>
    (accounts) =>
      accounts.addDeliveryChannel(id, { ...webhook, at: now }),
  'a secret is rotated': async (owner) => {
    const channelId = await addWebhook(owner);
    const change = { secret: encrypted, oldUntil: now + dayMs, at: now };
    return (accounts) => accounts.rotateSecret(owner.id, channelId, change);
  },
  'a share is added': async (owner) => {
    const shelf = await addShelf(owner);
    return (accounts) => accounts.addShare(owner.id, shareOf(shelf));
  },
  'a list is added':
    async ({ id }) =>
    (accounts) =>
      accounts.addWatchList(id, { name: `List ${++hashes}`, at: now }),
  'an alert is added':
    async ({ id }) =>
    (accounts) =>
      accounts.addAlertRule(id, { rule: ruleFacts(), reported: [], position: 0, at: now }),
  'a channel is removed': async (owner) => {
    const channelId = await addWebhook(owner);
    return (accounts) => accounts.removeDeliveryChannel(owner.id, channelId, now);
  },
  'a share is removed': async (owner) => {
    const share = await stored().addShare(owner.id, shareOf(await addShelf(owner)));
    const shareId = typeof share === 'object' ? share.id : 0;
    return (accounts) => accounts.removeShare(owner.id, shareId);
  },
};

/** Sends a form with an ID. */
const send = ({ id: accountId }: Pick<Owner, 'id'>, id: string, work: Work, at = now) =>
  stored().applyForm({ accountId, id, at }, work);

/** Everything in the tables that forms change; the audit log has an entry for some. */
async function contents(): Promise<unknown> {
  const tables = ['notice', 'invitation', 'api_key', 'sheet_link', 'channel', 'share'];
  const all = [...tables, 'watch_list', 'alert_rule', 'audit', 'sent_form'];
  const rows = [];
  for (const table of all) {
    const sql = `SELECT * FROM private.${table}`;
    rows.push((await onTables(shared.folder, sql)).map((row) => JSON.stringify(row)).sort());
  }
  return rows;
}

describe.each(Object.keys(forms))('%s', (name) => {
  test('once, if a form is sent many times at once, and again by another form', async () => {
    const owner = await shared.addOwner();
    const work = await forms[name]?.(owner);
    if (!work) throw new Error('There is no such form.');
    const outcomes = await Promise.all(['a', 'a', 'a'].map((id) => send(owner, id, work)));
    expect(outcomes.filter((outcome) => outcome !== 'sent before')).toHaveLength(1);
    const before = await contents();
    expect(await send(owner, 'a', work)).toBe('sent before');
    expect(await contents()).toEqual(before);
    expect(await stored().findSentForm(owner.id, { id: 'a' })).toEqual({
      editId: null,
      isOver: false,
    });
    if (!name.includes('removed')) {
      expect(await send(owner, 'b', work)).not.toBe('sent before');
      expect(await contents()).not.toEqual(before);
    }
  });

  test('together with what remembers the form, or not at all', async () => {
    const owner = await shared.addOwner();
    const work = await forms[name]?.(owner);
    if (!work) throw new Error('There is no such form.');
    const before = await contents();
    await onTables(shared.folder, 'ALTER TABLE private.sent_form RENAME COLUMN expires_at TO gone');
    try {
      await expect(send(owner, 'a', work)).rejects.toThrow();
    } finally {
      const table = 'ALTER TABLE private.sent_form';
      await onTables(shared.folder, `${table} RENAME COLUMN gone TO expires_at`);
    }
    expect(await contents()).toEqual(before);
    expect(await send(owner, 'a', work)).not.toBe('sent before');
  });
});

test('a refused form is not remembered, and is applied when nothing is in its way', async () => {
  const owner = await shared.addOwner();
  const add: Work = (accounts) => accounts.addWatchList(owner.id, { name: 'Mine', at: now });
  const known = await stored().addWatchList(owner.id, { name: 'Mine', at: now });
  for (const _ of [1, 2]) expect(await send(owner, 'a', add)).toBe('name taken');
  const missing: Work = (accounts) => accounts.removeDeliveryChannel(owner.id, 999_999, now);
  for (const _ of [1, 2]) expect(await send(owner, 'b', missing)).toBe(false);
  expect(await stored().findSentForms(owner.id, ['a', 'b'])).toEqual(new Set());
  await stored().removeWatchList(owner.id, typeof known === 'object' ? known.id : 0);
  expect(await send(owner, 'a', add)).toHaveProperty('id');
  expect(await send(owner, 'a', add)).toBe('sent before');
});

test('a link that lacks scopes is refused, so its form is not remembered', async () => {
  const owner = await shared.addOwner();
  const made = await stored().addKey({ ...newKey(owner), scopes: 0 });
  const keyId = typeof made === 'object' ? made.id : 0;
  const link = { accountId: owner.id, keyId, name: 'Sheet', content: 'sales', at: now } as const;
  const add: Work = (accounts) => accounts.addSheetLink({ ...link, handle: `h-${++hashes}` });
  for (const _ of [1, 2]) expect(await send(owner, 'a', add)).toHaveProperty('lacks');
});

test('the forms of an account are its own, and forgotten after a day', async () => {
  const [ann, bob] = [await shared.addOwner(), await shared.addOwner()];
  const addList = ({ id }: Owner): Work => {
    return (accounts) => accounts.addWatchList(id, { name: `List ${++hashes}`, at: now });
  };
  expect(await send(ann, 'a', addList(ann))).toHaveProperty('id');
  expect(await send(bob, 'a', addList(bob))).toHaveProperty('id');
  while ((await stored().sweep(now + formsKeptMs, 100)) > 0);
  expect(await send(ann, 'a', addList(ann), now + formsKeptMs)).toHaveProperty('id');
});

test('the form of an account that is gone changes nothing', async () => {
  const owner = await shared.addOwner();
  await stored().removeAccount(owner.email);
  const facts = { severity: 'info', title: 'Now', text: '', fromAt: now, untilAt: null } as const;
  const before = (await stored().listNotices()).length;
  const outcome = await send(owner, 'a', (accounts) => accounts.addNotice(facts));
  expect(outcome).toBe('sent before');
  expect(await stored().listNotices()).toHaveLength(before);
});
