/** No suite of the store or the API is forgotten on PostgreSQL, and runs are compared truly. */
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { countTests, differences, totalOf } from '../scripts/junit.ts';
import {
  engineSuites,
  isEngineSuite,
  isOnceOnly,
  isPostgresSuite,
  onceOnly,
  postgresSuites,
} from './support/engine-suites.ts';

const root = resolve(import.meta.dir, '..');
const engines = join(root, 'test', 'support', 'engines.ts');

/** Whether a file takes its store from engines.ts, itself or through others. */
function reachesEngines(path: string, seen = new Set<string>()): boolean {
  if (path === engines) return true;
  if (seen.has(path) || !existsSync(path)) return false;
  seen.add(path);
  const imports = readFileSync(path, 'utf8').matchAll(/from '(\.[^']+)'/g);
  return [...imports].some(([, to = '']) => reachesEngines(resolve(dirname(path), to), seen));
}

test('every suite that takes its store from engines.ts is in one of the lists', () => {
  const suites = [...new Bun.Glob('{src,test}/**/*.test.ts').scanSync(root)];
  const forgotten = suites.filter(
    (suite) =>
      reachesEngines(join(root, suite)) &&
      ![isEngineSuite, isOnceOnly, isPostgresSuite].some((isListed) => isListed(suite)),
  );
  expect(forgotten).toEqual([]);
  for (const listed of [...engineSuites, ...postgresSuites, ...Object.keys(onceOnly)]) {
    expect([listed, existsSync(join(root, listed))]).toEqual([listed, true]);
  }
});

const report = (cases: string) =>
  `<testsuites><testsuite name="a"><testsuite>${cases}</testsuite></testsuite></testsuites>`;
const ran = (name: string, file = 'a.test.ts') => `<testcase name="${name}" file="${file}" />`;
const skipped = (name: string, file = 'a.test.ts') =>
  `<testcase name="${name}" file="${file}">\n<skipped />\n</testcase>`;

test('tests are counted by file, those that were skipped apart and by their names', () => {
  const failed = '<testcase name="c" file="b.test.ts"><failure type="x" /></testcase>';
  const counts = countTests(report(ran('a &gt; b') + skipped('&lt;it&gt;') + ran('d') + failed));
  expect([...counts]).toEqual([
    ['a.test.ts', { ran: 2, skipped: ['<it>'] }],
    ['b.test.ts', { ran: 1, skipped: [] }],
  ]);
  expect(totalOf(counts)).toBe(3);
});

test('a test that one engine lacks is a difference; one that it skips is none', () => {
  const both = countTests(report(ran('a') + ran('b') + ran('x', 'c.test.ts')));
  const skips = countTests(report(ran('a') + skipped('b') + ran('x', 'c.test.ts')));
  const lacks = countTests(report(ran('a')));
  expect(differences(both, skips)).toEqual([]);
  expect(differences(both, lacks)).toEqual([
    'a.test.ts: 2 tests on SQLite, 1 on PostgreSQL',
    'c.test.ts: 1 tests on SQLite, 0 on PostgreSQL',
  ]);
});
