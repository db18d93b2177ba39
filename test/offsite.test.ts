/** Backups on another machine, with the scripts in `deploy/` and a real restic. */
// @runs SQLite (rest): needs restic
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read, root } from './support/deploy.ts';
import { type FullPlace, makeFullPlace } from './support/full-place.ts';
import { describeWith } from './support/programs.ts';

interface Ended {
  readonly status: number;
  readonly text: string;
}

async function runScript(
  name: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return run(['/bin/sh', join(root, 'deploy', name), ...words], env);
}

async function run(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = Bun.spawn([...words], { env, stdout: 'pipe', stderr: 'pipe' });
  const texts = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  return { status: await child.exited, text: (await Promise.all(texts)).join('') };
}

const scripts = readdirSync(join(root, 'deploy')).filter((name) => name.endsWith('.sh'));
const shellcheck = Bun.which('shellcheck');
if (shellcheck === null) process.stderr.write('shellcheck was not found: it was NOT RUN.\n');

describe.each(scripts)('deploy/%s', (name) => {
  const path = join(root, 'deploy', name);

  test('is a valid and executable shell script', async () => {
    expect(await run(['/bin/sh', '-n', path], {})).toEqual({ status: 0, text: '' });
    expect(statSync(path).mode & 0o111).toBe(0o111);
  });

  test.skipIf(shellcheck === null)('has no warnings of shellcheck', async () => {
    expect(await run([shellcheck ?? '', path], {})).toEqual({ status: 0, text: '' });
  });
});

describeWith('restic', 'a backup on another machine', (restic) => {
  let place: FullPlace;
  let env: Record<string, string>;
  /** The files of `brickmark backup`, before restic read them. */
  let written: string;

  beforeEach(async () => {
    place = await makeFullPlace();
    const inPlace = (name: string) => join(place.folder, name);
    written = inPlace('written');
    for (const name of ['bin', 'cache', 'repository']) mkdirSync(inPlace(name));
    const brickmark = `'${join(root, 'bin', 'brickmark')}' "$@"`;
    const keep = `[ "$1" != backup ] || { rm -rf '${written}' && cp -R "$2" '${written}'; }`;
    const program = `#!/bin/sh\nset -e\n${brickmark}\n${keep}\n`;
    writeFileSync(inPlace('bin/brickmark'), program, { mode: 0o755 });
    writeFileSync(inPlace('password'), 'horse');
    env = {
      PATH: `${inPlace('bin')}:/usr/local/bin:/usr/bin:/bin`,
      BRICKMARK_DATA: place.data,
      CACHE_DIRECTORY: inPlace('cache'),
      RESTIC_REPOSITORY: inPlace('repository'),
      RESTIC_PASSWORD_FILE: inPlace('password'),
    };
    expect(await run([restic, '--no-cache', 'init'], env)).toMatchObject({ status: 0 });
  });

  afterEach(() => place.close());

  const offsite = (word: string, more: Readonly<Record<string, string>> = {}) =>
    runScript('offsite.sh', [word], { ...env, ...more });

  async function save(): Promise<void> {
    expect(await offsite('save')).toMatchObject({ status: 0 });
  }

  async function listSnapshots(): Promise<{ id: string; time: string }[]> {
    const { text } = await run([restic, '--no-cache', 'snapshots', '--json'], env);
    return JSON.parse(text);
  }

  /** The stored files that hold what was backed up. */
  function listPacks(): string[] {
    const packs = new Bun.Glob('repository/data/*/*').scanSync({ cwd: place.folder });
    return [...packs].map((path) => join(place.folder, path));
  }

  test('is restored byte by byte, encrypted, and verified; no copy stays behind', async () => {
    await save();
    const target = join(place.folder, 'target');
    const words = ['--no-cache', 'restore', 'latest', '--target', target];
    expect(await run([restic, ...words], env)).toMatchObject({ status: 0 });
    const restored = join(target, place.folder, 'cache', 'store');
    const names = readdirSync(restored).sort();
    expect(names).toEqual(['accounts.db', 'manifest.json', 'market.db']);
    expect(readdirSync(written).sort()).toEqual(names);
    for (const name of names) {
      const [bytes, expected] = [restored, written].map((at) => readFileSync(join(at, name)));
      expect(expected && bytes?.equals(expected)).toBe(true);
    }
    const packs = listPacks();
    expect(packs.length).toBeGreaterThan(0);
    for (const path of packs) expect(readFileSync(path, 'latin1')).not.toContain(place.email);
    const { status, text } = await offsite('check');
    expect([status, text]).toEqual([0, expect.stringMatching(/^Backup of .+ restored to /m)]);
    expect(readdirSync(join(place.folder, 'cache'))).toEqual(['restic']);
  });

  test('is the last of its day that is kept, among other backups in the repository', async () => {
    const other = ['--time', '2020-01-01 00:00:00', join(place.folder, 'password')];
    await run([restic, '--no-cache', 'backup', ...other], env);
    await save();
    const [, first] = await listSnapshots();
    await save();
    const left = await listSnapshots();
    expect(left.map(({ time }) => time.slice(0, 4))).toEqual(['2020', expect.any(String)]);
    expect(left[1]?.id).not.toBe(first?.id);
  });

  test('fails with a wrong password, and without a backup to check', async () => {
    const wrong = join(place.folder, 'wrong');
    writeFileSync(wrong, 'donkey');
    for (const word of ['save', 'check']) {
      const { status, text } = await offsite(word, { RESTIC_PASSWORD_FILE: wrong });
      expect([status, text]).toEqual([1, expect.stringContaining('wrong password')]);
    }
    expect((await offsite('check')).status).toBe(1);
    expect((await offsite('other')).status).toBe(2);
    expect(existsSync(written)).toBe(false);
  });

  test('fails if it cannot be made, and keeps those that were', async () => {
    await save();
    const before = await listSnapshots();
    expect((await offsite('save', { BRICKMARK_DATA: join(place.folder, 'none') })).status).toBe(1);
    expect(await listSnapshots()).toEqual(before);
  });

  test('is found to be damaged if a byte of a pack changed, or if its store is not valid', async () => {
    await save();
    // The largest has the rows.
    const [pack = ''] = listPacks().sort((a, b) => statSync(b).size - statSync(a).size);
    const bytes = readFileSync(pack);
    const middle = bytes.length >> 2;
    const changed = Buffer.from(bytes);
    changed[middle] = (changed[middle] ?? 0) ^ 1;
    chmodSync(pack, 0o600);
    writeFileSync(pack, changed);
    expect((await offsite('check')).status).not.toBe(0);
    writeFileSync(pack, bytes);
    expect((await offsite('check')).status).toBe(0);
    // Restic restores what it was given.
    const store = join(place.folder, 'cache', 'store');
    await run(['cp', '-R', written, store], env);
    writeFileSync(join(store, 'market.db'), 'no database');
    await run([restic, '--no-cache', 'backup', '--tag', 'brickmark', store], env);
    const { status, text } = await offsite('check');
    expect([status, text]).toEqual([1, expect.stringContaining('market.db')]);
  });
});

