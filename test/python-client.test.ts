/**
 * `brickmark` for Python: the wheel is built and installed as the docs say, its types are strict,
 * and both clients call every endpoint of a real server.
 */
// @runs SQLite (rest): needs Python
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { packPythonClient } from '../scripts/pack-clients.ts';
import { snakeName } from '../scripts/python-code.ts';
import { allEndpoints, type EndpointName } from '../src/contract/all-endpoints.ts';
import type { Endpoint } from '../src/contract/endpoint.ts';
import { plusPrefix } from '../src/contract/limits.ts';
import { formatInstant } from '../src/kernel/time.ts';
import { runIn } from './support/client-programs.ts';
import { commandsBefore, programIn } from './support/doc-programs.ts';
import { everyEndpoint, inputOf } from './support/endpoints.ts';
import { smallCollection, smallMarket } from './support/market.ts';
import { ownList, ownWebhook } from './support/own-things.ts';
import { describeWith } from './support/programs.ts';
import { runPythonExamples } from './support/python.ts';
import { startWorld, type World } from './support/world.ts';

const root = join(import.meta.dir, '..');
const tests = join(root, 'clients', 'python', 'tests');

/** Without what only the command line of HTTPX imports, which is half of all modules. */
const mypySettings = `[mypy]
strict = true
[mypy-click.*,markdown_it.*,pygments.*,rich.*]
follow_imports = skip
`;

describeWith('python3-httpx', 'the Python client', (system) => {
  let folder: string;
  let wheel: string;
  let world: World;
  let env: Record<string, string>;
  /** Of an environment in which only the wheel was installed, as pip does it. */
  let python: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-python-'));
    wheel = await packPythonClient(folder);
    world = await startWorld();
    await world.load(smallMarket);
    await world.addAccount('a@example.com');
    await world.load(smallCollection('a@example.com'));
    await world.makeBulkFiles();
    const key = await world.addKey('a@example.com', { allowance: 10_000 });
    const words = ['-m', 'venv', '--system-site-packages', '--without-pip', 'venv'];
    expect(await runIn(folder, [system, ...words])).toMatchObject({ status: 0 });
    python = join(folder, 'venv', 'bin', 'python3');
    // The system's pip, since installing another takes seconds.
    const pip = `#!/bin/sh\nexec '${python}' -m pip "$@"\n`;
    writeFileSync(join(folder, 'venv', 'bin', 'pip'), pip, { mode: 0o755 });
    env = {
      BRICKMARK_URL: world.url,
      BRICKMARK_KEY: key,
      PATH: `${join(folder, 'venv', 'bin')}:${process.env.PATH}`,
      // HTTPX is in the system's packages.
      PIP_NO_INDEX: '1',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
    };
  });

  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await world?.close();
  });

  test('the quick start of docs/api.md runs as it is pasted', async () => {
    const [page, file] = ['docs/api.md', 'examples/quickstart.py'];
    writeFileSync(join(folder, 'quickstart.py'), programIn(page, file));
    const ran = await runIn(folder, ['sh', '-ec', commandsBefore(page, file)], env);
    expect(ran).toMatchObject({ stderr: '', status: 0 });
    expect(ran.stdout).toMatch(/\d+ x Grand Castle: \$[\d.]+ \(-?[\d.]+%\)\n/);
    expect(ran.stdout).toMatch(/\d+ holdings\. \d+ calls remain today\.\n$/);
    const without = { ...env, BRICKMARK_KEY: 'bmk_0' };
    const failed = await runIn(folder, ['python3', 'quickstart.py'], without);
    expect(failed).toMatchObject({ status: 1, stdout: '' });
    expect(failed.stderr).toMatch(/^401 InvalidApiKey: .*\n$/);
  });

  test('the wheel has types and the license, and nothing of ours besides', async () => {
    const listed = await runIn(folder, [system, '-m', 'zipfile', '--list', basename(wheel)]);
    expect(listed.stdout).toContain('brickmark/py.typed');
    expect(listed.stdout).toContain('LICENSE');
    expect(listed.stdout).not.toContain('tests/');
  });

  test('the types are strict, and describe what programs may write', async () => {
    const settings = join(folder, 'mypy.ini');
    writeFileSync(settings, mypySettings);
    const words = ['-m', 'mypy', '--config-file', settings, '--cache-dir', join(folder, 'cache')];
    const files = [join(root, 'clients/python/src/brickmark'), tests];
    const path = { MYPYPATH: join(root, 'clients/python/src') };
    const checked = await runIn(folder, [system, ...words, ...files], path);
    expect(checked.stdout).toMatch(/^Success: no issues found/);
  });

  test('the rules for retries, lists, batches and streams are those of TypeScript', async () => {
    cpSync(join(tests, 'test_client.py'), join(folder, 'test_client.py'));
    const ran = await runIn(folder, [python, '-m', 'unittest', 'test_client'], env);
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.stderr).toMatch(/\nRan \d\d+ tests in .*\n\nOK\n$/);
  });

  test('both clients call every endpoint', async () => {
    const calls = everyEndpoint.map(([name]) => callOf(name));
    const input = join(folder, 'calls.json');
    writeFileSync(input, JSON.stringify(calls));
    const program = join(tests, 'call_every.py');
    const ran = await runIn(folder, ['sh', '-c', `python3 '${program}' < '${input}'`], env);
    expect(ran).toMatchObject({ stderr: '', status: 0 });
    const [answers, asyncAnswers] = JSON.parse(ran.stdout) as Record<string, unknown>[];
    expect(Object.keys(answers ?? {})).toEqual(calls.map(({ name }) => name));
    expect(Object.keys(asyncAnswers ?? {})).toEqual(calls.map(({ name }) => name));
    for (const [name, { path }] of everyEndpoint) {
      const { method, kind, cost }: Endpoint = allEndpoints[name];
      // The others count or change something, or have no data.
      if (method !== 'GET' || kind !== undefined || cost === 'free') continue;
      if (createdBy(path) !== null) continue;
      const response = await world.call(path, env.BRICKMARK_KEY ?? '');
      const { data } = (await response.json()) as { data: unknown };
      expect(answers?.[snakeName(name)]).toEqual(data);
      expect(asyncAnswers?.[snakeName(name)]).toEqual(data);
    }
  });

  test('the examples in docs/python.md print what the page says', async () => {
    world.now += 60_000;
    const offer = { kind: 'offer', retailer: 'retailer_b', set_number: '75192', price: 150 };
    await world.load([{ ...offer, observed_at: formatInstant(world.now) }]);
    const server = { python, url: world.url, key: await world.addKey('a@example.com') };
    const page = join(root, 'docs', 'python.md');
    const { expected, printed, stderr } = await runPythonExamples(page, server);
    expect(stderr).toBe('');
    expect(expected.length).toBeGreaterThan(7);
    expect(printed).toEqual(expected);
  });
});

/** A valid call of an endpoint, for `call_every.py`. */
function callOf(name: EndpointName) {
  const { prefix, kind }: Endpoint = allEndpoints[name];
  const { params = {}, query = {}, body } = inputOf(name);
  return {
    name: snakeName(name),
    is_plus: prefix === plusPrefix,
    kind: kind ?? null,
    // An object stands for the ID of what an earlier call created.
    args: Object.values(params).map((value) => createdBy(`/${value}`) ?? value),
    kwargs: { ...query, ...body },
  };
}

/** The request that creates the caller's object in a path; null if there is none. */
function createdBy(path: string) {
  if (path.includes(`/${ownWebhook}`)) return { id_of: 'create_webhook' };
  return path.includes(`/${ownList}`) ? { id_of: 'create_watchlist' } : null;
}
