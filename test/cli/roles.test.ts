/** Which role may run which operator command. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { auditActions } from '../../src/accounts/audit/audit.ts';
import { hasRole, type Role, roles } from '../../src/accounts/people/role.ts';
import type { FailedSignIn } from '../../src/accounts/sign-in/failed-sign-ins.ts';
import { commandRules, unrecordedReasons } from '../../src/cli/command-rules.ts';
import { commands } from '../../src/cli/commands.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';

/** Every operator command; a new one needs a place here. */
const table: Readonly<Record<Role | 'everybody', readonly string[]>> = {
  everybody: ['backtest', 'completion', 'demo', 'health', 'openapi', 'version'],
  support: [
    'account list',
    'explain',
    'history list',
    'import log',
    'minifigs unsure',
    'notice list',
    'scorecard',
    'sources',
    'sync check',
    'sync status',
  ],
  operator: [
    'account add',
    'account export',
    'account invite',
    'account password',
    'account plan',
    'account remove',
    'account reset-factor',
    'account restore',
    'audit',
    'export',
    'import',
    'import undo',
    'key access',
    'key add',
    'key allowance',
    'key list',
    'key rename',
    'key revoke',
    'key roll',
    'key usage',
    'minifigs join',
    'minifigs part',
    'notice add',
    'notice remove',
    'reload',
    'share list',
    'sync',
    'value',
    'watch',
  ],
  admin: [
    'account role',
    'backup',
    'history restate',
    'history seal',
    'migrate',
    'move',
    'restore',
    'roles',
    'serve',
    'upkeep',
  ],
};

let place: Workplace;

beforeAll(async () => {
  place = makeWorkplace();
  await place.json(['account', 'add', 'none@example.com']);
  for (const role of roles) {
    await place.json(['account', 'add', `${role}@example.com`]);
    await place.json(['account', 'role', `${role}@example.com`, role]);
  }
});

afterAll(() => place.close());

const as = (role: Role | 'none') => ({ env: { BRICKMARK_OPERATOR: `${role}@example.com` } });

test('every operator command has a place in the table, with its role', () => {
  const found = Object.groupBy(commands, ({ name }) => commandRules[name]?.role ?? 'everybody');
  for (const [role, names] of Object.entries(table)) {
    const ruled = (found[role as Role] ?? []).map(({ name }) => name);
    expect([role, ruled.sort()]).toEqual([role, [...names]]);
  }
  expect(Object.keys(commandRules).sort()).toEqual(Object.values(table).flat().sort());
});

test('every operator command adds to the audit log, or the table says why not', () => {
  const without = commands.filter(({ name }) => {
    const { records = '', unrecorded = '' } = { ...commandRules[name] } as Record<string, string>;
    return !Object.hasOwn(auditActions, records) === !Object.hasOwn(unrecordedReasons, unrecorded);
  });
  expect(without.map(({ name }) => name)).toEqual([]);
});

test.each(roles)(
  '%s may run the commands of the role and of those below',
  async (role) => {
    for (const [needed, names] of Object.entries(table)) {
      for (const name of names) {
        // Too many words: the command ends before it does anything.
        const words = [...name.split(' '), ...Array(9).fill('x')];
        const isLasting = ['demo', 'serve', 'sync', 'upkeep'].includes(name);
        const ran = await (isLasting ? place.start : place.run)(words, as(role));
        const isRefused = ran.stderr.includes('needs the role');
        const may = needed === 'everybody' || hasRole(role, needed as Role);
        expect([name, isRefused]).toEqual([name, !may]);
        expect(ran.status).not.toBe(0);
      }
    }
  },
  60_000,
);

test('an account without a role may run none, and without BRICKMARK_OPERATOR all may run', async () => {
  const refused = await place.run(['account', 'list'], as('none'));
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining("'none@example.com', which is no account with a role"),
  ]);
  const support = await place.run(['key', 'list', 'none@example.com'], as('support'));
  expect([support.status, support.stderr]).toEqual([
    1,
    "'key list' needs the role operator, and support@example.com has support. Ask an admin.\n",
  ]);
  expect((await place.run(['key', 'list', 'none@example.com'])).status).toBe(0);
});

test('an operator changes no account that has a role, and makes no admin', async () => {
  const refused = async (...words: string[]) => (await place.run(words, as('operator'))).stderr;
  const only = 'Only an admin can change an account that has a role.\n';
  expect(await refused('account', 'password', 'admin@example.com', '--link')).toBe(only);
  expect(await refused('account', 'plan', 'support@example.com', 'free')).toBe(only);
  expect(await refused('account', 'add', 'new@example.com', '--operator')).toBe(only);
  expect(await refused('account', 'plan', 'none@example.com', 'reseller')).toBe('');
});

