/** `sync` against simulated sources. */
// @runs SQLite: is about the command
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs, parseInstant } from '../../src/kernel/time.ts';
import { syncLease } from '../../src/sync/lease.ts';
import { commandNow, makeWorkplace, type RunOptions, type Workplace } from '../support/cli.ts';
import { openTestStore } from '../support/engines.ts';
import {
  type LiveName,
  type LiveSources,
  sourceSecrets,
  startLiveSources,
} from '../support/live-sources.ts';
import { makeMarket, marketSale, marketSet } from '../support/source-market.ts';

const now = parseInstant(commandNow) ?? 0;
let place: Workplace;
let live: LiveSources;
let isDown = false;
let isRefused = false;

beforeEach(() => {
  isDown = false;
  isRefused = false;
  place = makeWorkplace();
  const sets = ['10401', '10402', '10403'].map((number) => marketSet({ number }));
  const sales = sets.flatMap(({ number }) =>
    [1, 2, 3].map((days) => marketSale({ itemKey: number, soldAt: now - days * dayMs })),
  );
  live = startLiveSources({
    market: makeMarket({ sets, sales }),
    clock: () => now,
    callsPerDay: { bricklink: 7 },
    wrap: (_, handler) => (request) => {
      if (isDown) return new Response('', { status: 503 });
      return isRefused ? new Response('', { status: 403 }) : handler(request);
    },
  });
});
afterEach(async () => {
  await live.stop();
  await place.close();
});

/** Writes settings with these sources. */
function turnOn(...names: LiveName[]): void {
  mkdirSync(place.data, { recursive: true });
  writeFileSync(join(place.data, 'sources.toml'), live.settings(names));
}

const options = (): RunOptions => ({
  env: { ...sourceSecrets, BRICKMARK_DATA: place.data },
});
const run = (...words: string[]) => place.run(words, options());
const json = <T>(...words: string[]) => place.json<T>(words, options());

interface Status {
  readonly problem: string | null;
  readonly sources: readonly {
    readonly source: string;
    readonly enabled: boolean;
    readonly last_success_at: string | null;
    readonly last_error: { readonly message: string; readonly stopped: boolean } | null;
    readonly failures: number;
    readonly next_at: string | null;
    readonly budget: { readonly left: number | null; readonly resets_at: string | null };
    readonly coverage: { readonly questions: number; readonly never_asked: number } | null;
    readonly days: readonly { readonly day: string; readonly rows: number }[];
  }[];
}

describe('from an empty store', () => {
  test('one command fetches the catalog, then sales within the budget, and publishes values', async () => {
    turnOn('bricklink', 'brickset');
    const once = await json<{ sources: object[] }>('sync', '--once');
    expect(once.sources).toMatchObject([
      { source: 'brickset', calls: 1, rows: 3, rejects: 0, error: null },
      { source: 'bricklink', calls: 7, error: null },
    ]);
    expect(live.calls.filter(({ source }) => source === 'bricklink')).toHaveLength(7);
    const { published } = await json<{ published: unknown }>('explain', 'set', '10401').then(
      (shown) => ({ published: shown }),
    );
    expect(published).toBeTruthy();
    const { imports } = await json<{ imports: { files: string[] }[] }>('import', 'log');
    expect(imports.map(({ files }) => files[0]).join()).toContain('answers/brickset/2026-11-15T12');
    expect(readdirSync(join(place.data, 'answers', 'bricklink'))).not.toBeEmpty();

    const status = await json<Status>('sync', 'status');
    expect(status.problem).toBeNull();
    const bricklink = status.sources.find(({ source }) => source === 'bricklink');
    expect(bricklink).toMatchObject({ enabled: true, failures: 0, last_error: null });
    expect(bricklink?.budget).toEqual({ left: 0, resets_at: '2026-11-16T13:10:00.000Z' });
    expect(bricklink?.next_at).toBe('2026-11-16T13:10:00.000Z');
    expect(bricklink?.coverage?.questions).toBe(15);
    expect(bricklink?.days).toMatchObject([{ day: '2026-11-15' }]);

    const again = await run('sync', '--once');
    expect(again.status).toBe(0);
    expect(again.stdout).toBe(
      'brickset: nothing due before Nov 16, 2026, 12:00 UTC.\n' +
        'bricklink: nothing due before Nov 16, 2026, 13:10 UTC.\n',
    );
    const table = await run('sync', 'status');
    expect(table.stdout).toMatch(/^source +last success +next call/);
    expect(table.stdout).toMatch(
      /\nbricklink +Nov 15, 2026, 12:00 UTC +Nov 16, 2026, 13:10 UTC +0 /,
    );
  });
});

