/** `deploy/install.sh`: installs from a folder and a web server, completely or not at all. */
// @runs SQLite (rest): needs curl and wget
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checksums } from '../scripts/release.ts';
import { runIn } from './support/client-programs.ts';

const script = join(import.meta.dir, '..', 'deploy', 'install.sh');
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const file = `brickmark-1.2.3-linux-${architecture}`;

let folder: string;
let release: string;
let to: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark install '));
  chmodSync(folder, 0o755);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  const place = mkdtempSync(join(folder, 'test-'));
  chmodSync(place, 0o755);
  [release, to] = [join(place, 'release'), join(place, 'bin')];
  mkdirSync(release);
  writeRelease('1.2.3');
});

/** A release whose executables only print a version. */
function writeRelease(version: string): void {
  const program = `#!/bin/sh\necho "Brickmark ${version}"\n${'#'.repeat(200_000)}\n`;
  writeFileSync(join(release, file), program);
  writeFileSync(join(release, 'brickmark-1.2.3-linux-other'), 'other');
  writeFileSync(join(release, 'SHA256SUMS'), checksums(release));
}

const install = (...words: readonly string[]) =>
  runIn(folder, ['sh', script, '--to', to, ...words]);

/** That it fails with this sentence, and leaves nothing. */
async function expectRefusal(words: readonly string[], sentence: string): Promise<void> {
  expect(await install(...words)).toEqual({ stdout: '', stderr: `${sentence}\n`, status: 1 });
  expect(existsSync(to)).toBe(false);
}

const installed = () => readdirSync(to).sort();

describe('from a folder', () => {
  test('installs the program, says what is next, and removes exactly that', async () => {
    const program = join(to, 'brickmark');
    const next = `Next: ${program} demo (or add ${to} to PATH)`;
    const stdout = `Brickmark 1.2.3 is installed as ${program}.\n${next}\n`;
    expect(await install('--from', release)).toEqual({ stdout, stderr: '', status: 0 });
    expect(installed()).toEqual(['.brickmark-installed', 'brickmark']);
    expect((await runIn(folder, [program])).stdout).toBe('Brickmark 1.2.3\n');
    writeFileSync(join(to, 'other'), '');
    const removed = `${program} is removed. Its data, in the folders where you ran it, is not.\n`;
    expect(await install('--uninstall')).toEqual({ stdout: removed, stderr: '', status: 0 });
    expect(installed()).toEqual(['other']);
    expect((await install('--uninstall')).stderr).toBe(
      `There is nothing to remove: this script has not installed Brickmark in ${to}.\n`,
    );
  });

  test('installs into ~/.local/bin without --to', async () => {
    const command = ['env', `HOME=${to}`, 'sh', script, '--from', release];
    expect((await runIn(folder, command)).status).toBe(0);
    expect(existsSync(join(to, '.local', 'bin', 'brickmark'))).toBe(true);
  });

  test('replaces what it installed, and nothing else', async () => {
    await install('--from', release);
    writeRelease('1.2.4');
    expect((await install('--from', release)).stdout).toStartWith('Brickmark 1.2.4 is installed');
    writeFileSync(join(to, 'brickmark'), 'from elsewhere');
    const program = join(to, 'brickmark');
    expect((await install('--from', release)).stderr).toBe(
      `${program} was not installed by this script: move it away, or use --to FOLDER.\n`,
    );
    expect((await install('--uninstall')).stderr).toBe(
      `${program} is not the file that this script installed, so it stays: remove it yourself.\n`,
    );
    expect(readFileSync(program, 'utf8')).toBe('from elsewhere');
    rmSync(program);
    symlinkSync('/nowhere', program);
    expect((await install('--from', release)).status).toBe(1);
    expect(installed()).toEqual(['.brickmark-installed', 'brickmark']);
  });

  test('refuses a wrong checksum, a missing file and a program that does not run', async () => {
    const path = join(release, file);
    writeFileSync(path, 'changed');
    const wrong = 'does not have the checksum in SHA256SUMS: it is damaged or was changed.';
    await expectRefusal(['--from', release], `${path} ${wrong}`);
    rmSync(path);
    await expectRefusal(['--from', release], `There is no file ${path}.`);
    writeFileSync(path, '#!/bin/sh\nexit 1\n');
    writeFileSync(join(release, 'SHA256SUMS'), checksums(release));
    const unfit = `it needs Linux with glibc, and ${to} must allow programs.`;
    await expectRefusal(['--from', release], `${file} does not run on this machine: ${unfit}`);
    rmSync(path);
    writeFileSync(join(release, 'SHA256SUMS'), checksums(release));
    const none = `has no executable for ${architecture} in SHA256SUMS.`;
    await expectRefusal(['--from', release], `${release} ${none}`);
    rmSync(join(release, 'SHA256SUMS'));
    await expectRefusal(['--from', release], `There is no file ${release}/SHA256SUMS.`);
  });

  test('refuses a machine without an executable', async () => {
    const programs = join(release, 'programs');
    mkdirSync(programs);
    const uname = '#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo riscv64\n';
    writeFileSync(join(programs, 'uname'), uname, { mode: 0o755 });
    const env = ['env', `PATH=${programs}:${process.env.PATH}`];
    const ran = await runIn(folder, [...env, 'sh', script, '--to', to, '--from', release]);
    const stderr = 'There is no executable for riscv64, only for amd64 and arm64.\n';
    expect(ran).toEqual({ stdout: '', stderr, status: 1 });
    expect(existsSync(to)).toBe(false);
  });

  test('refuses a folder that is not writable', async () => {
    mkdirSync(to, { mode: 0o555 });
    // Root may write anywhere.
    const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    const user = process.getuid?.() === 0 ? nobody : [];
    const into = (place: string) =>
      runIn(folder, [...user, 'sh', script, '--to', place, '--from', release]);
    expect((await into(to)).stderr).toBe(`The folder ${to} is not writable.\n`);
    expect((await into(`${to}/new`)).stderr).toBe(`The folder ${to}/new cannot be created.\n`);
    expect(installed()).toEqual([]);
  });

  test.each(['', '--from', '--form x'])('shows its usage for "%s"', async (words) => {
    const { status, stderr } = await install(...words.split(' ').filter(Boolean));
    expect([status, stderr.slice(0, 6)]).toEqual([2, 'Usage:']);
    expect(existsSync(to)).toBe(false);
  });
});

