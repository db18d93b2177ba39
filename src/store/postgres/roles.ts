/**
 * Database roles with the least privileges. Rights are granted by schema, so new tables need no
 * rules; the exceptions are the table that servers count interest in, and the audit log.
 */
import { checkVersion } from '../sql/schema-version.ts';
import { openClient } from './client.ts';
import { findVersion, migrations } from './migrations.ts';
import { scramVerifier } from './scram.ts';

/** Role names, without their prefix. */
export const roleNames = ['api', 'market', 'reader'] as const;

export type RoleName = (typeof roleNames)[number];

/** Roles without a password here keep theirs. */
export type RolePasswords = Readonly<Partial<Record<RoleName, string>>>;

interface Role {
  readonly name: RoleName;
  readonly purpose: string;
  readonly schemas: Readonly<Record<string, 'read' | 'write'>>;
}

const roles: readonly Role[] = [
  {
    name: 'api',
    purpose: 'serve, account and key commands: no source rows',
    schemas: { published: 'read', private: 'write' },
  },
  {
    name: 'market',
    purpose: 'import, value, history, upkeep: no accounts, keys or collections',
    schemas: { published: 'write', source: 'write' },
  },
  {
    name: 'reader',
    purpose: 'BRICKMARK_REPLICA_URL: what is published and nothing else',
    schemas: { published: 'read' },
  },
];

const rights = { read: 'SELECT', write: 'SELECT, INSERT, UPDATE, DELETE' } as const;

/** The SQL that creates or updates the roles. Can be repeated. */
export function rolesSql(prefix: string): string {
  return [
    '-- Run this in the database of Brickmark after `brickmark migrate`, with the role that ran it',
    '-- and owns the database, so that later tables get the same rights. Creating roles',
    '-- requires CREATEROLE. Run psql with -v ON_ERROR_STOP=1, or it continues after an error,',
    '-- rolls everything back at the end, and still exits with status 0.',
    `-- Then give each role a password, for example \\password ${prefix}_api`,
    '',
    ...transaction(prefix, []),
  ].join('\n');
}

/** Creates or updates the roles in a database. One of another build is rejected unchanged. */
export async function applyRoles(
  url: string,
  { prefix, passwords }: { readonly prefix: string; readonly passwords: RolePasswords },
): Promise<void> {
  const client = openClient(url, { max: 1, statementMs: 0, name: 'brickmark roles' });
  try {
    checkVersion('database', await findVersion(client), migrations);
    await client.script(transaction(prefix, passwordLines(prefix, passwords)).join('\n'));
  } finally {
    await client.close();
  }
}

function passwordLines(prefix: string, passwords: RolePasswords): string[] {
  return Object.entries(passwords).map(
    ([name, password]) => `ALTER ROLE ${prefix}_${name} PASSWORD '${scramVerifier(password)}';`,
  );
}

/**
 * Rights are revoked and granted in one transaction, so that connected processes are not affected.
 */
function transaction(prefix: string, more: readonly string[]): string[] {
  const names = roleNames.map((name) => `${prefix}_${name}`);
  return [
    'BEGIN;',
    ...roles.flatMap((role) => makeRole(`${prefix}_${role.name}`, role)),
    '',
    '-- Only the role that migrates changes the schema version.',
    `REVOKE INSERT, UPDATE, DELETE ON published.migration FROM ${prefix}_market;`,
    '',
    '-- The server counts how often items are wanted: only totals.',
    `GRANT INSERT, UPDATE ON published.interest TO ${prefix}_api;`,
    '',
    '-- Imports are in the audit log, which nobody changes; only networks are removed from it.',
    `REVOKE UPDATE, DELETE ON private.audit FROM ${prefix}_api;`,
    `GRANT UPDATE (network) ON private.audit TO ${prefix}_api;`,
    `GRANT USAGE ON SCHEMA private TO ${prefix}_market;`,
    `GRANT INSERT ON private.audit TO ${prefix}_market;`,
    '',
    '-- No other role can read anything, or connect.',
    'REVOKE ALL ON SCHEMA published, source, private FROM PUBLIC;',
    'REVOKE ALL ON ALL TABLES IN SCHEMA published, source, private FROM PUBLIC;',
    ...closeDatabase(names),
    ...more,
    'COMMIT;',
  ];
}

/** REVOKE only warns a role that does not own the database; this raises an error. */
function closeDatabase(names: readonly string[]): string[] {
  return [
    'DO $$ BEGIN',
    "  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());",
    `  EXECUTE format('REVOKE ALL ON DATABASE %I FROM ${names.join(', ')}', current_database());`,
    `  EXECUTE format('GRANT CONNECT ON DATABASE %I TO ${names.join(', ')}', current_database());`,
    "  IF has_database_privilege('public', current_database(), 'CONNECT') THEN",
    "    RAISE insufficient_privilege USING MESSAGE = 'This role does not own the database.';",
    '  END IF;',
    'END $$;',
  ];
}

function makeRole(name: string, { purpose, schemas }: Role): string[] {
  return [
    '',
    `-- ${name}: ${purpose}.`,
    'DO $$ BEGIN',
    `  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${name}') THEN`,
    `    CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION;`,
    '  END IF;',
    'END $$;',
    ...['published', 'source', 'private'].flatMap((schema) => [
      `REVOKE ALL ON SCHEMA ${schema} FROM ${name};`,
      `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${name};`,
      `REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${schema} FROM ${name};`,
    ]),
    ...Object.entries(schemas).flatMap(([schema, may]) => grant(name, schema, may)),
  ];
}

function grant(name: string, schema: string, may: 'read' | 'write'): string[] {
  const later = `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT`;
  const lines = [
    `GRANT USAGE ON SCHEMA ${schema} TO ${name};`,
    `GRANT ${rights[may]} ON ALL TABLES IN SCHEMA ${schema} TO ${name};`,
    `${later} ${rights[may]} ON TABLES TO ${name};`,
  ];
  if (may === 'read') return lines;
  return [
    ...lines,
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${name};`,
    `${later} USAGE, SELECT ON SEQUENCES TO ${name};`,
  ];
}
