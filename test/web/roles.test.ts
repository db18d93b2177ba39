/** Which role may open which operator page, and that everything done there is recorded. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { byService } from '../../src/accounts/audit/audit.ts';
import { hasRole, type Role, roles } from '../../src/accounts/people/role.ts';
import type { TokenHash } from '../../src/accounts/sign-in/session.ts';
import { hourMs } from '../../src/kernel/time.ts';
import {
  password,
  readForm,
  type Seen,
  type Site,
  startSite,
  textOf,
  type Visitor,
} from '../support/site.ts';

/** Every operator route with the role that it needs at least; a new route needs a row here. */
const table: Readonly<Record<string, Role>> = {
  'GET /operator': 'support',
  'GET /operator/imports/{id}': 'support',
  'GET /operator/accounts': 'support',
  'POST /operator/accounts': 'support',
  'GET /operator/accounts/{account}': 'support',
  'POST /operator/accounts/{account}/mail': 'support',
  'POST /operator/accounts/{account}/messages/{message}/resend': 'support',
  'POST /operator/accounts/{account}/plan': 'operator',
  'POST /operator/accounts/{account}/link': 'operator',
  'POST /operator/accounts/{account}/keys/{id}': 'operator',
  'POST /operator/accounts/{account}/keys/{id}/revoke': 'operator',
  'GET /operator/accounts/{account}/remove': 'operator',
  'POST /operator/accounts/{account}/remove': 'operator',
  'POST /operator/closed/{account}/restore': 'operator',
  'POST /operator/invitations': 'operator',
  'POST /operator/invitations/{id}/revoke': 'operator',
  'GET /operator/notices': 'operator',
  'POST /operator/notices': 'operator',
  'GET /operator/notices/{id}/delete': 'operator',
  'POST /operator/notices/{id}/delete': 'operator',
  'POST /operator/accounts/{account}/role': 'admin',
  'GET /operator/audit': 'operator',
  'POST /operator/audit': 'operator',
  'GET /operator/audit.csv': 'operator',
};

function isAboutAccount(name: string): boolean {
  return name.includes('{account}');
}

const rows = Object.entries(table).map(([name, role]) => ({ name, role }));
const notice = { severity: 'info', title: 'Maintenance', text: 'Back soon.' };
const fields = { plan: 'reseller', role: 'none', allowance: '7', ...notice };
const ann = 'ann@example.com';
const mails: string[] = [];

let site: Site;
let params: Readonly<Record<string, string>>;
const people = new Map<Role | null, Visitor>();

beforeAll(async () => {
  site = await startSite({ sendMail: async ({ to }) => void mails.push(to) });
  const { accounts } = site.world.store;
  for (const role of [...roles, null]) {
    const email = `${role}@example.com`;
    people.set(role, await site.signedIn(email));
    ids.set(email, await site.addAccount(email));
    await accounts.setRole(email, role);
    // Another person with the role.
    ids.set(otherWith(role), await site.addAccount(otherWith(role)));
    await accounts.setRole(otherWith(role), role);
  }
  const annId = await site.addAccount(ann);
  ids.set(ann, annId);
  await site.world.addKey(ann);
  const [key] = (await accounts.listKeys(ann, site.world.now)) ?? [];
  const facts = { kind: 'webhook', name: 'Secret name', address: null, secret: null } as const;
  await accounts.setPlan(ann, 'reseller');
  const added = await accounts.addDeliveryChannel(annId, {
    ...facts,
    subscription: null,
    position: null,
    at: site.world.now,
  });
  const message = await accounts.addTest(annId, (added as { id: number }).id, site.world.now);
  await accounts.setPlan(ann, 'free');
  const entry = { format: 'feed', files: [], startedAt: 0, endedAt: 0, added: 0, updated: 0 };
  const counts = { unchanged: 0, rejected: 0, gone: null, warned: 0, warnings: [] };
  const rest = { ...counts, error: null, rejects: [] };
  const importId = await site.world.store.market.logImport({ ...entry, ...rest });
  params = { id: String(key?.id), message: String(message), import: String(importId) };
});

