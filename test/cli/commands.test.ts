/** Operator commands: help, results, usage errors and failures. */
import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { commands, consumerCommands } from '../../src/cli/commands.ts';
import { at } from '../../src/kernel/at.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { runInTurn } from '../support/commands-in-turn.ts';
import { launcher } from '../support/program.ts';
import type { Ran } from '../support/typed.ts';

let place: Workplace;

beforeAll(() => {
  place = makeWorkplace();
});

afterAll(() => place.close());

describe('help', () => {
  const tooLong = (text: string) => text.split('\n').filter((line) => line.length > 80);

  test('the overview names every command and every setting', async () => {
    const { status, stdout } = await place.run(['--help']);
    expect(status).toBe(0);
    for (const { name } of [...commands, ...consumerCommands]) expect(stdout).toContain(name);
    for (const name of ['BRICKMARK_NOW', 'BRICKMARK_KEY']) expect(stdout).toContain(name);
    expect(tooLong(stdout)).toEqual([]);
  });

  test('of a group names its commands only', async () => {
    const { status, stdout } = await place.run(['get', '--help']);
    expect(status).toBe(0);
    expect(stdout).toStartWith("'get' commands:\n\n  get set NUMBER…|-");
    expect(stdout).not.toContain('search');
    expect(await place.run(['--help', 'get'])).toEqual({ status, stdout, stderr: '' });
  });

  test('every command explains itself', async () => {
    const all = [...commands, ...consumerCommands];
    const texts = await Promise.all(
      all.map(({ name }) => place.run([...name.split(' '), '--help'])),
    );
    texts.forEach(({ status, stdout }, index) => {
      const command = all[index];
      expect(status).toBe(0);
      expect(stdout).toContain(`Usage: brickmark ${command?.name}`);
      for (const flag of Object.keys(command?.flags ?? {})) expect(stdout).toContain(`--${flag}`);
      expect(tooLong(stdout)).toEqual([]);
    });
  });
});

test('--version does the same as version', async () => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([launcher, '--version']);
  expect([exitCode, stderr.toString()]).toEqual([0, '']);
  const version = `Brickmark ${manifest.version} on Bun ${Bun.version}`;
  expect(stdout.toString().replace(/, commit [\da-f]{12}\n$/, '')).toBe(version);
});

describe('a command succeeds, and leaves nothing that would keep its process running', () => {
  const email = 'shell@example.com';
  const minifigs = ['a1', 'a2'].map((number) => ({
    kind: 'minifig',
    minifig_number: number,
    name: 'Knight',
  }));
  const hut = { kind: 'set', set_number: '1', title: 'Hut', theme: 'Huts' };
  const feed = [hut, ...minifigs].map((line) => JSON.stringify(line)).join('\n');
  const done: [words: string[], stdin?: string][] = [
    [['account', 'add', email]],
    [['account', 'plan', email, 'reseller']],
    [['account', 'password', email], 'long enough now'],
    [['account', 'list']],
    [['key', 'add', email]],
    [['key', 'list', email]],
    [['key', 'usage', email]],
    [['key', 'allowance', '1', '5']],
    [['key', 'rename', '1', 'x']],
    [['key', 'access', '1', '--scopes', 'all']],
    [['key', 'roll', '1']],
    [['key', 'revoke', '1']],
    [['import', 'feed', '-'], feed],
    [['import', 'log']],
    [['import', 'feed', '-'], feed.replace('Hut', 'Wrong')],
    [['import', 'undo', '2']],
    [['watch', 'drop', '--once']],
    [['export', 'collection', '--account', email]],
    [['value']],
    [['history', 'seal']],
    [['history', 'restate', '--from', '2026-10', '--reason', 'Wrong prices']],
    [['history', 'list']],
    [['explain', 'set', '1']],
    [['sources', '1']],
    [['minifigs', 'unsure']],
    [['minifigs', 'join', 'a1', 'a2']],
    [['minifigs', 'part', 'a1', 'a2']],
    [['scorecard']],
    [['sync', 'status']],
    [['backup', 'copy']],
    [['restore', 'copy', '--force']],
    [['account', 'role', email, 'support']],
    [['account', 'reset-factor', email]],
    [['notice', 'add', 'Maintenance', '--until', '2026-11-16T12:00:00Z']],
    [['notice', 'list']],
    [['notice', 'remove', '1']],
    [['share', 'list', '--account', email]],
    [['audit']],
    [['account', 'export', email]],
    [['account', 'remove', email]],
    [['account', 'restore', email]],
    [['account', 'remove', email, '--yes', '--now']],
    [['migrate']],
    [['roles']],
    [['openapi', '--plus']],
    [['completion', 'bash']],
    [['version']],
  ];
  /** Commands that need a server, or run until they are stopped. */
  const elsewhere = {
    demo: 'test/process/executable.test.ts',
    backtest: 'backtest.test.ts',
    serve: 'test/process/serving.test.ts',
    move: 'move.test.ts',
    upkeep: 'test/nodes/composition.test.ts',
    'sync check': 'test/process/syncing.test.ts',
    health: 'health.test.ts',
    'account invite': 'accounts.test.ts',
    reload: 'test/process/reload.test.ts',
  };
  const data = ['--data', 'shell'];

  let ran: readonly Ran[];

  beforeAll(async () => {
    mkdirSync(join(place.folder, 'drop'));
    const typed = done.map(([words, stdin = '']) => ({ words: [...words, ...data], stdin }));
    ran = await runInTurn(typed, { folder: place.folder, environment: await place.env() });
  });

  test.each(done.map(([words], index) => [words, index] as const))(
    'succeeds: %j',
    (words, index) => {
      const { status, stdout, stderr } = at(ran, index);
      expect({ status, stderr }).toEqual({
        status: 0,
        stderr: words[0] === 'watch' ? 'Nothing to import.\n' : '',
      });
      if (words[0] !== 'watch') expect(stdout).toEndWith('\n');
    },
  );

  test('no command is left out', () => {
    const names = done.map(([words]) => words.join(' '));
    const isDone = (name: string) => names.some((typed) => `${typed} `.startsWith(`${name} `));
    const others = commands.map(({ name }) => name).filter((name) => !isDone(name));
    expect(others.sort()).toEqual(Object.keys(elsewhere).sort());
  });
});

