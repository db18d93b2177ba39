/** `npm test` runs each suite on its engines, and reports results correctly. */
import { expect, test } from 'bun:test';
import { join, resolve } from 'node:path';
import { differences, readReport, totalsOf } from '../scripts/junit.ts';
import { type RunningTest, Standstill } from '../scripts/standstill.ts';
import { groupOf, parseRuns } from './support/engine-suites.ts';
import { listFiles } from './support/imports.ts';
import { findNeed } from './support/suite-needs.ts';

const root = resolve(import.meta.dir, '..');

test.each([
  ['PostgreSQL 17: its release', [['PostgreSQL 17', 'rest']]],
  [
    'SQLite, PostgreSQL (rest)',
    [
      ['SQLite', 'main'],
      ['PostgreSQL', 'rest'],
    ],
  ],
] as const)("the line '// @runs %s' of a suite says where it runs", (words, groups) => {
  expect([...parseRuns(`// @runs ${words}`)]).toEqual(groups.map(([...group]) => group));
});

test.each([
  '// @runs Postgres',
  '// @runs SQLite and PostgreSQL',
  '// @runs SQLite (slow)',
  '// @runs: SQLite',
  '// @run SQLite',
  '//@runs SQLite',
])("a suite cannot say '%s'", (line) => {
  expect(() => parseRuns(line)).toThrow('names no engine');
});

test('suites on PostgreSQL open their stores with engines.ts', () => {
  const suites = [...new Bun.Glob('{src,simulator,test}/**/*.test.ts').scanSync(root)];
  const onPostgres = suites.filter((suite) => groupOf(suite, 'PostgreSQL') !== null);
  expect(onPostgres.length).toBeGreaterThan(100);
  const others = onPostgres.filter((suite) => !listFiles(suite).has('test/support/engines.ts'));
  expect(others).toEqual([]);
});

test.each([
  [
    'src/portfolio/lots/lots.store.test.ts',
    { SQLite: 'main', PostgreSQL: 'main', 'PostgreSQL 17': 'rest' },
  ],
  [
    'src/publish/checkpoints.work.test.ts',
    { SQLite: 'main', PostgreSQL: 'main', 'PostgreSQL 17': null },
  ],
  ['src/store/sqlite/lock.test.ts', { SQLite: 'main', PostgreSQL: null, 'PostgreSQL 17': null }],
  [
    'src/store/postgres/admission.test.ts',
    { SQLite: null, PostgreSQL: 'main', 'PostgreSQL 17': 'rest' },
  ],
  ['test/nodes/proxies.test.ts', { SQLite: 'rest', PostgreSQL: null, 'PostgreSQL 17': null }],
  [
    'test/process/subscribers.test.ts',
    { SQLite: 'main', PostgreSQL: 'rest', 'PostgreSQL 17': null },
  ],
  ['src/kernel/money.test.ts', { SQLite: 'main', PostgreSQL: null, 'PostgreSQL 17': null }],
] as const)('%s runs on %j', (suite, groups) => {
  expect({
    SQLite: groupOf(suite, 'SQLite'),
    PostgreSQL: groupOf(suite, 'PostgreSQL'),
    'PostgreSQL 17': groupOf(suite, 'PostgreSQL 17'),
  }).toEqual(groups);
});

test.each([
  ['test/process/kills.test.ts', 'other processes'],
  ['test/nodes/outage.test.ts', 'PostgreSQL'],
  ['src/store/postgres/private-rows.test.ts', 'PostgreSQL'],
  ['test/web/selling.test.ts', 'a browser'],
  ['src/portfolio/lots/lots.store.test.ts', 'nothing'],
])('%s needs %s', (suite, need) => {
  expect(findNeed(suite) ?? 'nothing').toBe(need);
});

const suite = (cases: string) => `<testsuite name="a" file="a.test.ts">${cases}</testsuite>`;
const passed = (name: string, path = 'a.test.ts') => `<testcase name="${name}" file="${path}" />`;
const skipped = (name: string, path = 'a.test.ts') =>
  `<testcase name="${name}" file="${path}">\n<skipped />\n</testcase>`;
const failed = (name: string, path = 'a.test.ts') =>
  `<testcase name="${name}" file="${path}">\n<failure type="x">no</failure>\n</testcase>`;

test('a report has the number of passed tests and the names of the others, by suite', () => {
  const group = suite(passed('a &gt; b') + skipped('&lt;it&gt;'));
  const report = readReport(suite(group + passed('d')) + failed('c', 'b.test.ts'));
  expect([...report]).toEqual([
    ['a.test.ts', { passed: 2, skipped: ['<it>'], failed: [] }],
    ['b.test.ts', { passed: 0, skipped: [], failed: ['c'] }],
  ]);
  expect(totalsOf(report)).toEqual({ passed: 2, failed: 1, skipped: 1 });
});

test('a test that is missing on one engine is a difference, a skipped one is not', () => {
  const all = readReport(passed('a') + passed('b') + passed('x', 'c.test.ts'));
  const skips = readReport(passed('a') + skipped('b') + passed('x', 'c.test.ts'));
  expect(differences(all, skips)).toEqual([]);
  expect(differences(all, readReport(passed('a')))).toEqual([
    'a.test.ts: 2 tests on SQLite, 1 on PostgreSQL',
    'c.test.ts: 1 tests on SQLite, 0 on PostgreSQL',
  ]);
});

/** A suite with a second test that blocks its process. */
const endless = `
import { test } from 'bun:test';
test('ends', () => {});
test.each([1])('never ends', async () => {
  for (;;) await Promise.resolve();
});
`;

test('a blocked test, which no timeout can end, is named', async () => {
  const folder = join(root, 'node_modules', '.cache', 'brickmark-runner');
  const path = join(folder, 'test', 'endless.test.ts');
  await Bun.write(path, endless);
  const found = Promise.withResolvers<readonly RunningTest[]>();
  const standstill = new Standstill((running) => {
    if (running.some(({ name }) => name.endsWith('never ends'))) found.resolve(running);
  }, 100);
  const preload = join(import.meta.dir, 'support', 'current-test.ts');
  const child = Bun.spawn([process.execPath, 'test', `--preload=${preload}`, path], {
    cwd: folder,
    env: { ...process.env, BRICKMARK_TEST_RUNNING: standstill.folder },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  try {
    const [running] = await found.promise;
    expect(running).toMatchObject({ pid: child.pid, name: 'test/endless.test.ts: never ends' });
  } finally {
    child.kill('SIGKILL');
    standstill.close();
  }
});
