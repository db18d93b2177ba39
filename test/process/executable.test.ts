/** The executable, alone in an empty folder, without Node, npm or the sources. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { buildExecutable } from '../../scripts/build.ts';
import { commands } from '../../src/cli/run.ts';
import { launcher } from '../support/program.ts';

/** Nothing of the project, nor of whoever runs the tests. */
const env = { PATH: '/usr/bin:/bin' };
let folder: string;
let alone: string;
let executable: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-executable-'));
  const built = await buildExecutable(join(folder, 'built', 'brickmark'));
  alone = join(folder, 'alone');
  mkdirSync(alone);
  executable = join(alone, 'brickmark');
  copyFileSync(built.path, executable);
  chmodSync(executable, 0o755);
  rmSync(join(folder, 'built'), { recursive: true });
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(program: string, words: readonly string[], cwd = alone) {
  const child = Bun.spawn([program, ...words], { cwd, env, stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { stdout, stderr, status };
}

/** What a demo prints once it is ready. */
interface Demo {
  readonly url: string;
  readonly key: string;
  readonly curl: string;
}

/** Starts the demo in the folder, asks it something, and ends it as a terminal would. */
async function runDemo(program: string, ask: (demo: Demo) => Promise<void>): Promise<Demo> {
  const child = Bun.spawn([program, 'demo', '--port', '0', '--json'], {
    cwd: alone,
    env,
    stdout: 'pipe',
    stderr: 'ignore',
  });
  let printed = '';
  try {
    for await (const chunk of child.stdout) {
      printed += new TextDecoder().decode(chunk);
      if (printed.includes('\n')) break;
    }
    await ask(JSON.parse(printed));
  } finally {
    child.kill('SIGTERM');
  }
  expect(await child.exited).toBe(0);
  return JSON.parse(printed);
}

async function askForFirstSet({ key, curl }: Demo): Promise<void> {
  const [, first = ''] = /(http\S+)$/.exec(curl) ?? [];
  const answer = await fetch(first, { headers: { Authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { set_number: string } };
  expect(first).toEndWith(`/set/${data.set_number}`);
}

test('it makes an interrupted demo again, serves it with the printed key, and ends with status 0; the launcher finds it finished, and keeps its key', async () => {
  const data = join(alone, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'demo-unfinished'), '');
  writeFileSync(join(data, 'market.db'), 'half of something');
  const made = await runDemo(executable, async (demo) => {
    await askForFirstSet(demo);
    const openApi = (await (await fetch(new URL('/openapi.json', demo.url))).json()) as {
      openapi: string;
    };
    expect(openApi.openapi).toBe('3.1.0');
    const healthy = await run(executable, ['health', '--url', new URL(demo.url).origin]);
    expect(healthy).toMatchObject({ status: 0, stderr: '' });
  });
  expect(existsSync(join(data, 'demo-unfinished'))).toBe(false);
  const found = await runDemo(launcher, askForFirstSet);
  expect(found.key).toBe(made.key);
});

test('it knows its version and every command, and works on a store of its own', async () => {
  const { stdout } = await run(executable, ['version', '--json']);
  expect(JSON.parse(stdout)).toEqual({ version: manifest.version, bun: Bun.version });
  const overview = await run(executable, ['--help']);
  expect(overview.status).toBe(0);
  for (const { name } of commands) expect(overview.stdout).toContain(name);
  const data = ['--data', join(folder, 'store')];
  expect(await run(executable, ['account', 'add', 'a@example.com', ...data])).toMatchObject({
    status: 0,
  });
  const backup = join(folder, 'backup');
  expect(await run(executable, ['backup', backup, ...data])).toMatchObject({ status: 0 });
  const elsewhere = ['--data', join(folder, 'restored')];
  expect(await run(executable, ['restore', backup, ...elsewhere])).toMatchObject({ status: 0 });
  const listed = await run(executable, ['account', 'list', ...elsewhere]);
  expect(listed.stdout).toContain('a@example.com');
});

test('neither it nor the launcher reads settings or programs from the current folder', async () => {
  const littered = join(folder, 'littered');
  mkdirSync(littered);
  writeFileSync(join(littered, '.env'), 'BRICKMARK_LOG=nonsense\n');
  writeFileSync(join(littered, 'bunfig.toml'), 'preload = ["./first.ts"]\n');
  writeFileSync(join(littered, 'first.ts'), "throw new Error('A program of the folder ran.');\n");
  for (const program of [executable, launcher]) {
    const ran = await run(program, ['openapi'], littered);
    expect([ran.status, ran.stderr]).toEqual([0, '']);
  }
});