describe.each(['curl', 'wget'])('from a web server with %s', (downloader) => {
  /** With this downloader only. */
  async function installFrom(url: string) {
    const programs = join(release, 'programs');
    mkdirSync(programs);
    const used = `uname mktemp grep sha256sum cat chmod mkdir rmdir rm mv wc sh ${downloader}`;
    for (const name of used.split(' ')) symlinkSync(Bun.which(name) ?? '', join(programs, name));
    const env = ['env', '-i', `PATH=${programs}`];
    return runIn(folder, [...env, 'sh', script, '--to', to, '--from', url]);
  }

  test('installs', async () => {
    using server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => new Response(Bun.file(join(release, new URL(url).pathname))),
    });
    const { stdout, stderr } = await installFrom(`http://127.0.0.1:${server.port}/`);
    expect([stdout.split('\n')[0], stderr]).toEqual([
      `Brickmark 1.2.3 is installed as ${join(to, 'brickmark')}.`,
      '',
    ]);
    expect(installed()).toEqual(['.brickmark-installed', 'brickmark']);
  });

  test('refuses a download that is cut off, and a file that is not there', async () => {
    const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8');
    const program = readFileSync(join(release, file), 'utf8');
    const answer = (text: string, length: number) =>
      `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${text}`;
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (request) => {
        const isSums = request.toString().includes('SHA256SUMS');
        const cut = program.slice(0, 1000);
        socket.end(isSums ? answer(sums, sums.length) : answer(cut, program.length));
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const cut = await installFrom(url);
    server.close();
    const stderr = `${url}/${file} cannot be downloaded.\n`;
    expect(cut).toEqual({ stdout: '', stderr, status: 1 });
    expect(existsSync(to)).toBe(false);
    rmSync(join(release, 'programs'), { recursive: true });
    const gone = await installFrom(url);
    expect(gone.stderr).toBe(`${url}/SHA256SUMS cannot be downloaded.\n`);
    expect(existsSync(to)).toBe(false);
  });
});