afterAll(() => site.close());

function otherWith(role: Role | null): string {
  return `other-${role}@example.com`;
}

const ids = new Map<string, number>();

/** The address of a route, about ann or another account. */
function addressOf(path: string, email = ann): string {
  const named = path.startsWith('/operator/imports') ? path.replace('{id}', '{import}') : path;
  return named.replace(/\{(\w+)\}/g, (_, name: string) =>
    String(name === 'account' ? ids.get(email) : (params[name] ?? '')),
  );
}

async function send(name: string, person: Visitor, email = ann): Promise<Seen> {
  const [method = '', path = ''] = name.split(' ');
  if (method === 'GET') {
    await site.world.store.accounts.restoreAccount(email);
    return person.get(addressOf(path, email));
  }
  const { accounts } = site.world.store;
  // The account is open, or closed to be restored.
  if (path.startsWith('/operator/closed'))
    await accounts.closeAccount(email, byService, site.world.now);
  else await accounts.restoreAccount(email);
  if (path.startsWith('/operator/invitations')) {
    params = { ...params, id: String(await addInvitation()) };
  } else if (path.startsWith('/operator/notices')) {
    params = { ...params, id: String(await addNotice()) };
  } else if (path.includes('{id}') && !(await accounts.listKeys(email, site.world.now))?.length) {
    await site.world.addKey(email);
    const [key] = (await accounts.listKeys(email, site.world.now)) ?? [];
    params = { ...params, id: String(key?.id) };
  }
  const { token = '', once = '' } = readForm((await person.get('/keys')).html, '/keys');
  return person.post(addressOf(path, email), { ...fields, token, once });
}

let invitations = 0;

async function addInvitation(): Promise<number | undefined> {
  const { accounts } = site.world.store;
  const { now: at } = site.world;
  const tokenHash = Bun.SHA256.hash(`${invitations++}`) as Uint8Array as TokenHash;
  await accounts.addInvitation({ plan: 'free', tokenHash, at, expiresAt: at + hourMs });
  return (await accounts.listInvitations(at))[0]?.id;
}

function addNotice() {
  const period = { fromAt: site.world.now, untilAt: null };
  const facts = { severity: 'info', title: 'Maintenance', text: '', ...period } as const;
  return site.world.store.accounts.addNotice(facts);
}

function personWith(role: Role | null): Visitor {
  const person = people.get(role);
  if (!person) throw new Error(`Nobody has the role ${role}.`);
  return person;
}

const isRole = (access: string) => roles.some((role) => role === access);

test('every operator route has a row in the table, with its role', () => {
  const found = site.routes.flatMap(({ access, path, get, post }) =>
    isRole(access)
      ? [...(get ? [`GET ${path}: ${access}`] : []), ...(post ? [`POST ${path}: ${access}`] : [])]
      : [],
  );
  expect(found.sort()).toEqual(rows.map(({ name, role }) => `${name}: ${role}`).sort());
});

test('operator paths are for roles only', () => {
  const open = site.routes.filter(({ access }) => !isRole(access));
  expect(open.filter(({ path }) => path.startsWith('/operator'))).toEqual([]);
});

describe.each(rows)('$name', ({ name, role: needed }) => {
  test.each([...roles, 'nobody'] as const)('for %s', async (person) => {
    const role = person === 'nobody' ? null : person;
    const seen = await send(name, personWith(role));
    const isDone = seen.status === 200 || seen.status === 303;
    expect([seen.status, isDone]).toEqual([seen.status, hasRole(role, needed)]);
    if (!isDone) expect(seen.status).toBe(404);
  });
});

/** They change nothing. */
const searches = ['POST /operator/accounts', 'POST /operator/audit'];

