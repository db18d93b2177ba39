/** Accounts and keys, typed: what operators do with them, and what they are told. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { makeWorkplace, type Workplace } from '../support/cli.ts';

let place: Workplace;

beforeAll(() => {
  place = makeWorkplace();
});

afterAll(() => place.close());

describe('accounts and keys', () => {
  const email = 'Reseller@Example.com';

  test('an account is made once, listed, put on a plan, given a password and removed', async () => {
    const add = ['account', 'add', email];
    expect(await place.json<object>(add)).toEqual({ account_id: 1, email, plan: 'free' });
    expect((await place.run(add)).stderr).toContain('already');
    expect((await place.run(['account', 'plan', email.toLowerCase(), 'reseller'])).status).toBe(0);
    const weak = await place.run(['account', 'password', email], { stdin: 'short\n' });
    expect(weak.stderr).toContain('at least 10 characters');
    const strong = await place.run(['account', 'password', email], { stdin: 'long enough now\n' });
    expect(strong.status).toBe(0);
    const { accounts } = await place.json<{ accounts: object[] }>(['account', 'list']);
    expect(accounts).toMatchObject([{ email, plan: 'reseller', operator: false }]);
    await place.json([...['account', 'add', 'op@example.com', '--operator', '--password-stdin']], {
      stdin: 'another long one',
    });
    await place.json(['account', 'remove', 'op@example.com']);
    expect((await place.json<{ accounts: object[] }>(['account', 'list'])).accounts.length).toBe(1);
  });

  test('a key is shown once, listed by its first 8 characters, given an allowance, revoked', async () => {
    const add = ['key', 'add', email, '--name', 'Sheet', '--expires', '2027-01-01T00:00:00Z'];
    const made = await place.json<{ key_id: number; key: string }>(add);
    expect(made.key).toMatch(/^bmk_[0-9a-f]{48}$/);
    await place.json(['key', 'allowance', String(made.key_id), '5000']);
    const list = async () => place.json<{ keys: object[] }>(['key', 'list', email]);
    expect((await list()).keys).toEqual([
      {
        key_id: made.key_id,
        name: 'Sheet',
        prefix: made.key.slice(0, 8),
        state: 'active',
        allowance: 5000,
        used_today: 0,
        created_at: expect.stringMatching(/^2026-11-15T12:0/),
        expires_at: '2027-01-01T00:00:00.000Z',
        last_used_at: null,
      },
    ]);
    expect(JSON.stringify(await list())).not.toContain(made.key.slice(0, 12));
    await place.json(['key', 'revoke', String(made.key_id)]);
    expect((await list()).keys).toMatchObject([{ state: 'revoked' }]);
  });

  test('a key can be made on the free plan, and says that calls answer 403 until then', async () => {
    await place.json(['account', 'add', 'free@example.com']);
    const { status, stderr, stdout } = await place.run(['key', 'add', 'free@example.com']);
    expect(status).toBe(0);
    expect(stdout).toContain('bmk_');
    expect(stderr).toContain('403');
  });
});
