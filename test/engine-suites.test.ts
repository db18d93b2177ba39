/** No suite of the store or the API is forgotten on PostgreSQL, and runs are compared truly. */
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { differences, joinReports, listFailed, readReport, totalOf } from '../scripts/junit.ts';
import { makeBatches, runInLanes, timeSuites } from '../scripts/lanes.ts';
import {
  engineSuites,
  isEngineSuite,
  isOnceOnly,
  isPostgresSuite,
  onceOnly,
  postgresSuites,
} from './support/engine-suites.ts';
import { findNeed, listFiles } from './support/suite-needs.ts';

const root = resolve(import.meta.dir, '..');
test('every suite that takes its store from engines.ts is in one of the lists', () => {
  const suites = [...new Bun.Glob('{src,test}/**/*.test.ts').scanSync(root)];
  const forgotten = suites.filter(
    (suite) =>
      listFiles(suite).has('test/support/engines.ts') &&
      ![isEngineSuite, isOnceOnly, isPostgresSuite].some((isListed) => isListed(suite)),
  );
  expect(forgotten).toEqual([]);
  for (const listed of [...engineSuites, ...postgresSuites, ...Object.keys(onceOnly)]) {
    expect([listed, existsSync(join(root, listed))]).toEqual([listed, true]);
  }
});

test.each([
  ['test/process/kills.test.ts', 'other processes'],
  ['test/nodes/outage.test.ts', 'PostgreSQL'],
  ['src/store/postgres/private-rows.test.ts', 'PostgreSQL'],
  ['test/web/selling.test.ts', 'a browser'],
  ['src/store/store.test.ts', 'nothing'],
])('what %s needs is found: %s', (suite, need) => {
  expect(findNeed(suite) ?? 'nothing').toBe(need);
});

const file = (cases: string, path = 'a.test.ts', seconds = 1.5) =>
  `<testsuite name="${path}" file="${path}" time="${seconds}">${cases}</testsuite>`;
const group = (cases: string) =>
  `<testsuite name="group" file="a.test.ts" line="1" time="1">${cases}</testsuite>`;
const report = (files: string) => `<testsuites name="bun test" time="9">${files}</testsuites>`;
const ran = (name: string, path = 'a.test.ts') => `<testcase name="${name}" file="${path}" />`;
const skipped = (name: string, path = 'a.test.ts') =>
  `<testcase name="${name}" file="${path}">\n<skipped />\n</testcase>`;
const failed = (name: string, path = 'a.test.ts') =>
  `<testcase name="${name}" file="${path}">\n<failure type="x">no</failure>\n</testcase>`;

test('what became of tests is told by file, skipped and failed ones by their names', () => {
  const first = group(ran('a &gt; b') + skipped('&lt;it&gt;')) + ran('d');
  const second = file(failed('c', 'b.test.ts'), 'b.test.ts', 0.25);
  const reports = readReport(report(file(first) + second));
  expect([...reports]).toEqual([
    ['a.test.ts', { ran: 2, skipped: ['<it>'], failed: [], seconds: 1.5 }],
    ['b.test.ts', { ran: 1, skipped: [], failed: ['c'], seconds: 0.25 }],
  ]);
  expect(totalOf(reports)).toBe(3);
});

test('a test that one engine lacks is a difference; one that it skips is none', () => {
  const both = joinReports([
    readReport(report(file(ran('a') + ran('b')))),
    readReport(report(file(ran('x', 'c.test.ts'), 'c.test.ts'))),
  ]);
  const skips = readReport(report(ran('a') + skipped('b') + ran('x', 'c.test.ts')));
  const lacks = readReport(report(ran('a')));
  expect(differences(both, skips)).toEqual([]);
  expect(differences(both, lacks)).toEqual([
    'a.test.ts: 2 tests on SQLite, 1 on PostgreSQL',
    'c.test.ts: 1 tests on SQLite, 0 on PostgreSQL',
  ]);
});

test('of what failed, tests are named, and otherwise only suites that did not report', () => {
  const suites = ['a.test.ts', 'b.test.ts', 'c.test.ts'];
  const c = file(ran('y', 'c.test.ts'), 'c.test.ts');
  const listed = (files: string) => listFailed(suites, readReport(report(files)));
  const good = file(ran('a'));
  const b = file(ran('x', 'b.test.ts'), 'b.test.ts');
  const outside = ' outside of a test; see above: ';
  expect(listed(good + c)).toEqual([`${outside}b.test.ts`]);
  expect(listed(file(failed('a')) + b + c)).toEqual([': a.test.ts: a']);
  expect(listed(file(failed('a')) + c)).toEqual([': a.test.ts: a', `${outside}b.test.ts`]);
  expect(listed(good + b + c)).toEqual([`${outside}${suites.join(', ')}`]);
  expect(listed('')).toEqual([`${outside}${suites.join(', ')}`]);
});

test('batches take about as long as each other, the longest first, and leave nothing out', () => {
  const seconds = [30, 1, 9, 8, 2, 7, 3, 0];
  const suites = seconds.map((each, index) => ({ path: `${index}`, seconds: each }));
  const batches = makeBatches(suites, 20);
  expect(batches.map((batch) => batch.seconds)).toEqual([30, 15, 15]);
  expect(batches[0]?.suites).toEqual(['0']);
  expect(batches.flatMap((batch) => batch.suites).sort()).toEqual(suites.map(({ path }) => path));
  expect(makeBatches([], 20)).toEqual([]);
  expect(makeBatches([{ path: 'a', seconds: 0 }], 20)).toEqual([{ suites: ['a'], seconds: 0 }]);
});

test('a suite that was never recorded is taken to last as long as those of its kind', () => {
  const kindOf = (path: string) => path.split('/')[0] ?? null;
  const recorded = { 'web/a': 30, 'web/b': 10, 'cli/a': 2, 'web/gone': 900 };
  const seconds = (...paths: string[]) =>
    timeSuites(paths, recorded, kindOf).map((suite) => suite.seconds);
  expect(seconds('web/a', 'web/b', 'web/new', 'cli/a')).toEqual([30, 10, 20, 2]);
  expect(seconds('web/a', 'cli/a', 'api/new')).toEqual([30, 2, 16]);
  expect(seconds('web/new')).toEqual([2]);
});

test('lanes take the next job when they are free, and results are in the order of the jobs', async () => {
  const ends = new Map<number, () => void>();
  const started: number[] = [];
  const results = runInLanes([0, 1, 2, 3], 2, async (job) => {
    started.push(job);
    await new Promise<void>((resolve) => ends.set(job, resolve));
    return job * 10;
  });
  const end = async (job: number) => {
    ends.get(job)?.();
    await Bun.sleep(0);
  };
  expect(started).toEqual([0, 1]);
  await end(1);
  expect(started).toEqual([0, 1, 2]);
  await end(2);
  await end(3);
  await end(0);
  expect(await results).toEqual([0, 10, 20, 30]);
});