test.each(rows.filter(({ name }) => name.startsWith('POST') && !searches.includes(name)))(
  '$name is in the audit log',
  async ({ name, role }) => {
    const { accounts } = site.world.store;
    // Only a few links are sent in an hour.
    site.world.now += hourMs;
    const actor = await accounts.findAccount(`${role}@example.com`, 0);
    await accounts.restoreAccount(ann);
    const target = await accounts.findAccount(ann, 0);
    const latest = async () =>
      (await accounts.listAudit({ accountId: null, before: null, limit: 1 }))[0];
    const before = (await latest())?.id ?? 0;
    await send(name, personWith(role));
    const entry = await latest();
    expect(entry?.id).toBeGreaterThan(before);
    const accountId = isAboutAccount(name) ? target?.id : null;
    expect(entry).toMatchObject({ actorId: actor?.id, accountId });
  },
);

const ofOperators = rows.filter(
  ({ name, role }) => name.startsWith('POST') && role === 'operator' && isAboutAccount(name),
);

test.each(ofOperators)('$name refuses operators for accounts with a role', async ({ name }) => {
  for (const role of roles) {
    const seen = await send(name, personWith('operator'), otherWith(role));
    expect([role, seen.status]).toEqual([role, 404]);
  }
});

test('support sees no keys and no private data of accounts', async () => {
  const path = addressOf('/operator/accounts/{account}');
  await site.world.store.accounts.restoreAccount(ann);
  await site.world.addKey(ann);
  const support = await personWith('support').get(path);
  const admin = await personWith('admin').get(path);
  const [key] = (await site.world.store.accounts.listKeys(ann, site.world.now)) ?? [];
  expect(admin.html).toContain(`${key?.prefix}`);
  expect(support.html).not.toContain(`${key?.prefix}`);
  for (const { html } of [support, admin]) expect(html).not.toContain('Secret name');
  const forms = [...support.html.matchAll(/action="(\/operator[^"]*)"/g)].map(([, to]) => to);
  expect(forms).toEqual([`${path}/messages/${params.message}/resend`, `${path}/mail`]);
});

test('the password link that support requests goes to the owner only, a few times an hour', async () => {
  mails.length = 0;
  site.world.now += hourMs;
  const name = 'POST /operator/accounts/{account}/mail';
  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) {
    const seen = await send(name, personWith('support'));
    expect(seen.html).not.toContain('/password/');
    statuses.push(seen.status);
  }
  expect(statuses).toEqual([303, 303, 303, 429]);
  expect(mails).toEqual([ann, ann, ann]);
});

test('the only admin keeps the role, and can give it to another account first', async () => {
  const { accounts } = site.world.store;
  await accounts.restoreAccount(otherWith('admin'));
  await accounts.setRole(otherWith('admin'), null);
  const path = addressOf('/operator/accounts/{account}', 'admin@example.com');
  const admin = personWith('admin');
  const change = async () =>
    admin.submit(await admin.get(path), `${path}/role`, { role: 'operator' });
  const refused = await change();
  expect([refused.status, textOf(refused.html)]).toEqual([
    400,
    expect.stringContaining('This is the only admin.'),
  ]);
  await accounts.setRole(otherWith('admin'), 'admin');
  expect((await change()).status).toBe(303);
  await accounts.setRole('admin@example.com', 'admin');
});

test('the only admin cannot be deleted, neither as an operator nor as the owner', async () => {
  const { accounts } = site.world.store;
  await accounts.setRole(otherWith('admin'), null);
  const admin = personWith('admin');
  const email = 'admin@example.com';
  const byOperator = addressOf('/operator/accounts/{account}/remove', email);
  for (const path of [byOperator, '/account/delete']) {
    const refused = await admin.submit(await admin.get(path), path, { email, password });
    expect([refused.status, textOf(refused.html)]).toEqual([
      409,
      expect.stringContaining('This is the only admin. Give another account the role first.'),
    ]);
  }
  expect(await accounts.findAccount(email, site.world.now)).toMatchObject({ role: 'admin' });
  await accounts.setRole(otherWith('admin'), 'admin');
});