test('--dry-run shows the plan with reasons, and makes no calls', async () => {
  turnOn('brickset', 'bricklink');
  await run('sync', 'brickset', '--once');
  const before = live.calls.length;
  const { status, stdout } = await run('sync', '--dry-run');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^source +when +call +cost +why\n/);
  expect(stdout).toMatch(/\nbrickset +Nov 16, 2026, 12:00 UTC +page 1/);
  expect(stdout).toMatch(/\nbricklink +now +10401.*sold-new.*never asked/);
  const plan = await json<{ sources: { source: string; calls: object[] }[] }>('sync', '--dry-run');
  expect(plan.sources.map(({ source }) => source)).toEqual(['brickset', 'bricklink']);
  expect(plan.sources[1]?.calls[0]).toMatchObject({ cost: 1 });
  expect(live.calls).toHaveLength(before);
});

test('plan and status work without the keys', async () => {
  turnOn('brickset', 'bricklink');
  await run('sync', 'brickset', '--once');
  const bare: RunOptions = { env: { BRICKMARK_DATA: place.data } };
  const status = await place.json<Status>(['sync', 'status'], bare);
  expect(status.problem).toBeNull();
  expect(status.sources).toMatchObject([
    { source: 'brickset', enabled: true },
    { source: 'bricklink', enabled: true },
  ]);
  const plan = await place.run(['sync', '--dry-run'], bare);
  expect(plan.status).toBe(0);
  expect(plan.stdout).toMatch(/\nbricklink +now +10401/);
  turnOn('bricklink');
  const shown = await place.run(['sync', 'status'], bare);
  expect(shown.stdout).toMatch(/\nbrickset +Nov 15, 2026, 12:00 UTC +not configured/);
});

test('without one key, the others are fetched, and the command says which one is missing', async () => {
  turnOn('ecb', 'brickset', 'keepa');
  const { BRICKMARK_TEST_KEEPA_KEY: _, ...others } = sourceSecrets;
  const env = { ...others, BRICKMARK_DATA: place.data };
  const runWithout = (...words: string[]) => place.run(words, { env });
  const off = new RegExp(
    'keepa( is stopped)?: .*sources\\.toml, line \\d+: the environment variable named in ' +
      "'key_env' is empty or not set\\. Put the secret there\\.\n$",
  );
  const once = await runWithout('sync', '--once');
  expect(once.stdout).toMatch(/^ecb: 2 calls, .*\nbrickset: 1 call, .*\n/);
  expect(once.stdout).toMatch(off);
  expect(once).toMatchObject({
    status: 1,
    stderr: 'Sync failed for keepa. See the errors above.\n',
  });
  const { sources } = JSON.parse((await runWithout('sync', 'keepa', '--once', '--json')).stdout);
  const nothing = { calls: 0, rows: 0, rejects: 0, next_at: null };
  expect(sources).toMatchObject([{ source: 'keepa', ...nothing, error: expect.any(String) }]);
  const check = await runWithout('sync', 'check', 'brickset', 'keepa');
  expect(check.stdout).toMatch(/^brickset: Connected/m);
  expect(check).toMatchObject({ status: 1, stderr: 'Not working: keepa.\n' });
  // Status needs no key: it says what the latest process that syncs has found.
  expect(await runWithout('sync', 'status')).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/\nkeepa +never +stopped /),
    stderr: 'Stopped: keepa. See above.\n',
  });
  expect((await run('sync', 'keepa', '--once')).stdout).toMatch(/^keepa: \d+ calls?, /);
  expect((await run('sync', 'status')).status).toBe(0);
});

