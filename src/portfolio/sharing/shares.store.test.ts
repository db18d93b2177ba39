/** Guarantees of every store about shares: owner, reader, limits and end. */
// @runs SQLite, PostgreSQL, PostgreSQL 17
import { expect, test } from 'bun:test';
import {
  hashOf,
  sharedNow as now,
  type Owner,
  shareStore,
} from '../../../test/support/shared-store.ts';
import { byService } from '../../accounts/audit/audit.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import { defaultTerms } from '../../buying/boxes/quotes.ts';
import { dayMs, minuteMs } from '../../kernel/time.ts';
import { type NewShare, shareLimits } from './share.ts';

const shared = shareStore();
const store = () => shared.store.accounts;

let made = 0;
const newHash = () => hashOf(++made) as TokenHash;

async function addCollection(owner: Owner): Promise<number> {
  await owner.apply(owner.brickfolio('Shelf'));
  return (await store().listBrickfolios(owner.id))[0]?.id ?? 0;
}

async function addBox({ id }: Owner): Promise<number> {
  const nothing = { rows: [], askCents: null, valueCents: null, maxCents: null };
  const terms = { ...defaultTerms, withModeled: false };
  const box = await store().addBox(
    id,
    crypto.randomUUID(),
    { name: 'Attic', terms, ...nothing },
    now,
  );
  return typeof box === 'string' ? 0 : box.id;
}

type Given = Partial<Omit<NewShare, 'brickfolioId' | 'boxId'>>;

const terms = { withCosts: false, expiresAt: null, name: 'Ann', acceptUntil: null, at: now };

/** Shares a collection; returns the share and the hash of its token. */
async function share(owner: Owner, brickfolioId: number, given: Given = {}) {
  const tokenHash = newHash();
  const wanted = { ...terms, brickfolioId, boxId: null, tokenHash, ...given };
  const added = await store().addShare(owner.id, wanted);
  if (typeof added === 'string') throw new Error(added);
  return { id: added.id, tokenHash };
}

const invite = (owner: Owner, brickfolioId: number, given: Given = {}) =>
  share(owner, brickfolioId, { acceptUntil: now + dayMs, ...given });

const idsOf = async (owner: Owner, at = now) =>
  (await store().listShares(owner.id, at)).map(({ id }) => id);

test('a link opens its collection until it is revoked by its owner', async () => {
  const [owner, other] = [await shared.addOwner(), await shared.addOwner()];
  const brickfolioId = await addCollection(owner);
  const { id, tokenHash } = await share(owner, brickfolioId, { withCosts: true });
  const open = () => store().openLink(tokenHash, now);
  const opened = { id, accountId: owner.id, brickfolioId, boxId: null, title: 'Shelf' };
  expect(await open()).toEqual({ ...opened, withCosts: true, expiresAt: null });
  expect(await store().openLink(newHash(), now)).toBeNull();
  expect(await store().openMembership(owner.id, id, now)).toBeNull();
  expect(await store().findShareOffer(tokenHash, now)).toBeNull();
  expect(await store().acceptShare(other.id, tokenHash, now)).toBe('gone');
  expect(await store().removeShare(other.id, id)).toBe(false);
  expect(await open()).not.toBeNull();
  expect(await store().removeShare(owner.id, id)).toBe(true);
  expect(await open()).toBeNull();
});

test('only own collections and boxes can be shared', async () => {
  const [owner, other] = [await shared.addOwner(), await shared.addOwner()];
  const [brickfolioId, boxId] = [await addCollection(owner), await addBox(owner)];
  const tokenHash = newHash();
  for (const thing of [
    { brickfolioId, boxId: null } as const,
    { brickfolioId: null, boxId } as const,
  ]) {
    expect(await store().addShare(other.id, { ...terms, ...thing, tokenHash })).toBe('missing');
  }
  expect(await idsOf(other)).toEqual([]);
});

test('an invitation is accepted once, also by two accounts at the same time', async () => {
  const [owner, one, two] = [
    await shared.addOwner(),
    await shared.addOwner(),
    await shared.addOwner(),
  ];
  const { id, tokenHash } = await invite(owner, await addCollection(owner), { name: 'x@y.com' });
  expect(await store().openLink(tokenHash, now)).toBeNull();
  expect(await store().acceptShare(owner.id, tokenHash, now)).toBe('own');
  expect(await store().findShareOffer(tokenHash, now)).toMatchObject({ ownerEmail: owner.email });
  const outcomes = await Promise.all(
    [one, two].map((who) => store().acceptShare(who.id, tokenHash, now)),
  );
  expect(outcomes.filter((outcome) => outcome === 'gone')).toHaveLength(1);
  const [member, late] = outcomes[0] === 'gone' ? [two, one] : [one, two];
  expect(await store().openMembership(member.id, id, now)).toMatchObject({ accountId: owner.id });
  expect(await store().openMembership(late.id, id, now)).toBeNull();
  expect(await store().listMemberships(late.id, now)).toEqual([]);
  expect(await store().listShares(owner.id, now)).toMatchObject([
    { id, name: '', memberEmail: member.email, acceptUntil: null },
  ]);
  expect(await store().leaveShare(late.id, id)).toBeNull();
  expect(await store().leaveShare(member.id, id)).toBe(owner.id);
  expect(await idsOf(owner)).toEqual([]);
});

