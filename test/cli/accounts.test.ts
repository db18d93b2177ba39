/** Commands for accounts and keys. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { table } from '../../src/cli/table.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { costlyHash } from '../support/passwords.ts';
import { onTables } from '../support/tables.ts';

let place: Workplace;

beforeAll(() => {
  place = makeWorkplace();
});

afterAll(() => place.close());

describe('accounts and keys', () => {
  const email = 'Reseller@Example.com';
  const hashes = 'SELECT password_hash FROM private.account';

  test('an account is created once, listed, put on a plan, given a password and removed', async () => {
    const add = ['account', 'add', email];
    expect(await place.json<object>(add)).toEqual({ account_id: 1, email, plan: 'free' });
    expect((await place.run(add)).stderr).toContain('already');
    expect((await place.run(['account', 'plan', email.toLowerCase(), 'reseller'])).status).toBe(0);
    const weak = await place.run(['account', 'password', email], { stdin: 'short\n' });
    expect(weak.stderr).toContain('at least 10 characters');
    const strong = await place.run(['account', 'password', email], { stdin: 'long enough now\n' });
    expect(strong.status).toBe(0);
    const [row] = await onTables<{ password_hash: string }>(place.data, hashes);
    expect(row?.password_hash).toStartWith(costlyHash);
    const { accounts } = await place.json<{ accounts: object[] }>(['account', 'list']);
    expect(accounts).toMatchObject([{ email, plan: 'reseller', operator: false }]);
    expect((await place.run(['account', 'list'])).stdout).toContain(email);
    await place.json(['account', 'add', 'op@example.com', '--operator', '--password-stdin'], {
      stdin: 'another long one',
    });
    const gone = ['account', 'remove', email.toLowerCase()];
    await place.json(gone);
    expect((await place.json<{ accounts: object[] }>(['account', 'list'])).accounts.length).toBe(1);
    await place.json(['account', 'restore', email]);
  });

  test('flags may come before the command, with or without a value', async () => {
    const list = ['account', 'list'];
    const { stdout } = await place.run([...list, '--json']);
    expect(stdout).toContain(email);
    expect((await place.run(['--json', ...list])).stdout).toBe(stdout);
    expect((await place.run([`--data=${place.data}`, '--json', ...list])).stdout).toBe(stdout);
    expect((await place.run(['--data', place.data, '--json', ...list])).stdout).toBe(stdout);
  });

  test('a password link is printed, with the public address if it is set', async () => {
    const link = ['account', 'password', email, '--link'];
    const made = await place.json<{ link: string; expires_at: string }>(link);
    expect(made.link).toMatch(/^\/password\/[\w-]{43}$/);
    expect(made.expires_at).toMatch(/^2026-11-16T12:0/);
    const ran = await place.run(link);
    expect(ran.stderr).toContain('BRICKMARK_BASE_URL');
    expect(ran.stdout).toContain('The link works once, until Nov 16, 2026');
    const env = { BRICKMARK_BASE_URL: 'https://bricks.example.com/' };
    const whole = await place.run(link, { env });
    expect(whole.stdout).toMatch(/^https:\/\/bricks\.example\.com\/password\/[\w-]{43}\n/);
    expect(whole.stderr).toBe('');
    const nobody = await place.run(['account', 'password', 'nobody@example.com', '--link']);
    expect([nobody.status, nobody.stderr]).toEqual([1, expect.stringContaining('no account')]);
  });

  test('a lost second factor is reset', async () => {
    const done = await place.run(['account', 'reset-factor', email]);
    expect([done.status, done.stdout]).toEqual([0, expect.stringContaining('password alone')]);
    const nobody = await place.run(['account', 'reset-factor', 'nobody@example.com']);
    expect([nobody.status, nobody.stderr]).toEqual([1, expect.stringContaining('no account')]);
  });

  test('an invitation is printed, unless nobody can sign up', async () => {
    const invite = ['account', 'invite', '--plan', 'reseller'];
    const made = await place.json<{ link: string; expires_at: string }>(invite);
    expect(made.link).toMatch(/^\/invitations\/[\w-]{43}$/);
    expect(made.expires_at).toMatch(/^2026-11-22T12:0/);
    const closed = await place.run(invite, { env: { BRICKMARK_SIGN_UP: 'closed' } });
    expect([closed.status, closed.stderr]).toEqual([1, expect.stringContaining("to 'invite'")]);
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
        scopes: ['market', 'portfolio', 'sales', 'events'],
        networks: null,
        is_test: false,
        is_limited: true,
        old_secret_until: null,
        allowance: 5000,
        used_today: 0,
        left_today: 5000,
        created_at: expect.stringMatching(/^2026-11-15T12:0/),
        expires_at: '2027-01-01T00:00:00.000Z',
        last_used_at: null,
      },
    ]);
    expect(JSON.stringify(await list())).not.toContain(made.key.slice(0, 12));
    await place.json(['key', 'revoke', String(made.key_id)]);
    expect((await list()).keys).toMatchObject([{ state: 'revoked' }]);
  });

  test('a key has scopes and networks, is renamed, and rolled', async () => {
    const add = ['key', 'add', email, '--scopes', 'sales,market', '--networks', '::1 10.0.0.0/8'];
    const made = await place.json<{ key_id: number; key: string }>([...add, '--test']);
    const id = String(made.key_id);
    const widened = ['key', 'access', id, '--networks', 'all', '--scopes', 'sales'];
    expect(await place.json<object>(widened)).toMatchObject({ networks: null, scopes: ['sales'] });
    await place.json(['key', 'access', id, '--networks', '::1 10.0.0.0/8']);
    await place.json(['key', 'access', id, '--scopes', 'sales,market']);
    await place.json(['key', 'rename', id, 'Widget']);
    const rolled = await place.json<{ key: string }>(['key', 'roll', id]);
    expect(rolled.key).toMatch(/^bmk_7e57[0-9a-f]{44}$/);
    expect(rolled.key).not.toBe(made.key);
    const { keys } = await place.json<{ keys: { key_id: number }[] }>(['key', 'list', email]);
    expect(keys.find(({ key_id }) => key_id === made.key_id)).toMatchObject({
      name: 'Widget',
      prefix: rolled.key.slice(0, 12),
      scopes: ['market', 'sales'],
      networks: ['::1', '10.0.0.0/8'],
      is_test: true,
      old_secret_until: expect.stringMatching(/^2026-11-16T12:0/),
    });
    const { stdout } = await place.run(['key', 'list', email]);
    expect(stdout).toMatch(/Widget +active, test +market,sales/);
    await place.json(['key', 'revoke', id]);
    const late = await place.run(['key', 'roll', id]);
    expect([late.status, late.stderr]).toEqual([1, expect.stringContaining('is not active')]);
  });

  test('a list of networks without a network does not create a key for all of them', async () => {
    const before = await place.json(['key', 'list', email]);
    for (const none of ['', ' , ']) {
      const key = await place.run(['key', 'add', email, '--networks', none]);
      expect([key.status, key.stderr]).toEqual([
        2,
        expect.stringContaining('at least one network'),
      ]);
    }
    expect(await place.json(['key', 'list', email])).toEqual(before);
  });

  test('hidden characters are rejected in emails and names, and escaped in lists', async () => {
    for (const hidden of ['\u001b[2J', '\u009b', '\u202e']) {
      const account = await place.run(['account', 'add', `x${hidden}@example.com`]);
      expect(account.stderr).toContain('contains invisible characters');
      const key = await place.run(['key', 'add', email, '--name', `x${hidden}`]);
      expect(key.stderr).toContain('contains invisible characters');
    }
    expect(table(['A'], [['x\u001b[2J\u202e']])).toBe('A\nx\\u001b[2J\\u202e');
  });

  test('an email with look-alike letters is rejected, for a new account and in the feed', async () => {
    for (const lookAlike of ['\uff41nn@example.com', '\u0430nn@example.com']) {
      const account = await place.run(['account', 'add', lookAlike]);
      expect([account.status, account.stderr]).toEqual([
        2,
        expect.stringContaining('Use only the letters a to z in the email'),
      ]);
      const stdin = JSON.stringify({ kind: 'brickfolio', account: lookAlike, name: 'Attic' });
      const { stdout } = await place.run(['import', 'feed', '-', '--json'], { stdin });
      const { rejects }: { rejects: { reason: string }[] } = JSON.parse(stdout);
      expect(rejects.map(({ reason }) => reason)).toEqual([
        `there is no account '${lookAlike}', which contains letters other than a to z`,
      ]);
    }
  });

  test('a key can be created on the free plan, with a hint which plan calls need', async () => {
    await place.json(['account', 'add', 'free@example.com']);
    const { status, stderr, stdout } = await place.run(['key', 'add', 'free@example.com']);
    expect(status).toBe(0);
    expect(stdout).toContain('bmk_');
    expect(stderr).toContain('API calls need the Reseller plan');
  });
});

describe('the only admin', () => {
  const one = 'one@example.com';
  const refusal = 'This is the only admin. Give another account the role first.\n';
  let ground: Workplace;

  beforeAll(async () => {
    ground = makeWorkplace();
    await ground.json(['account', 'add', one, '--operator']);
  });

  afterAll(() => ground.close());

  test.each([
    { args: ['role', one, 'none'] },
    { args: ['role', one, 'support'] },
    { args: ['remove', one] },
    { args: ['remove', one, '--now', '--yes'] },
  ])('is refused by account $args', async ({ args }) => {
    const ran = await ground.run(['account', ...args]);
    expect([ran.status, ran.stdout, ran.stderr]).toEqual([1, '', refusal]);
  });

  test('is one of two that are erased at the same time', async () => {
    const two = 'two@example.com';
    for (let round = 0; round < 3; round++) {
      for (const email of [one, two]) await ground.run(['account', 'add', email, '--operator']);
      const ran = await Promise.all(
        [one, two].map((email) => ground.run(['account', 'remove', email, '--now', '--yes'])),
      );
      expect(ran.map(({ stderr }) => stderr).sort()).toEqual(['', refusal]);
    }
  });
});

describe('removing an account', () => {
  const email = 'gone@example.com';
  const remove = ['account', 'remove', email];

  beforeAll(async () => {
    await place.json(['account', 'add', email, '--plan', 'reseller']);
    await place.json(['key', 'add', email]);
  });

  const emails = async (...flags: string[]) =>
    (
      await place.json<{ accounts: { email: string }[] }>(['account', 'list', ...flags])
    ).accounts.map((account) => account.email);

  test('asks on a terminal, and only a yes removes it', async () => {
    for (const stdin of ['n\n', '\n', '', 'yess\n']) {
      const ran = await place.run(remove, { stdin, isTyped: true });
      expect(ran.status).toBe(1);
      expect(ran.stderr).toBe(
        'Remove gone@example.com? Its keys and sessions end now; it can be restored for 7 days. ' +
          '[y/N] Canceled; nothing was changed.\n',
      );
      expect(await emails()).toContain(email);
    }
    const done = await place.run(remove, { stdin: 'y\n', isTyped: true });
    expect([done.status, done.stdout]).toEqual([
      0,
      expect.stringContaining("'brickmark account restore gone@example.com' brings it back"),
    ]);
    expect(await emails()).not.toContain(email);
  });

  test('keeps it for seven days, in which it can be restored', async () => {
    expect(await emails('--removed')).toContain(email);
    const again = await place.run(remove);
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('removed already')]);
    const taken = await place.run(['account', 'add', email]);
    expect(taken.stderr).toContain(`'brickmark account restore ${email}'`);
    const restored = await place.json<object>(['account', 'restore', email]);
    expect(restored).toMatchObject({ email, restored: true });
    expect(await emails()).toContain(email);
    expect(await place.json<object>(['key', 'list', email])).toEqual({ keys: [] });
    const nothing = await place.run(['account', 'restore', email]);
    expect([nothing.status, nothing.stderr]).toEqual([1, expect.stringContaining('not removed')]);
  });

  test('does not ask scripts: without a terminal, with --yes or not', async () => {
    const until = { removed: true, restorable_until: expect.stringMatching(/^2026-11-22T12:0/) };
    expect(await place.json<object>(remove)).toEqual({ email, ...until });
    await place.json(['account', 'restore', email]);
    const asked = await place.run([...remove, '--yes'], { isTyped: true });
    expect([asked.status, asked.stderr]).toEqual([0, '']);
  });

  test('--now erases it, removed or not, and its email can be used again', async () => {
    const refused = await place.run([...remove, '--now']);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('add --yes')]);
    expect(await place.json<object>([...remove, '--now', '--yes'])).toEqual({
      email,
      removed: true,
      restorable_until: null,
    });
    expect(await emails('--removed')).not.toContain(email);
    await place.json(['account', 'add', email]);
    await place.json([...remove, '--now', '--yes']);
    expect((await place.run([...remove, '--now', '--yes'])).stderr).toContain('no account');
  });

  test('is in the audit log, which has no addresses of erased accounts', async () => {
    const { entries } = await place.json<{ entries: { action: string; email: string }[] }>([
      'audit',
    ]);
    const actions = entries.map(({ action }) => action);
    expect(actions.slice(0, 3)).toEqual(['account.erased', 'account.added', 'account.erased']);
    expect(actions).toContain('account.restored');
    expect(JSON.stringify(entries)).not.toContain(email);
  });

  test('all that is held on an account can be printed, also after it is removed', async () => {
    await place.json(['account', 'add', 'held@example.com']);
    const held = async () => {
      const { stdout } = await place.run(['account', 'export', 'held@example.com']);
      return JSON.parse(stdout);
    };
    expect((await held()).account).toMatchObject({ email: 'held@example.com', deleted_at: null });
    await place.json(['account', 'remove', 'held@example.com']);
    const { account, activity } = await held();
    expect(account.deleted_at).toStartWith('2026-11-15T12:0');
    expect(activity.map(({ action }: { action: string }) => action)).toEqual([
      'account.exported',
      'account.closed',
      'account.exported',
      'account.added',
    ]);
    expect((await place.run(['account', 'export', 'nobody@example.com'])).status).toBe(1);
  });
});