test('an unavailable source fails the command, and is retried later', async () => {
  turnOn('brickset');
  isDown = true;
  const { status, stdout, stderr } = await run('sync', '--once');
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /^brickset: 1 call, 0 rows, 0 rejected\. .*503.* Next attempt: Nov 15, 2026/,
  );
  expect(stderr).toBe('Sync failed for brickset. See the errors above.\n');
  const [brickset] = (await json<Status>('sync', 'status')).sources;
  expect(brickset).toMatchObject({ failures: 1, last_success_at: null });
  const shown = await run('sync', 'status');
  expect(shown.stdout).toMatch(
    /\nbrickset failed 1 time; last error Nov 15, 2026, 12:00 UTC: .*503/,
  );
});

test('a source that rejects its key is stopped, until a check or a sync that names it', async () => {
  turnOn('keepa', 'brickset');
  isRefused = true;
  const stopped = await run('sync', 'brickset', '--once');
  expect(stopped.status).toBe(1);
  expect(await run('sync', 'status')).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/brickset +never +stopped .*\nbrickset is stopped; last error/s),
    stderr: 'Stopped: brickset. See above.\n',
  });
  const check = await run('sync', 'check');
  expect(check.status).toBe(1);
  expect(check.stdout).toMatch(/^brickset: .*403.*\nkeepa: /);
  expect(check.stderr).toBe('Not working: brickset, keepa.\n');
  isRefused = false;
  expect((await run('sync', '--once')).stdout).toMatch(/brickset: nothing due .* Stopped/);
  expect((await run('sync', 'brickset', '--once')).stdout).toStartWith('brickset: 1 call, 3 rows');
  isRefused = true;
  await place.run(['sync', 'brickset', '--once'], { ...options(), now: '2026-11-16T12:00:01Z' });
  isRefused = false;
  const works = await run('sync', 'check');
  expect(works.status).toBe(0);
  expect(works.stdout).toMatch(/^brickset: Connected to Brickset\..*\nkeepa: Connected to Keepa/);
  const [brickset] = (await json<Status>('sync', 'status')).sources;
  expect(brickset).toMatchObject({ failures: 0, last_error: { stopped: false } });
});

test('a check counts towards the budget, and is not made without one', async () => {
  turnOn('bricklink');
  for (let count = 0; count < 7; count++) expect((await run('sync', 'check')).status).toBe(0);
  const spent = await run('sync', 'check');
  expect(spent).toMatchObject({ status: 0 });
  const message = 'not tested: its budget is used up until Nov 16, 2026, 13:10 UTC.';
  expect(spent.stdout).toBe(`bricklink: ${message}\n`);
  expect(await json('sync', 'check')).toEqual({
    sources: [{ source: 'bricklink', result: 'not_asked', message }],
  });
  expect(live.calls).toHaveLength(7);
});