test('what has ended cannot be opened, is not listed, and is swept', async () => {
  const [owner, member] = [await shared.addOwner(), await shared.addOwner()];
  const brickfolioId = await addCollection(owner);
  const end = now + dayMs;
  const link = await share(owner, brickfolioId, { expiresAt: end });
  const open = await invite(owner, brickfolioId);
  const taken = await invite(owner, brickfolioId, { expiresAt: end });
  await store().acceptShare(member.id, taken.tokenHash, now);
  expect(await idsOf(owner, end - 1)).toEqual([taken.id, open.id, link.id]);
  expect(await store().openLink(link.tokenHash, end - 1)).not.toBeNull();
  expect(await idsOf(owner, end)).toEqual([]);
  expect(await store().openLink(link.tokenHash, end)).toBeNull();
  expect(await store().openMembership(member.id, taken.id, end)).toBeNull();
  expect(await store().listMemberships(member.id, end)).toEqual([]);
  expect(await store().findShareOffer(open.tokenHash, end)).toBeNull();
  while ((await store().sweep(end, 100)) > 0);
  expect(await idsOf(owner)).toEqual([]);
});

test('the last use is recorded every five minutes', async () => {
  const owner = await shared.addOwner();
  const { tokenHash } = await share(owner, await addCollection(owner));
  const lastUse = async (at: number) => {
    await store().openLink(tokenHash, at);
    return (await store().listShares(owner.id, now))[0]?.lastUsedAt;
  };
  expect(await lastUse(now)).toBe(now);
  expect(await lastUse(now + 4 * minuteMs)).toBe(now);
  expect(await lastUse(now + 5 * minuteMs)).toBe(now + 5 * minuteMs);
});

test('a box can be opened while its owner has the plan', async () => {
  const owner = await shared.addOwner();
  const boxId = await addBox(owner);
  const tokenHash = newHash();
  await store().addShare(owner.id, { ...terms, brickfolioId: null, boxId, tokenHash });
  const opened = async (plan: 'free' | 'reseller') => {
    await store().setPlan(owner.email, plan);
    return (await store().openLink(tokenHash, now))?.title ?? null;
  };
  expect([await opened('reseller'), await opened('free')]).toEqual(['Attic', null]);
  const another = { ...terms, brickfolioId: null, boxId, tokenHash: newHash() };
  expect(await store().addShare(owner.id, another)).toBe('no plan');
  expect(await opened('reseller')).toBe('Attic');
  await store().removeBox(owner.id, boxId);
  expect(await idsOf(owner)).toEqual([]);
});

test('a share ends with its collection, and with the account of owner or member', async () => {
  const [owner, member] = [await shared.addOwner(), await shared.addOwner()];
  const brickfolioId = await addCollection(owner);
  await share(owner, brickfolioId);
  await store().removeBrickfolio(owner.id, brickfolioId, { lots: 'remove', to: null });
  expect(await idsOf(owner)).toEqual([]);
  const again = await addCollection(owner);
  const taken = await invite(owner, again);
  const kept = await share(owner, again);
  await store().acceptShare(member.id, taken.tokenHash, now);
  await store().closeAccount(member.email, byService, now);
  expect(await idsOf(owner)).toEqual([kept.id]);
  await store().closeAccount(owner.email, byService, now);
  expect(await store().openLink(kept.tokenHash, now)).toBeNull();
  await store().restoreAccount(owner.email);
  expect(await store().openLink(kept.tokenHash, now)).toBeNull();
});

test('a password reset by link ends the shares of an account', async () => {
  const owner = await shared.addOwner();
  await share(owner, await addCollection(owner));
  const tokenHash = newHash();
  await store().addResetLink({ email: owner.email, tokenHash, expiresAt: now + dayMs });
  await store().useResetLink(tokenHash, 'another', now);
  expect(await idsOf(owner)).toEqual([]);
});

test('the number of shares is limited, even if many are added at once', async () => {
  const owner = await shared.addOwner();
  const brickfolioId = await addCollection(owner);
  const wanted = Array.from({ length: shareLimits.given + 2 }, () => ({
    ...terms,
    brickfolioId,
    boxId: null,
    tokenHash: newHash(),
  }));
  const added = await Promise.all(wanted.map((each) => store().addShare(owner.id, each)));
  expect(added.filter((each) => each === 'too many')).toHaveLength(2);
});

test('operators list what has not ended, without names and readers', async () => {
  const [owner, member] = [await shared.addOwner(), await shared.addOwner()];
  const brickfolioId = await addCollection(owner);
  const link = await share(owner, brickfolioId, { withCosts: true, expiresAt: now + dayMs });
  const accepted = await invite(owner, brickfolioId);
  await store().acceptShare(member.id, accepted.tokenHash, now);
  const invited = await invite(owner, brickfolioId);
  const list = (at: number, limit = 9) => store().listAllShares({ accountId: owner.id, limit, at });
  const { ownerEmail = '' } = (await store().findShareOffer(invited.tokenHash, now)) ?? {};
  const common = { ownerEmail, shows: 'collection', createdAt: now, lastUsedAt: null } as const;
  const open = { ...common, withCosts: false, expiresAt: null };
  expect(await list(now)).toEqual([
    { ...open, id: invited.id, reader: 'invited' },
    { ...open, id: accepted.id, reader: 'member' },
    { ...common, id: link.id, reader: 'link', withCosts: true, expiresAt: now + dayMs },
  ]);
  expect((await list(now, 1)).map(({ id }) => id)).toEqual([invited.id]);
  expect((await list(now + dayMs)).map(({ id }) => id)).toEqual([accepted.id]);
  const all = await store().listAllShares({ accountId: null, limit: 100, at: now });
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([invited.id, link.id]));
});
