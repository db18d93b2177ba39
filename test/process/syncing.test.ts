/** Sources are synced by a separate process, which is killed, replaced and stopped. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dayMs, parseInstant } from '../../src/kernel/time.ts';
import { commandNow, makeWorkplace, untilReady, type Workplace } from '../support/cli.ts';
import {
  type LiveName,
  type LiveSources,
  sourceSecrets,
  startLiveSources,
} from '../support/live-sources.ts';
import { childrenOf, commandLine, helperOf, signal, untilGone } from '../support/processes.ts';
import { programCommand } from '../support/program.ts';
import { makeMarket, marketSale, marketSet } from '../support/source-market.ts';
import { until } from '../support/until.ts';

const now = parseInstant(commandNow) ?? 0;
let place: Workplace;
let live: LiveSources;
/** Called before each source responds; its result replaces the response. */
let beforeAnswer: (request: Request) => Promise<Response | null>;

beforeEach(() => {
  beforeAnswer = async () => null;
  place = makeWorkplace();
  mkdirSync(place.data, { recursive: true });
  const sets = ['10401', '10402', '10403'].map((number) => marketSet({ number }));
  const sales = sets.flatMap(({ number }) =>
    [1, 2, 3].map((days) => marketSale({ itemKey: number, soldAt: now - days * dayMs })),
  );
  live = startLiveSources({
    market: makeMarket({ sets, sales }),
    clock: () => now,
    wrap: (_, handler) => async (request) => (await beforeAnswer(request)) ?? handler(request),
  });
});
afterEach(async () => {
  await place.close();
  await live.stop();
});

function turnOn(...names: LiveName[]): void {
  writeFileSync(join(place.data, 'sources.toml'), live.settings(names));
}

/** The process of a server that syncs. */
const syncOf = (pid: number) => helperOf(pid, 'upkeep');

async function startSync(...words: string[]) {
  const child = Bun.spawn([...(await programCommand()), 'sync', ...words], {
    cwd: place.folder,
    env: { ...(await place.env()), ...sourceSecrets },
    stderr: 'pipe',
  });
  const output = { text: '' };
  const read = async () => {
    for await (const chunk of child.stderr) output.text += new TextDecoder().decode(chunk);
  };
  const reading = read();
  const ended = async () => {
    const status = await child.exited;
    await reading;
    return { status, text: output.text };
  };
  return { child, output, ended };
}

test('serve starts a sync process, restarts it, and stops it', async () => {
  turnOn('brickset', 'bricklink');
  const server = await place.serve({ env: sourceSecrets });
  await place.run(['account', 'add', 'a@example.com', '--plan', 'reseller']);
  const { key } = await place.json<{ key: string }>(['key', 'add', 'a@example.com']);
  await until(async () => (await server.get('/set/10401', key)).status === 200, server.errors);
  const manual = await startSync('--once');
  expect(await manual.ended()).toMatchObject({
    status: 1,
    text: expect.stringMatching(/^Another process is already syncing/),
  });
  const first = syncOf(server.pid) ?? 0;
  signal(first, 'SIGKILL');
  await until(() => ![null, first].includes(syncOf(server.pid)));
  expect(server.errors()).toContain('The process for upkeep ended. Restarting in');
  const children = childrenOf(server.pid);
  expect(await server.kill('SIGTERM')).toBe(0);
  await untilGone(children);
});

/** Keepa's key is in a file, which does not exist yet. */
function turnOnWithKeyFile(...others: LiveName[]): string {
  const keyEnv = 'key_env = "BRICKMARK_TEST_KEEPA_KEY"';
  const settings = live.settings([...others, 'keepa']);
  expect(settings).toContain(keyEnv);
  writeFileSync(
    join(place.data, 'sources.toml'),
    settings.replace(keyEnv, 'key_file = "keepa.key"'),
  );
  return join(place.data, 'keepa.key');
}

const callsOf = (name: LiveName) => live.calls.filter(({ source }) => source === name).length;

test('a missing key stops its source alone, everywhere says so, and it returns with the key', async () => {
  const keyFile = turnOnWithKeyFile('ecb', 'brickset');
  const server = await place.serve({ env: sourceSecrets, flags: ['--metrics-port', '0'] });
  await until(() => callsOf('ecb') > 0 && callsOf('brickset') > 0, server.errors);
  const status = () => place.run(['sync', 'status']);
  await until(async () => /\nkeepa +never +stopped /.test((await status()).stdout), server.errors);
  expect(await status()).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(
      new RegExp(
        '\nkeepa is stopped; last error .*: .*sources\\.toml, line \\d+: the file named in ' +
          "'key_file' cannot be read, .* Check its path and permissions\\. " +
          "Then run 'brickmark reload', or restart",
      ),
    ),
    stderr: 'Stopped: keepa. See above.\n',
  });
  const site = async () => (await fetch(`${server.url}/status.json`)).json();
  // Visitors share what was read for a few seconds, and rates that were called for are imported
  // later.
  const sources = async () => {
    const { status, data } = await site();
    const of = (name: string) => data.find((row: { name: string }) => row.name === name)?.status;
    return [status, of('Exchange rates'), of('Retail prices')].join();
  };
  await until(async () => (await sources()) === 'delayed,operational,delayed', server.errors);
  const [metricsUrl = ''] = /http:\S+\/metrics/.exec(server.errors()) ?? [];
  const stopped = async (source: string) =>
    (await (await fetch(metricsUrl)).text())
      .split('\n')
      .find((line) => line.startsWith(`brickmark_sync_stopped{source="${source}"}`));
  expect(await stopped('keepa')).toEndWith(' 1');
  expect(await stopped('brickset')).toEndWith(' 0');
  expect(server.errors().match(/"source":"keepa","error":/g)).toHaveLength(1);
  expect(callsOf('keepa')).toBe(0);
  writeFileSync(keyFile, `${sourceSecrets.BRICKMARK_TEST_KEEPA_KEY}\n`, { mode: 0o600 });
  await until(() => callsOf('keepa') > 0, server.errors);
  await until(async () => (await status()).status === 0, server.errors);
  await until(async () => (await site()).status === 'operational', server.errors);
  expect(await stopped('keepa')).toEndWith(' 0');
  const children = childrenOf(server.pid);
  expect(await server.kill('SIGTERM')).toBe(0);
  await untilGone(children);
});

