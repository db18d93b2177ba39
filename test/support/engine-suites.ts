/**
 * Which suites run on which engine, and whether in `npm test` or `npm run test:rest`. A suite runs
 * on SQLite unless it is listed here. Names that end in `/` are folders.
 */
import { listFiles } from './imports.ts';

export const engines = ['SQLite', 'PostgreSQL', 'PostgreSQL 17'] as const;
export type Engine = (typeof engines)[number];

/** `main`: `npm test`. `rest`: `npm run test:rest`. */
export type SuiteGroup = 'main' | 'rest';

/**
 * Suites that run on both engines: those of the store and of what is built on it, and those of
 * doors that run statements which no other suite runs. `loops.test.ts` calls every endpoint;
 * `engines-agree.test.ts` compares the responses of both engines.
 */
export const engineSuites: readonly string[] = [
  'src/accounts/',
  'src/alerts/',
  'src/api/',
  'src/delivery/',
  'src/ingest/import-private.test.ts',
  'src/ingest/import.test.ts',
  'src/publish/',
  'src/store/',
  'src/sync/',
  'test/api/bulk.test.ts',
  'test/api/event-stream.test.ts',
  'test/api/export.test.ts',
  'test/api/key-terms.test.ts',
  'test/api/leaks.test.ts',
  'test/api/loops.test.ts',
  'test/api/minifig-holdings.test.ts',
  'test/api/portfolio-properties.test.ts',
  'test/api/private-changes.test.ts',
  'test/api/readiness.test.ts',
  'test/api/retail-batching.test.ts',
  'test/api/test-keys.test.ts',
  'test/cli/import.test.ts',
  'test/decisions/private.test.ts',
  'test/process/delivering.test.ts',
  'test/process/keys.test.ts',
  'test/process/killed-import.test.ts',
  'test/process/killed-publishing.test.ts',
  'test/process/killed-sync.test.ts',
  'test/process/kills.test.ts',
  'test/process/quota.test.ts',
  'test/process/serving.test.ts',
  'test/process/subscribers.test.ts',
  'test/web/invitations.test.ts',
  'test/web/passkeys.test.ts',
  'test/web/purchases.test.ts',
  'test/web/required.test.ts',
  'test/web/second-factor.test.ts',
  'test/web/sharing-leaks.test.ts',
  'test/web/sharing.test.ts',
  'test/web/status.test.ts',
];

/** Exceptions within these folders that run only on SQLite, with the reason. */
export const sqliteOnly: Readonly<Record<string, string>> = {
  'src/api/answer.test.ts': 'is about responses of any store',
  'src/api/private-answers.test.ts': 'is about caches above the store',
  'src/publish/verify.test.ts': 'checkpoints.test.ts verifies what both engines publish',
  'src/store/sqlite/': 'is about the files of SQLite',
};

/** Suites that run only on PostgreSQL. */
export const postgresSuites: readonly string[] = [
  'src/publish/engines.test.ts',
  'src/store/move/target.test.ts',
  'src/store/postgres/account-lock.test.ts',
  'src/store/postgres/admission.test.ts',
  'src/store/postgres/ingest-equals-sqlite.test.ts',
  'src/store/postgres/migrations.test.ts',
  'src/store/postgres/partitions.test.ts',
  'src/store/postgres/private-rows.test.ts',
];

/** A selection for PostgreSQL 17, the release in `deploy/compose.yaml`. */
export const postgres17Suites: readonly string[] = [
  'src/store/accounts/',
  'src/store/postgres/',
  'test/api/loops.test.ts',
  'test/process/quota.test.ts',
];

/** Suites that need an installed package, a demo, several servers, other programs or real files. */
export const restSuites: readonly string[] = [
  'test/bulk-duckdb.test.ts',
  'test/cli/move.test.ts',
  'test/deploy.test.ts',
  'test/docs-examples.test.ts',
  'test/nodes/',
  'test/openapi-tools.test.ts',
  'test/process/client-package.test.ts',
  'test/process/executable.test.ts',
  'test/process/install.test.ts',
  'test/python-client.test.ts',
  'test/real/',
  'test/recipes.test.ts',
  'test/support/postgres-server.test.ts',
  'test/systemd.test.ts',
  'test/web/axe.test.ts',
];

/** Suites that are slow on PostgreSQL, or repeat statements that the store's suites cover. */
export const postgresRestSuites: readonly string[] = [
  'src/accounts/',
  'src/alerts/',
  'src/delivery/',
  'src/sync/',
  'test/api/portfolio-properties.test.ts',
  'test/process/delivering.test.ts',
  'test/process/killed-import.test.ts',
  'test/process/killed-publishing.test.ts',
  'test/process/killed-sync.test.ts',
  'test/process/subscribers.test.ts',
];

/** The group in which a suite runs on an engine; null if it does not. */
export function groupOf(suite: string, engine: Engine): SuiteGroup | null {
  const isOnPostgres = isPostgresSuite(suite) || isEngineSuite(suite);
  if (engine === 'PostgreSQL 17') {
    return isOnPostgres && isIn(postgres17Suites, suite) ? 'rest' : null;
  }
  if (engine === 'PostgreSQL' ? !isOnPostgres : isPostgresSuite(suite)) return null;
  const isRest = isIn(restSuites, suite);
  return isRest || (engine === 'PostgreSQL' && isIn(postgresRestSuites, suite)) ? 'rest' : 'main';
}

/** Whether a suite runs on both engines, which requires that it opens its store via engines.ts. */
export function isEngineSuite(suite: string): boolean {
  if (!isIn(engineSuites, suite) || isIn(Object.keys(sqliteOnly), suite)) return false;
  return !isPostgresSuite(suite) && listFiles(suite).has('test/support/engines.ts');
}

export function isPostgresSuite(suite: string): boolean {
  return isIn(postgresSuites, suite);
}

function isIn(names: readonly string[], suite: string): boolean {
  return names.some((name) => (name.endsWith('/') ? suite.startsWith(name) : suite === name));
}
