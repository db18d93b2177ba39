/**
 * Which engines a suite runs on, and whether in `npm test` or `npm run test:rest`. A suite that
 * opens stores itself runs on both engines in `npm test`, any other on SQLite. A suite that differs
 * says so in a line of its own, so that it can be moved without changing where it runs:
 *
 *     // @runs SQLite, PostgreSQL (rest): the reason
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listImports } from './imports.ts';

const root = resolve(import.meta.dir, '..', '..');

/** PostgreSQL 17 is the release in `deploy/compose.yaml`; it runs a selection. */
export const engines = ['SQLite', 'PostgreSQL', 'PostgreSQL 17'] as const;
export type Engine = (typeof engines)[number];

/** `main`: `npm test`. `rest`: `npm run test:rest`. */
export type SuiteGroup = 'main' | 'rest';

export type SuiteGroups = ReadonlyMap<Engine, SuiteGroup>;

/** Open stores on the engine that is tested. */
const storeOpeners = ['test/support/engines.ts', 'test/support/shared-store.ts'];

/** The group in which a suite runs on an engine; null if it does not. */
export function groupOf(suite: string, engine: Engine): SuiteGroup | null {
  return groupsOf(suite).get(engine) ?? null;
}

/** Whether a suite runs on both engines. */
export function isEngineSuite(suite: string): boolean {
  return groupsOf(suite).has('SQLite') && groupsOf(suite).has('PostgreSQL');
}

export function isPostgresSuite(suite: string): boolean {
  return !groupsOf(suite).has('SQLite');
}

const known = new Map<string, SuiteGroups>();

function groupsOf(suite: string): SuiteGroups {
  const groups = known.get(suite) ?? readGroups(suite);
  known.set(suite, groups);
  return groups;
}

function readGroups(suite: string): SuiteGroups {
  const [line, ...others] = readFileSync(join(root, suite), 'utf8').match(/^\/\/ ?@run.*/gm) ?? [];
  if (others.length > 0) throw new Error(`${suite} says twice where it runs.`);
  const opensStores = listImports(suite).some((path) => storeOpeners.includes(path));
  return parseRuns(line ?? (opensStores ? '// @runs SQLite, PostgreSQL' : '// @runs SQLite'));
}

/** Exported for tests. */
export function parseRuns(line: string): SuiteGroups {
  const [, list = ''] = /^\/\/ @runs ([^:]+)(?:: .+)?$/.exec(line) ?? [];
  return new Map(
    list.split(', ').map((word) => {
      const name = word.replace(/ \(rest\)$/, '');
      const engine = engines.find((each) => each === name);
      if (engine === undefined) throw new Error(`'${line}' names no engine: '${name}'.`);
      const isRest = word !== name || engine === 'PostgreSQL 17';
      return [engine, isRest ? 'rest' : 'main'] as const;
    }),
  );
}