describe('the result of a backup service', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-result-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** As systemd does when a service has ended. */
  async function end(result: string, at = folder) {
    const env = { PATH: '/usr/bin:/bin', SERVICE_RESULT: result, BRICKMARK_METRICS_FOLDER: at };
    expect(await runScript('backup-result.sh', ['a'], env)).toEqual({ status: 0, text: '' });
  }

  function readMetrics(): { readonly at: number; readonly failed: number } {
    const text = readFileSync(join(folder, 'a.prom'), 'utf8');
    const find = (name: string) =>
      Number(new RegExp(`^brickmark_backup_job_${name}{service="a"} (\\d+)$`, 'm').exec(text)?.[1]);
    return { at: find('last_success_timestamp_seconds'), failed: find('failed') };
  }

  test('is a metric, and a failure keeps the time of the last success', async () => {
    await end('timeout');
    expect(readMetrics()).toEqual({ at: 0, failed: 1 });
    await end('success');
    const { at, failed } = readMetrics();
    expect(failed).toBe(0);
    expect(Math.abs(at - Date.now() / 1000)).toBeLessThan(60);
    await end('oom-kill');
    expect(readMetrics()).toEqual({ at, failed: 1 });
    expect(readdirSync(folder)).toEqual(['a.prom']);
    expect(statSync(join(folder, 'a.prom')).mode & 0o777).toBe(0o644);
  });

  test('is left out where node_exporter is not installed', async () => {
    await end('success', join(folder, 'missing'));
    expect(readdirSync(folder)).toEqual([]);
  });
});

const unitNames = ['brickmark-offsite@.service', 'brickmark-pgbackrest@.service'] as const;

test.each(unitNames)('%s starts these scripts', (name) => {
  const started = read(`deploy/${name}`).matchAll(
    /^Exec\w+=\+?\/usr\/local\/lib\/brickmark\/(\S+)/gm,
  );
  const names = [...started].map(([, script]) => script);
  expect(names).toHaveLength(2);
  for (const script of names) expect(scripts).toContain(script ?? '');
});

test('the password of restic is made as the docs say, and only root can read it', () => {
  const unit = read('deploy/brickmark-offsite@.service');
  const [, password = ''] = /^LoadCredential=password:(\S+)$/m.exec(unit) ?? [];
  expect(unit).toContain('\nEnvironment=RESTIC_PASSWORD_FILE=%d/password\n');
  expect(read('docs/offsite.md')).toContain(`umask 077; openssl rand -base64 32 > ${password}`);
});