test('sync on its own waits for a missing key; reload says that it is still missing', async () => {
  const keyFile = turnOnWithKeyFile('ecb');
  const { child, output, ended } = await startSync();
  await until(
    () => callsOf('ecb') > 0,
    () => output.text,
  );
  expect(output.text).toContain('Syncing from ecb.');
  expect(output.text).toContain('keepa is stopped: ');
  const reloaded = await place.run(['reload']);
  expect(reloaded).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^sync \(process \d+\) has reloaded\. keepa is stopped: /),
    stderr: 'Not every source works. See above.\n',
  });
  writeFileSync(keyFile, sourceSecrets.BRICKMARK_TEST_KEEPA_KEY, { mode: 0o600 });
  await until(
    () => callsOf('keepa') > 0,
    () => output.text,
  );
  child.kill('SIGTERM');
  expect(await ended()).toMatchObject({ status: 0 });
});

test('invalid settings do not prevent serving, and --no-sync makes no calls', async () => {
  writeFileSync(join(place.data, 'sources.toml'), '[brikset]\n');
  const broken = await place.serve();
  await until(() => broken.errors().includes('Sync is off: '));
  expect((await fetch(`${broken.url}/healthz`)).status).toBe(200);
  await broken.kill('SIGTERM');
  turnOn('brickset');
  const quiet = await place.serve({ env: sourceSecrets, flags: ['--no-sync'] });
  await untilReady(quiet);
  expect(syncOf(quiet.pid)).toBeNull();
  await quiet.kill('SIGTERM');
  expect(live.calls).toEqual([]);
});

test('on SIGTERM it ends after the current call, with its response stored', async () => {
  turnOn('brickset');
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  beforeAnswer = async () => {
    asked.resolve();
    await answered.promise;
    return null;
  };
  const { child, ended } = await startSync();
  await asked.promise;
  child.kill('SIGINT');
  await Bun.sleep(50);
  answered.resolve();
  const { status, text } = await ended();
  expect({ status, text }).toMatchObject({ status: 0 });
  expect(text).toContain('brickset: 1 call, 3 rows, 0 rejected.');
  const { sources } = await place.json<{ sources: { last_success_at: string }[] }>([
    'sync',
    'status',
  ]);
  expect(sources[0]?.last_success_at).toStartWith('2026-11-15T12:0');
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** The decompressed content of a file. */
function unpacked(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
}

/** A secret as is, and as encoded in URLs, JSON and headers. */
function spellings(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64').replaceAll('=', '');
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64];
}

function secretsIn(text: string): string[] {
  return Object.entries(sourceSecrets)
    .filter(([, secret]) => spellings(secret).some((spelling) => text.includes(spelling)))
    .map(([name]) => name);
}

test('no secret is in the store, responses, backups, logs, errors or command lines', async () => {
  expect(
    secretsIn(`key=${encodeURIComponent(sourceSecrets.BRICKMARK_TEST_BRICKLINK_TOKEN)}`),
  ).toEqual(['BRICKMARK_TEST_BRICKLINK_TOKEN']);
  turnOn('brickset', 'bricklink', 'keepa');
  const outputs: string[] = [];
  const type = async (...words: string[]) => {
    const { stdout, stderr } = await place.run(words, { env: sourceSecrets });
    outputs.push(stdout, stderr);
  };
  for (const words of [['check'], ['--once'], ['status'], ['--dry-run', '--json']]) {
    await type('sync', ...words);
  }
  // Sources that echo the request in their errors.
  for (const status of [403, 500, 429, 400]) {
    beforeAnswer = async (request) => {
      const headers = JSON.stringify([...request.headers]);
      return new Response(`${request.url} ${headers} ${await request.text()}`, { status });
    };
    await type('sync', 'check');
    await type('sync', 'brickset', 'bricklink', 'keepa', '--once');
  }
  beforeAnswer = async () => null;
  const env = { ...sourceSecrets, BRICKMARK_LOG: 'requests' };
  const server = await place.serve({ env, now: '2026-11-18T12:00:00Z' });
  await until(() => server.errors().includes('"event":"sync"'));
  const all = [server.pid, ...childrenOf(server.pid)];
  expect(all.length).toBeGreaterThan(1);
  expect(secretsIn(all.map(commandLine).join('\n'))).toEqual([]);
  await type('backup', 'copy');
  // A copy during writes, with SQLite's WAL files.
  cpSync(place.data, join(place.folder, 'running'), { recursive: true });
  await server.kill('SIGTERM');
  outputs.push(server.errors());
  expect(secretsIn(outputs.join('\n'))).toEqual([]);
  const files = filesBelow(place.folder);
  expect(files.some((path) => path.includes('/answers/'))).toBe(true);
  expect(files.some((path) => path.includes('/copy/'))).toBe(true);
  expect(files.filter((path) => secretsIn(unpacked(path)).length > 0)).toEqual([]);
});
