/** Invitations: links that create one account each, and the first operator's. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  firstOperatorMs,
  invitationMs,
  invitationPath,
  inviteFirstOperator,
  makeInvitation,
} from '../../src/accounts/people/invitations.work.ts';
import { password, type Site, startSite, textOf, type Visitor } from '../support/site.ts';

let site: Site;
let operator: Visitor;

beforeAll(async () => {
  site = await startSite({
    site: { access: { signUp: 'invite', hasPublicPages: true, requires: 'none' } },
  });
});

afterAll(() => site.close());

const deps = () => ({
  accounts: site.world.store.accounts,
  randomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
});

const accept = async (path: string, email: string) => {
  const visitor = site.visitor();
  const page = await visitor.get(path);
  return { visitor, seen: await visitor.submit(page, path, { email, password }) };
};

const find = (email: string) => site.world.store.accounts.findAccount(email, site.world.now);

describe('the first operator', () => {
  test('is created with the latest link, once, within a day', async () => {
    const early = invitationPath((await inviteFirstOperator(deps(), site.world.now)) ?? '');
    const path = invitationPath((await inviteFirstOperator(deps(), site.world.now)) ?? '');
    expect((await site.visitor().get(early)).status).toBe(404);
    const page = await site.visitor().get(path);
    expect(textOf(page.html)).toContain('Create the first operator account');
    site.world.now += firstOperatorMs;
    expect((await site.visitor().get(path)).status).toBe(404);
    site.world.now -= firstOperatorMs;
    const visitors = [site.visitor(), site.visitor()];
    const sent = await Promise.all(
      visitors.map(async (visitor, index) => {
        const typed = { email: `op${index}@example.com`, password };
        return visitor.submit(await visitor.get(path), path, typed);
      }),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([303, 404]);
    const winner = sent.findIndex(({ status }) => status === 303);
    expect(sent[winner]?.goTo).toBe('/operator');
    operator = visitors[winner] ?? site.visitor();
    expect((await operator.get('/operator')).status).toBe(200);
    expect(await find(`op${1 - winner}@example.com`)).toBeNull();
    expect(await find(`op${winner}@example.com`)).toMatchObject({
      role: 'admin',
      plan: 'reseller',
    });
  });

  test('is the only one: no further link is made', async () => {
    expect(await inviteFirstOperator(deps(), site.world.now)).toBeNull();
  });
});

describe('an invitation', () => {
  const create = async (plan: string) => {
    const page = await operator.get('/operator/accounts');
    const shown = await operator.submit(page, '/operator/invitations', { plan });
    return /\/invitations\/[\w-]{43}/.exec(shown.html)?.[0] ?? '';
  };

  test('creates one account on its plan', async () => {
    const path = await create('reseller');
    const { visitor, seen } = await accept(path, 'bob@example.com');
    expect([seen.status, seen.goTo]).toEqual([303, '/welcome']);
    expect((await visitor.get('/inventory')).status).toBe(200);
    expect(await find('bob@example.com')).toMatchObject({ plan: 'reseller', role: null });
    expect((await site.visitor().get(path)).status).toBe(404);
  });

  test('is not used up by an email that has an account', async () => {
    const path = await create('free');
    const { seen } = await accept(path, 'bob@example.com');
    expect(seen.status).toBe(409);
    expect((await accept(path, 'cat@example.com')).seen.status).toBe(303);
  });

  test('is listed without its link, and can be revoked', async () => {
    const path = await create('free');
    const page = await operator.get('/operator/accounts');
    expect(page.html).not.toContain(path);
    const [revoke = ''] = /\/operator\/invitations\/\d+\/revoke/.exec(page.html) ?? [];
    expect((await operator.submit(page, revoke)).goTo).toBe('/operator/accounts?did=uninvited');
    expect((await site.visitor().get(path)).status).toBe(404);
  });

  test('expires after a week', async () => {
    const { now } = site.world;
    const token = await makeInvitation(deps(), { plan: 'free', at: now });
    const open = () => site.visitor().get(invitationPath(token));
    site.world.now = now + invitationMs - 1;
    expect((await open()).status).toBe(200);
    site.world.now = now + invitationMs;
    expect((await open()).status).toBe(404);
    site.world.now = now;
  });
});

test('on a closed site, invitations do not work and cannot be created', async () => {
  const closed = await startSite({
    site: { access: { signUp: 'closed', hasPublicPages: true, requires: 'none' } },
  });
  try {
    const { accounts } = closed.world.store;
    const at = closed.world.now;
    const token = await makeInvitation({ ...deps(), accounts }, { plan: 'free', at });
    expect((await closed.visitor().get(invitationPath(token))).status).toBe(404);
    const op = await closed.signedIn('op@example.com', { isOperator: true });
    const page = await op.get('/operator/accounts');
    expect(textOf(page.html)).toContain('BRICKMARK_SIGN_UP is closed');
    expect((await closed.visitor().get('/sign-up')).html).toContain('The operator of this site');
  } finally {
    await closed.close();
  }
});