test('the audit log names who ran a command, as a table, JSON and CSV', async () => {
  await place.json(['account', 'plan', 'none@example.com', 'free'], as('operator'));
  await place.json(['account', 'plan', 'none@example.com', 'reseller']);
  const { entries } = await place.json<{ entries: object[] }>(['audit', '--limit', '2']);
  const about = { action: 'plan.changed', email: 'none@example.com', by: 'machine' };
  expect(entries).toMatchObject([
    { ...about, detail: 'reseller', by_email: null },
    { ...about, detail: 'free', by_email: 'operator@example.com' },
  ]);
  const { stdout } = await place.run(['audit', '--account', 'none@example.com']);
  expect(stdout).toMatch(/^TIME +BY +ACTION +ACCOUNT +DETAIL\n/);
  expect(stdout).toMatch(/ Operator on this machine +Plan changed +none@example.com +reseller\n/);
  expect(stdout).toContain('Operator on this machine (operator@example.com)');
  const csv = await place.run(['audit', '--format', 'csv', '--account', 'none@example.com']);
  const lines = csv.stdout.trim().split('\r\n');
  expect(lines[0]).toBe('id,at,by,by_account_id,by_email,action,account_id,email,detail,network');
  expect(lines[1]).toMatch(
    /^\d+,2026-11-15T12:0\S+,machine,,,audit.exported,1,none@example.com,,$/,
  );
  expect((await place.run(['audit', '--account', 'nobody@example.com'])).status).toBe(1);
});

test('failed sign-ins are counted by hour, and not in the audit log', async () => {
  const none = await place.run(['audit', '--failed-sign-ins']);
  expect(none.stdout).toBe('No sign-in has failed.\n');
  const store = openSqliteStore(place.data);
  const failed = { method: 'password', network: '192.0.2.1', at: Date.UTC(2026, 10, 15, 11) };
  const [ours, others] = [{ ...failed, email: 'none@example.com' }, failed] as const;
  for (const one of [ours, ours, others] as FailedSignIn[]) {
    await store.accounts.noteFailedSignIn(one);
  }
  await store.close();
  const { stdout } = await place.run(['audit', '--failed-sign-ins']);
  const [heading, ...lines] = stdout.trim().split('\n');
  expect(heading).toMatch(/^HOUR +METHOD +ACCOUNT OR NETWORK +FAILED$/);
  expect(lines.map((line) => line.split(/ {2,}/).slice(1))).toEqual([
    ['Password', '192.0.2.1', '1'],
    ['Password', 'none@example.com', '2'],
  ]);
  const account = ['audit', '--failed-sign-ins', '--account', 'none@example.com'];
  expect(await place.json<object>(account)).toEqual({
    failed_sign_ins: [
      {
        hour: '2026-11-15T11:00:00.000Z',
        method: 'password',
        account_id: 1,
        email: 'none@example.com',
        network: null,
        count: 2,
      },
    ],
  });
  const csv = await place.run(['audit', '--failed-sign-ins', '--format', 'csv']);
  expect([csv.status, csv.stderr]).toEqual([
    2,
    "Use --failed-sign-ins without --format csv. See 'brickmark audit --help'.\n",
  ]);
});

test('imports, undone imports, exports and backups are in the audit log, dry runs are not', async () => {
  const set = { kind: 'set', set_number: '1', title: 'Raft', theme: 'Coast' };
  const file = { ...as('operator'), stdin: JSON.stringify(set) };
  await place.json(['import', 'feed', '-', '--dry-run'], file);
  const { import_id } = await place.json<{ import_id: number }>(['import', 'feed', '-'], file);
  await place.json(['import', 'undo', String(import_id)]);
  await place.json(['export', 'collection', '--account', 'none@example.com']);
  await place.json(['backup', 'copy']);
  const failed = await place.run(['import', 'feed', '-'], { stdin: '' });
  expect(failed.status).toBe(1);
  const { entries } = await place.json<{ entries: object[] }>(['audit', '--limit', '5']);
  expect(entries).toMatchObject([
    { action: 'store.backed-up', detail: '', by_email: null },
    { action: 'data.exported', detail: 'collection', email: 'none@example.com' },
    { action: 'import.undone', detail: String(import_id) },
    { action: 'import', detail: 'feed', email: null, by_email: 'operator@example.com' },
    { action: 'audit.exported' },
  ]);
});

test('commands that change the whole store or its server are in the audit log', async () => {
  const own = makeWorkplace();
  try {
    await own.json(['migrate']);
    await own.json(['migrate']);
    const figs = ['sw0001', 'sw0002'].map((minifig_number) => ({
      kind: 'minifig',
      minifig_number,
      name: minifig_number,
    }));
    await own.json(['import', 'feed', '-'], {
      stdin: figs.map((f) => JSON.stringify(f)).join('\n'),
    });
    await own.json(['minifigs', 'join', 'sw0001', 'sw0002']);
    await own.json(['minifigs', 'part', 'sw0001', 'sw0002']);
    await own.json(['value']);
    await own.run(['roles']);
    await own.serve();
    await own.json(['reload']);
    const { entries } = await own.json<{ entries: { action: string; detail: string }[] }>([
      'audit',
    ]);
    expect(entries.map(({ action, detail }) => `${action} ${detail}`.trim()).reverse()).toEqual([
      expect.stringMatching(/^store.migrated schema 0 to \d+$/),
      'import feed',
      'store.changed minifigs join',
      'store.changed minifigs part',
      'store.changed value',
      'server.reloaded',
    ]);
  } finally {
    await own.close();
  }
});
