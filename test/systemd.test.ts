/** The systemd units: valid, hardened, and with a working nightly backup. */
// @runs SQLite (rest): needs systemd
import { describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drainBounds } from '../src/config.ts';
import { makeWorkplace } from './support/cli.ts';
import { read, readUnit, root, wrongWords } from './support/deploy.ts';

const services = [
  'brickmark.service',
  'brickmark-upkeep.service',
  'brickmark-watch.service',
  'brickmark-backup.service',
  'brickmark-offsite@.service',
];
const units = [
  ...services,
  'brickmark-backup.timer',
  'brickmark-offsite@save.timer',
  'brickmark-offsite@check.timer',
  'brickmark-pgbackrest@.service',
  'brickmark-pgbackrest@save.timer',
  'brickmark-pgbackrest@check.timer',
];
const installed = '/usr/local/bin/brickmark';
const launcher = join(root, 'bin', 'brickmark');
const installedScripts = '/usr/local/lib/brickmark';
const analyzer = findAnalyzer();
const dayMs = 86_400_000;

/** The directives that restrict a service. */
const isLimit =
  /^(Protect|Private|Restrict|SystemCall|Capab|Ambient|Device|NoNew|Remove|Key|Proc|Lock|UMask)/;

/** systemd-analyze if its version has the options used here, otherwise null. */
function findAnalyzer(): string | null {
  const path = Bun.which('systemd-analyze');
  if (path === null) return null;
  const { stdout } = Bun.spawnSync([path, '--version']);
  return Number(/^systemd (\d+)/.exec(stdout.toString())?.[1]) >= 250 ? path : null;
}

const values = (unit: string, name: string) =>
  readUnit(`deploy/${unit}`)
    .filter((setting) => setting.name === name)
    .map(({ value }) => value);

describe.skipIf(analyzer === null)('systemd-analyze, skipped where it is not installed', () => {
  /** Runs it on the units, with an executable that exists. */
  async function analyze(words: readonly string[], names: readonly string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'brickmark-units-'));
    try {
      for (const name of units) {
        const unit = read(`deploy/${name}`).replaceAll(installed, launcher);
        const moved = unit.replaceAll(installedScripts, join(root, 'deploy'));
        await Bun.write(join(folder, name), moved);
      }
      const child = Bun.spawn([analyzer ?? '', ...words, ...names.map((name) => `./${name}`)], {
        cwd: folder,
        stdout: 'ignore',
        stderr: 'pipe',
      });
      const lines = (await new Response(child.stderr).text()).split('\n');
      // Ignores the machine's other units.
      return { status: await child.exited, said: lines.filter((line) => /brickmark/.test(line)) };
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test('accepts the units without warnings', async () => {
    expect(await analyze(['verify', '--recursive-errors=no'], units)).toEqual({
      status: 0,
      said: [],
    });
  });

  test.each(services)('rates the exposure of %s at most 1.5 of 10', async (unit) => {
    const words = ['security', '--offline=true', '--no-pager', '--threshold=15'];
    expect(await analyze(words, [unit])).toEqual({ status: 0, said: [] });
  });
});

describe('the server', () => {
  const unit = 'brickmark.service';

  test('is started by an existing command, as its own user', () => {
    const [start = ''] = values(unit, 'ExecStart');
    const [program, ...words] = start.split(' ');
    expect([program, wrongWords(words)]).toEqual([installed, []]);
    expect(values(unit, 'User')).toEqual(['brickmark']);
    expect(values(unit, 'Environment')).toEqual([
      'BRICKMARK_DATA=/var/lib/brickmark',
      'BRICKMARK_TRUSTED_PROXIES=127.0.0.1',
    ]);
    expect(values(unit, 'StateDirectory')).toEqual(['brickmark']);
  });

  test('has more time to stop than the maximum drain time', () => {
    const [stop = ''] = values(unit, 'TimeoutStopSec');
    expect(Number(/^(\d+)s$/.exec(stop)?.[1])).toBeGreaterThan(drainBounds.max + 20);
  });

  test('may compile code while it runs (JIT)', () => {
    for (const name of units) expect(values(name, 'MemoryDenyWriteExecute')).toEqual([]);
  });
});

test('the backup of PostgreSQL takes no memory or locks from the running one', () => {
  const unit = 'brickmark-pgbackrest@.service';
  for (const name of ['RemoveIPC', 'PrivateTmp']) expect(values(unit, name)).toEqual([]);
});

describe.each(services.slice(0, 3))('%s', (unit) => {
  test('is restarted without a limit, also if its database is unavailable for long', () => {
    expect(values(unit, 'StartLimitIntervalSec')).toEqual(['0']);
    expect(values(unit, 'StartLimitBurst')).toEqual([]);
    expect(values(unit, 'Restart')).toEqual(['on-failure']);
    expect(values(unit, 'RestartSec')).toEqual(['5s']);
    // A usage error, the only failure that a retry cannot fix.
    expect(values(unit, 'RestartPreventExitStatus')).toEqual(['2']);
  });
});

test.each(services)('%s has the memory limits of docs/speed.md', (unit) => {
  const [high = 0, max = 0] = ['MemoryHigh', 'MemoryMax'].map((name) =>
    Number(/^(\d+)M$/.exec(values(unit, name)[0] ?? '')?.[1]),
  );
  const isServer = unit === 'brickmark.service';
  const fetches = isServer || unit === 'brickmark-upkeep.service';
  // 600 MB for any command, 300 for the server; syncing services also import.
  expect(high).toBeGreaterThanOrEqual((isServer ? 300 : 0) + (fetches ? 2 * 600 : 600));
  expect(max / high).toBeWithin(1.2, 1.6);
  // One process that takes too much memory does not end the others.
  expect(values(unit, 'OOMPolicy')).toEqual(fetches ? ['continue'] : []);
});