/** Replaces a line of the settings. */
function change(from: RegExp, to: string): void {
  const path = join(place.data, 'sources.toml');
  const before = readFileSync(path, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

test('changed settings apply at the next run, not after the old time', async () => {
  turnOn('brickset', 'bricklink');
  change(/calls_per_day = 7\b/, 'calls_per_day = 3');
  await run('sync', '--once');
  expect((await run('sync', '--once')).stdout).toContain('bricklink: nothing due before Nov 16');
  change(/calls_per_day = 3\b/, 'calls_per_day = 7');
  const told = "New settings of bricklink apply after 'brickmark reload' or a restart.";
  expect((await run('sync', 'status')).stdout).toContain(told);
  const raised = (await run('sync', '--once')).stdout;
  expect(raised).toMatch(/^bricklink: 4 calls, /);
  expect(raised).toContain('brickset: nothing due before Nov 16');
  expect((await run('sync', 'status')).stdout).not.toContain('New settings');
  change(/\[brickset\]/, '[brickset]\nevery = "1m"');
  expect((await run('sync', '--once')).stdout).toMatch(/^brickset: 1 call, /);
  const [brickset] = (await json<Status>('sync', 'status')).sources;
  expect(brickset?.next_at).toStartWith('2026-11-15T12:01:');
});

test('--now fetches from a source that is not due, or has the syncing process do it', async () => {
  turnOn('brickset', 'bricklink');
  await run('sync', '--once');
  expect((await run('sync', 'brickset', '--now')).stdout).toBe(
    'brickset: 1 call, 0 rows, 0 rejected.\n',
  );
  const store = await openTestStore(place.data);
  const lease = syncLease(store.market, () => now, 'a server');
  expect(await lease.take()).toBe(true);
  // The server has the keys, which this shell lacks.
  const bare: RunOptions = { env: { BRICKMARK_DATA: place.data } };
  const handed = await place.run(['sync', 'brickset', '--now'], bare);
  expect(handed.status).toBe(0);
  expect(handed.stdout).toStartWith('Due now: brickset. The process that is syncing fetches');
  expect(await store.sync.findSource('brickset')).toMatchObject({ nextAt: 0, failures: 0 });
  await lease.release();
  await store.close();
  expect((await run('sync', '--now')).stderr).toContain('--now needs a SOURCE.');
  expect((await run('sync', 'brickset', '--now', '--once')).status).toBe(2);
});

test('a check of Brickset costs nothing, and works when the budget is used up', async () => {
  turnOn('brickset');
  await run('sync', 'check');
  const left = async () => (await json<Status>('sync', 'status')).sources[0]?.budget;
  expect(await left()).toEqual({ left: 100, resets_at: null });
  await run('sync', '--once');
  expect(await left()).toMatchObject({ left: 99 });
  change(/calls_per_day = \d+/, 'calls_per_day = 1');
  expect((await run('sync', 'check')).stdout).toStartWith('brickset: Connected to Brickset.');
  expect(await left()).toMatchObject({ left: 0 });
});

describe('usage errors and invalid settings', () => {
  test.each([
    [['sync', 'brcklink', '--once'], 2, "Unknown source 'brcklink'; did you mean 'bricklink'?"],
    [['sync', 'check', 'keepa'], 1, "'keepa' is not configured. Add it to "],
    [['sync', 'status', 'keepa'], 2, "Unexpected argument 'keepa'."],
  ])('explains what is wrong with %j', async (words, expected, said) => {
    turnOn('bricklink');
    await run('migrate');
    const { status, stderr } = await run(...words);
    expect(stderr).toContain(said);
    expect(status).toBe(expected);
  });

  test('no source is configured', async () => {
    const { status, stderr } = await run('sync', '--once');
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^No sources configured\. Create .*sources\.toml; see docs\/sources for how/,
    );
    await run('migrate');
    expect((await run('sync', 'status')).stdout).toStartWith('No sources configured');
  });

  test('invalid settings are reported by every command; status also shows the sources', async () => {
    turnOn('brickset');
    await run('sync', '--once');
    writeFileSync(join(place.data, 'sources.toml'), '[brikset]\n');
    expect((await run('sync', '--once')).stderr).toContain("'brikset'");
    const status: Status = JSON.parse((await run('sync', 'status', '--json')).stdout);
    expect(status.problem).toContain("'brikset'");
    expect(status.sources).toMatchObject([{ source: 'brickset', enabled: false }]);
    const shown = await run('sync', 'status');
    expect(shown.stdout).toMatch(/^Sync is off: .*\n/);
    expect([shown.status, shown.stderr]).toEqual([
      1,
      'The source settings are invalid. See above.\n',
    ]);
  });
});
