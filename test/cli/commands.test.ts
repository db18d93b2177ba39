/** The operator's commands, typed: what they answer, and what they say when typed wrongly. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import manifest from '../../package.json' with { type: 'json' };
import { commands } from '../../src/cli/run.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';

let place: Workplace;

beforeAll(() => {
  place = makeWorkplace();
});

afterAll(() => place.close());

describe('help', () => {
  test('the overview names every command and every setting', async () => {
    const { status, stdout } = await place.run(['--help']);
    expect(status).toBe(0);
    for (const { name } of commands) expect(stdout).toContain(name);
    expect(stdout).toContain('BRICKMARK_NOW');
  });

  test('every command explains itself', async () => {
    const texts = await Promise.all(
      commands.map(({ name }) => place.run([...name.split(' '), '--help'])),
    );
    texts.forEach(({ status, stdout }, index) => {
      const command = commands[index];
      expect(status).toBe(0);
      expect(stdout).toContain(`Usage: brickmark ${command?.name}`);
      for (const flag of Object.keys(command?.flags ?? {})) expect(stdout).toContain(`--${flag}`);
    });
  });
});

test('--version is what everybody types for version', async () => {
  const { status, stdout } = await place.run(['--version']);
  expect([status, stdout]).toEqual([0, `Brickmark ${manifest.version} on Bun ${Bun.version}\n`]);
});

describe('wrong usage is exit status 2, one sentence and a next step', () => {
  test.each([
    [['acount', 'list'], "There is no command 'acount'; did you mean 'account'?"],
    [['account'], "Which of 'account add'"],
    [['account', 'add'], 'EMAIL is missing.'],
    [['account', 'add', 'nobody'], "'nobody' is not an e-mail address."],
    [['account', 'add', 'a@example.com', '--plann', 'free'], "did you mean '--plan'?"],
    [['account', 'add', 'a@example.com', '--plan', 'gold'], "got 'gold'"],
    [['account', 'plan', 'a@example.com'], 'PLAN is missing.'],
    [['account', 'list', 'extra'], "'extra' is one word too many."],
    [['key', 'add', 'a@example.com', '--allowance', '0'], 'from 1 to'],
    [['key', 'add', 'a@example.com', '--expires', 'soon'], "'soon' is not an instant"],
    [['key', 'add', 'a@example.com', '--expires', '2020-01-01T00:00:00Z'], 'lies in the past'],
    [['key', 'revoke', 'x'], "got 'x'"],
    [['import', 'fead', 'x'], "did you mean 'feed'?"],
    [['import', 'feed'], 'PATH is missing'],
    [['import', 'feed', '-', '--account', 'a@example.com'], "does not go with 'feed'"],
    [['backup'], 'PATH is missing.'],
    [['health', '--url', '127.0.0.1:8080'], "got '127.0.0.1:8080'"],
    [['restore', 'x', 'y'], "'y' is one word too many."],
    [['serve', '--port', '99999'], "got '99999'"],
    [['serve', '--workers', '2'], 'needs PostgreSQL'],
    [['serve', '--port', '--json'], "'--port' needs a value."],
    [['value', '--as-of'], "'--as-of' needs a value."],
    [['value', '--as-of', '2030-01-01T00:00:00Z'], 'lies in the future'],
    [['history', 'restate', '--from', '2026-01'], '--reason TEXT is missing'],
    [['history', 'restate', '--from', '2026-13', '--reason', 'x'], 'is not a month'],
    [['history', 'restate', '--from', '2026-11', '--reason', 'x'], 'is not final yet'],
  ])('%j', async (words, message) => {
    const { status, stdout, stderr } = await place.run(words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain('--help');
    expect(stderr).not.toContain('    at ');
  });
});

describe('what cannot be done is exit status 1, without a stack trace', () => {
  test.each([
    [['account', 'plan', 'nobody@example.com', 'free'], "no account 'nobody@example.com'"],
    [['account', 'remove', 'nobody@example.com'], 'no account'],
    [['key', 'add', 'nobody@example.com'], 'no account'],
    [['key', 'list', 'nobody@example.com'], 'no account'],
    [['key', 'revoke', '999'], 'no key 999'],
    [['key', 'allowance', '999', '5'], 'no key 999'],
    [['import', 'feed', 'missing.ndjson'], "no file 'missing.ndjson'"],
    [['import', 'feed', '.'], 'is a folder'],
    [['history', 'restate', '--from', '2026-01', '--reason', 'x'], 'not sealed yet'],
    [['value', '--data', '/dev/null/x'], "no store in '/dev/null/x'"],
    [['explain', 'set', '1', '--data', 'nowhere'], "no store in 'nowhere'"],
    [['account', 'list', '--data', '/dev/null/x'], 'data folder'],
    [['restore', 'missing'], "no backup in 'missing'"],
    [['serve', '--host', '300.1.1.1', '--port', '0'], 'Cannot listen on 300.1.1.1'],
    [['value', '--database', 'postgres://127.0.0.1:1/x'], 'PostgreSQL cannot be reached'],
    [
      ['value', '--database', 'mysql://127.0.0.1/x'],
      '--database is not an address such as postgres',
    ],
    [['backup', 'x', '--database', 'postgres://127.0.0.1:1/x'], 'pg_dump'],
    [['demo', '--database', 'postgres://127.0.0.1:1/x'], 'PostgreSQL cannot be reached'],
  ])('%j', async (words, message) => {
    const { status, stdout, stderr } = await place.run(words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  test('a setting that makes no sense is named', async () => {
    const { status, stderr } = await place.run(['account', 'list'], { now: 'yesterday' });
    expect(status).toBe(1);
    expect(stderr).toContain("BRICKMARK_NOW 'yesterday'");
  });
});

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

describe('openapi', () => {
  test('prints the document', async () => {
    const document = await place.json<{ openapi: string; paths: object }>(['openapi']);
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toHaveLength(14);
  });
});