test.each(['brickmark.service', 'brickmark-upkeep.service'])(
  '%s has a folder for source responses, and the docs say where its secrets are',
  (unit) => {
    const [name = ''] = values(unit, 'StateDirectory');
    expect(values(unit, 'Environment')).toContain(`BRICKMARK_DATA=/var/lib/${name}`);
    expect(values(unit, 'StateDirectoryMode')).toEqual(['0700']);
    expect(values(unit, 'PrivateNetwork')).toEqual([]);
    expect(values(unit, 'IPAddressDeny')).toEqual([]);
    expect(read('docs/install.md')).toContain(`/run/credentials/${unit}/`);
  },
);

describe('the drop folder', () => {
  const unit = 'brickmark-watch.service';

  test('is watched by an existing command that can write there and to the store', () => {
    const [program, ...words] = (values(unit, 'ExecStart')[0] ?? '').split(' ');
    const [folder = ''] = values(unit, 'ReadWritePaths');
    expect([program, words, wrongWords(words)]).toEqual([installed, ['watch', folder], []]);
    expect(values(unit, 'User')).toEqual(values('brickmark.service', 'User'));
    expect(values(unit, 'StateDirectory')).toEqual(['brickmark']);
    expect(read('docs/install.md')).toMatch(new RegExp(`install -d .* ${folder}$`, 'm'));
  });
});

describe('the upkeep', () => {
  const [server = '', unit = '', watch = ''] = services;

  test('is started by an existing command, as another user, with its own settings', () => {
    const [program, ...words] = (values(unit, 'ExecStart')[0] ?? '').split(' ');
    expect([program, words, wrongWords(words)]).toEqual([installed, ['upkeep'], []]);
    expect(values(unit, 'DynamicUser')).toEqual(['yes']);
    expect(values(unit, 'User')).not.toEqual(values(server, 'User'));
    // The later file overrides; without it upkeep would have the role of the server.
    expect(values(unit, 'EnvironmentFile')).toEqual([
      '-/etc/brickmark.env',
      '/etc/brickmark-upkeep.env',
    ]);
  });

  test('is restricted like the server, and so is the drop folder', () => {
    const limits = (name: string) =>
      readUnit(`deploy/${name}`).filter((setting) => isLimit.test(setting.name));
    expect(limits(unit)).toEqual(limits(server));
    expect(limits(watch)).toEqual(limits(server));
    expect(limits(unit).length).toBeGreaterThan(25);
  });
});

test('the nightly backup creates a signed one with the documented secret, then deletes those older than two weeks', async () => {
  const place = makeWorkplace();
  try {
    await place.json(['account', 'add', 'a@example.com']);
    const backups = join(place.folder, 'backups');
    const old = join(backups, '2026-10-01T031500Z');
    const kept = ['2026-11-10T031500Z', 'notes'];
    for (const folder of [old, ...kept.map((name) => join(backups, name))]) {
      mkdirSync(folder, { recursive: true });
    }
    const longAgo = new Date(Date.now() - 20 * dayMs);
    for (const folder of [old, join(backups, 'notes')]) utimesSync(folder, longAgo, longAgo);
    const secret = await makeDocumentedSecret(place.folder);
    for (const line of values('brickmark-backup.service', 'ExecStart')) {
      // As systemd does: %% is %, $$ is $, with shell-like quoting.
      const words = line.replaceAll('%%', '%').replaceAll('$$', '$');
      const moved = words
        .replaceAll(installed, launcher)
        .replaceAll('/var/backups/brickmark', backups);
      const child = Bun.spawn(['/bin/sh', '-c', moved], {
        env: {
          PATH: '/usr/bin:/bin',
          BRICKMARK_DATA: join(place.folder, 'data'),
          BRICKMARK_SECRET_FILE: secret,
        },
        stdout: 'ignore',
      });
      expect(await child.exited).toBe(0);
    }
    const left = readdirSync(backups).filter((name) => !kept.includes(name));
    expect(left).toHaveLength(1);
    expect(left[0]).toMatch(/^\d{4}-\d\d-\d\dT\d{6}Z$/);
    const manifest = await Bun.file(join(backups, left[0] ?? '', 'manifest.json')).json();
    expect(manifest.signature).toMatch(/^[0-9a-f]{64}$/);
    expect(readdirSync(backups)).toEqual(expect.arrayContaining(kept));
  } finally {
    await place.close();
  }
});

/** Creates the secret with the command of docs/install.md, for the current user. */
async function makeDocumentedSecret(folder: string): Promise<string> {
  const path = join(folder, 'secret');
  const [, line = ''] = /^ +sudo sh -euCc '(.*chown brickmark: .*)'$/m.exec(
    read('docs/install.md'),
  ) ?? [''];
  const moved = line
    .replaceAll('/etc/brickmark.secret', path)
    .replace('chown brickmark:', 'chown "$(id -u)"');
  const make = () => Bun.spawn(['/bin/sh', '-euCc', moved], { stderr: 'ignore' }).exited;
  expect(await make()).toBe(0);
  // An existing secret is never replaced, since signed backups need it.
  expect(await make()).not.toBe(0);
  return path;
}
