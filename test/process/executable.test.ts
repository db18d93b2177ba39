/** The executable in an empty folder, without Node, npm or the source. */
// @runs SQLite (rest): needs the executable
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { buildCommit } from '../../scripts/build.ts';
import { commands } from '../../src/cli/commands.ts';
import { askForFirstSet, copyDemo, runDemo } from '../support/demo.ts';
import { executable, launcher } from '../support/program.ts';
import { until } from '../support/until.ts';

/** A minimal environment. */
const env = { PATH: '/usr/bin:/bin' };
let folder: string;
let alone: string;
let program: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-executable-'));
  alone = join(folder, 'alone');
  mkdirSync(alone);
  program = await executable();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: string, words: readonly string[], cwd = alone) {
  const child = Bun.spawn([command, ...words], { cwd, env, stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, status };
}

test('it recreates an interrupted demo, serves it with the printed key, and ends with status 0; the launcher reuses it with its key', async () => {
  const data = join(alone, 'demo-data');
  // Created by the executable.
  await copyDemo(data);
  const made = await runDemo(program, alone, async (demo) => {
    await askForFirstSet(demo);
    const openApi = (await (await fetch(new URL('/openapi.json', demo.url))).json()) as {
      openapi: string;
    };
    expect(openApi.openapi).toBe('3.1.0');
    const { origin } = new URL(demo.url);
    // The server answers before it is warm.
    await until(async () => (await fetch(`${origin}/readyz`)).ok, 'the server is ready');
    const healthy = await run(program, ['health', '--url', origin]);
    expect(healthy).toMatchObject({ status: 0, stderr: '' });
  });
  expect(existsSync(join(data, 'demo-unfinished'))).toBe(false);
  const found = await runDemo(launcher, alone, askForFirstSet);
  expect(found.key).toBe(made.key);
});

test('it has its version and every command, and works on its own store', async () => {
  const { stdout } = await run(program, ['version', '--json']);
  expect(JSON.parse(stdout)).toEqual({
    version: manifest.version,
    bun: Bun.version,
    commit: buildCommit(),
  });
  const overview = await run(program, ['--help']);
  expect(overview.status).toBe(0);
  for (const { name } of commands) expect(overview.stdout).toContain(name);
  const data = ['--data', join(folder, 'store')];
  expect(await run(program, ['account', 'add', 'a@example.com', ...data])).toMatchObject({
    status: 0,
  });
  const backup = join(folder, 'backup');
  expect(await run(program, ['backup', backup, ...data])).toMatchObject({ status: 0 });
  const elsewhere = ['--data', join(folder, 'restored')];
  expect(await run(program, ['restore', backup, ...elsewhere])).toMatchObject({ status: 0 });
  const listed = await run(program, ['account', 'list', ...elsewhere]);
  expect(listed.stdout).toContain('a@example.com');
});

test('neither it nor the launcher reads settings or programs from the current folder', async () => {
  const littered = join(folder, 'littered');
  mkdirSync(littered);
  writeFileSync(join(littered, '.env'), 'BRICKMARK_LOG=nonsense\n');
  writeFileSync(join(littered, 'bunfig.toml'), 'preload = ["./first.ts"]\n');
  writeFileSync(join(littered, 'first.ts'), "throw new Error('A program of the folder ran.');\n");
  for (const started of [program, launcher]) {
    const ran = await run(started, ['openapi'], littered);
    expect([ran.status, ran.stderr]).toEqual([0, '']);
  }
});