// All other suites rely on this, since they run commands in their own process.
test.each([
  [['openapi'], 0],
  [['account', 'list', '--data', 'shell'], 0],
  [['acount', 'list'], 2],
  [['key', 'revoke', '999'], 1],
  [['value', '--database', 'postgres://127.0.0.1:1/x'], 1],
  [['import', 'feed', '-'], 1],
])('%j: a separate process gives the same output as this one', async (words, status) => {
  const options = { stdin: 'nonsense' };
  const ran = await place.run(words, options);
  expect(ran.status).toBe(status);
  expect(await place.start(words, options)).toEqual(ran);
});

describe('a usage error has exit status 2, one sentence and a next step', () => {
  test.each([
    [['upkeep', '--prot', '1'], "Unknown flag '--prot'. See"],
    [['serve', '--port', '99999'], "not '99999'"],
    [['serve', '--workers', '2'], 'needs PostgreSQL'],
  ])('rejects the words %j in a shell with status 2', async (words, message) => {
    const { status, stdout, stderr } = await place.start(words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain('--help');
    expect(stderr).not.toContain('    at ');
  });

  test.each([
    [['nosuch'], "Unknown command 'nosuch'. See"],
    [['acount', 'list'], "Unknown command 'acount'; did you mean 'account'?"],
    [['value', '--database', 'mysql://127.0.0.1/x'], '--database is not an address such as'],
    [['value', '--database', 'postgres://a:%ZZ@127.0.0.1/x'], '--database is not an address'],
    [['account', 'add'], 'EMAIL is missing.'],
    [['--json'], "No command after '--json'."],
    [['--data', 'elsewhere'], "No command after '--data elsewhere'."],
    [['--jsn', 'account', 'list'], "Unknown flag '--jsn'; did you mean '--json'?"],
    [['--verify', 'account', 'list'], "Unknown flag '--verify'. See 'brickmark account list"],
    [['account', 'list', '--nosuch'], "Unknown flag '--nosuch'. See"],
    [['import', 'spreadsheet', 'x'], "Unknown format 'spreadsheet'; use one of feed"],
    [['account'], "'account' needs a subcommand: 'account add'"],
    [['account', 'add', 'nobody'], "'nobody' is not an email address."],
    [['account', 'add', 'a@example.com', '--plann', 'free'], "did you mean '--plan'?"],
    [['account', 'add', 'a@example.com', '--plan', 'gold'], "not 'gold'"],
    [['account', 'plan', 'a@example.com'], 'PLAN is missing. Choose free or reseller.'],
    [['completion', 'csh'], "'csh' must be bash, zsh or fish."],
    [['account', 'list', 'extra'], "Unexpected argument 'extra'."],
    [['key', 'add', 'a@example.com', '--allowance', '0'], 'from 1 to'],
    [['key', 'add', 'a@example.com', '--expires', 'soon'], "'soon' is not a time"],
    [['key', 'add', 'a@example.com', '--expires', '2020-01-01T00:00:00Z'], 'is in the past'],
    [
      ['key', 'add', 'a@example.com', '--scopes', 'market,sale'],
      "'sale' is not a scope. Use market,",
    ],
    [['key', 'add', 'a@example.com', '--networks', '10.0.0.0/99'], 'is not a network'],
    [['key', 'revoke', 'x'], "not 'x'"],
    [['key', 'access', '1'], 'Name --scopes, --networks or both.'],
    [['import', 'fead', 'x'], "did you mean 'feed'?"],
    [['import', 'feed'], 'PATH is missing'],
    [['import', 'feed', '-', '--account', 'a@example.com'], "does not apply to 'feed'"],
    [['backup'], 'PATH is missing.'],
    [['health', '--url', '127.0.0.1:8080'], "not '127.0.0.1:8080'"],
    [['restore', 'x', 'y'], "Unexpected argument 'y'."],
    [['move'], '--to URL is missing'],
    [['move', '--to', 'mysql://u:secret@h/x'], '--to is not an address such as postgres://'],
    [['move', '--to', 'postgres://h/x', '--database', 'postgres://h/y'], 'without --database'],
    [['value', '--as-of'], "'--as-of' needs a value."],
    [['value', '--as-of', '--json'], "'--as-of' needs a value."],
    [['value', '--as-of', '2030-01-01T00:00:00Z'], 'is in the future'],
    [['history', 'restate', '--from', '2026-01'], '--reason TEXT is missing'],
    [['history', 'restate', '--from', '2026-13', '--reason', 'x'], 'is not a month'],
    [['history', 'restate', '--from', '2026-11', '--reason', 'x'], 'is not final yet'],
  ])('rejects the words %j with status 2 and a next step', async (words, message) => {
    const { status, stdout, stderr } = await place.run(words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain('--help');
    expect(stderr).not.toContain('    at ');
  });
});

describe('a failure has exit status 1 and no stack trace', () => {
  test.each([
    [['account', 'plan', 'nobody@example.com', 'free'], "no account 'nobody@example.com'"],
    [['account', 'remove', 'nobody@example.com'], 'no account'],
    [['key', 'add', 'nobody@example.com'], 'no account'],
    [['key', 'list', 'nobody@example.com'], 'no account'],
    [['key', 'usage', 'nobody@example.com'], 'no account'],
    [['key', 'rename', '999', 'x'], 'No key with ID 999'],
    [['key', 'roll', '999'], 'No key with ID 999'],
    [['key', 'access', '999', '--scopes', 'all'], 'No key with ID 999'],
    [['key', 'revoke', '999'], 'No key with ID 999'],
    [['key', 'allowance', '999', '5'], 'No key with ID 999'],
    [['import', 'feed', 'missing.ndjson'], "no file 'missing.ndjson'"],
    [['import', 'feed', '.'], 'is a folder'],
    [['history', 'restate', '--from', '2026-01', '--reason', 'x'], 'not sealed yet'],
    [['value', '--database', 'postgres://127.0.0.1:1/x'], 'Cannot connect to PostgreSQL'],
    [['backup', 'x', '--database', 'postgres://127.0.0.1:1/x'], 'pg_dump'],
  ])('fails with status 1 and no stack trace: %j', async (words, message) => {
    const { status, stdout, stderr } = await place.run(words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  test.each([
    [['serve', '--host', '300.1.1.1', '--port', '0'], 'Cannot listen on 300.1.1.1'],
    [['demo', '--database', 'postgres://127.0.0.1:1/x'], 'Cannot connect to PostgreSQL'],
  ])('fails in a shell with status 1: %j', async (words, message) => {
    const { status, stdout, stderr } = await place.start(words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  test('a replica needs PostgreSQL', async () => {
    const env = { BRICKMARK_REPLICA_URL: 'postgres://127.0.0.1:1/x', BRICKMARK_DATABASE_URL: '' };
    const { status, stderr } = await place.run(['account', 'list'], { env });
    expect([status, stderr]).toEqual([1, expect.stringContaining('needs PostgreSQL')]);
  });

  test('an invalid setting is named', async () => {
    const { status, stderr } = await place.run(['account', 'list'], { now: 'yesterday' });
    expect(status).toBe(1);
    expect(stderr).toContain("BRICKMARK_NOW 'yesterday'");
  });

  test('an unknown setting is refused, unless sources.toml in the data folder names it', async () => {
    const data = join(place.folder, 'other');
    const words = ['serve', '--port', '0', '--host', '300.1.1.1', '--data', data];
    const env = { BRICKMARK_SHOP_KEY: 'x', BRICKMARK_DATABASE_URL: '' };
    const { status, stderr } = await place.start(words, { env });
    expect([status, stderr]).toEqual([1, expect.stringContaining('setting BRICKMARK_SHOP_KEY.')]);
    expect(existsSync(data)).toBe(false);
    mkdirSync(data);
    writeFileSync(join(data, 'sources.toml'), '# headers_env = { Key = "BRICKMARK_SHOP_KEY" }');
    expect((await place.start(words, { env })).stderr).toContain('Cannot listen on 300.1.1.1');
  });

  test.each(['serve', 'demo'])('%s refuses a secret file that cannot be used', async (name) => {
    const env = { BRICKMARK_SECRET_FILE: join(place.folder, 'nowhere') };
    const words = [name, '--port', '0', '--data', join(place.folder, 'no-secret')];
    const { status, stderr } = await place.start(words, { env });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('BRICKMARK_SECRET_FILE: no file'),
    ]);
    // Commands that do not need the secret work without it.
    const other = await place.run(['roles'], { env });
    expect(other.status).toBe(0);
  });
});

describe('flags can precede the command', () => {
  test('common flags and those of the command', async () => {
    const words = ['account', 'list', '--json', '--data', 'elsewhere'];
    const after = await place.run(words);
    expect(await place.run(['--json', '--data', 'elsewhere', 'account', 'list'])).toEqual(after);
    expect(await place.run(['--data=elsewhere', 'account', 'list', '--json'])).toEqual(after);
    const help = await place.run(['import', '--help']);
    expect(await place.run(['--help', 'import'])).toEqual(help);
    expect(await place.run(['--strict', 'import', '--help'])).toEqual(help);
  });
});

describe('a reading command does not create a store', () => {
  test.each([
    [['account', 'list']],
    [['account', 'plan', 'a@example.com', 'free']],
    [['key', 'list', 'a@example.com']],
    [['explain', '75192']],
    [['sources', '75192']],
    [['scorecard']],
    [['history', 'list']],
    [['value']],
    [['export', 'collection', '--account', 'a@example.com']],
    [['backup', 'copy']],
  ])('creates no store: %j', async (words) => {
    const ran = await place.run(words, { env: { BRICKMARK_DATA: 'mistyped' } });
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toContain("No store in 'mistyped'. Check --data or BRICKMARK_DATA");
    expect(existsSync(join(place.folder, 'mistyped'))).toBe(false);
  });
});

test('a store of a newer version is rejected with a next step', async () => {
  const data = join(place.folder, 'newer');
  await place.json(['account', 'add', 'a@example.com', '--data', data]);
  const file = new Database(join(data, 'market.db'));
  file.run('PRAGMA user_version = 999');
  file.close();
  const { status, stderr } = await place.run(['account', 'list', '--data', data]);
  expect(status).toBe(1);
  expect(stderr).toContain('was made by a newer version of Brickmark (schema 999');
  expect(stderr).toContain('Upgrade Brickmark, or restore an older backup.');
});

test('a store of an earlier build is rejected by every command with the same message', async () => {
  const data = join(place.folder, 'earlier');
  await place.json(['account', 'add', 'a@example.com', '--data', data]);
  const file = new Database(join(data, 'accounts.db'));
  file.run('PRAGMA user_version = 22');
  file.close();
  const carryOver =
    'was made by a build before 1.0.0 and cannot be opened: with that build, run ' +
    "'brickmark export collection' and 'brickmark export sales' for each account, then import " +
    'these files and your source files into an empty store here.\n';
  const copy = join(place.folder, 'earlier-copy');
  for (const words of [['account', 'list'], ['import', 'feed', '-'], ['migrate']]) {
    const ran = await place.run([...words, '--data', data], { stdin: '' });
    expect(ran).toMatchObject({ status: 1, stderr: `The store ${carryOver}` });
  }
  const backup = await place.run(['backup', copy, '--data', data]);
  const name = join(data, 'accounts.db');
  expect(backup).toMatchObject({ status: 1, stderr: `'${name}' ${carryOver}` });
  expect(existsSync(copy)).toBe(false);
});

describe('a missing or unusable embedded store is explained', () => {
  test.each([
    [['value', '--data', '/dev/null/x'], 1, "No store in '/dev/null/x'"],
    [['explain', 'set', '1', '--data', 'nowhere'], 1, "No store in 'nowhere'"],
    [['account', 'add', 'a@example.com', '--data', '/dev/null/x'], 1, 'data folder'],
    [['restore', 'missing'], 1, "no backup in 'missing'"],
  ])('explains what is wrong with the store: %j', async (words, expected, message) => {
    const { status, stdout, stderr } = await place.run(words);
    expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });
});

describe('openapi', () => {
  test('prints the document', async () => {
    const document = await place.json<{ openapi: string; paths: object }>(['openapi']);
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toHaveLength(14);
  });
});
