/** The schemas of both SQLite files: the tables of both engines, and what only SQLite has. */
import { accountsSchema } from '../sql/accounts-schema.ts';
import { marketSchema } from '../sql/market-schema.ts';
import { laterMigrations, type MigrationStep } from '../sql/migrations.ts';
import { newestVersion } from '../sql/schema-version.ts';
import type { FileName } from '../sql/tables.ts';
import { toSqliteSchema } from './dialect.ts';

const auditTriggers = `
  CREATE TRIGGER audit_update BEFORE UPDATE ON audit
    WHEN NEW.network IS NOT NULL
      OR (NEW.id, NEW.at, NEW.actor, NEW.actor_id, NEW.action, NEW.account_id, NEW.detail)
        IS NOT (OLD.id, OLD.at, OLD.actor, OLD.actor_id, OLD.action, OLD.account_id, OLD.detail)
    BEGIN SELECT RAISE(ABORT, 'The audit log is append-only.'); END;
  CREATE TRIGGER audit_delete BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'The audit log is append-only.'); END;
  -- INSERT OR REPLACE would delete without that trigger.
  CREATE TRIGGER audit_replace BEFORE INSERT ON audit
    WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'The audit log is append-only.'); END;
`;

function stepsOf(file: FileName, first: string): readonly MigrationStep[] {
  const later = laterMigrations.map((each) => {
    if ('fill' in each) return each.fill.file === file ? each.fill : '';
    return toSqliteSchema(each.sql?.[file] ?? '') + (each.sqlite?.[file] ?? '');
  });
  return [first, ...later];
}

/** One step for each schema version. */
export const accountMigrations: readonly MigrationStep[] = stepsOf(
  'accounts.db',
  toSqliteSchema(accountsSchema) + auditTriggers,
);

export const marketMigrations: readonly MigrationStep[] = stepsOf(
  'market.db',
  toSqliteSchema(marketSchema),
);

export const migrationsOf: Readonly<Record<FileName, readonly MigrationStep[]>> = {
  'accounts.db': accountMigrations,
  'market.db': marketMigrations,
};

/** The newest schema version of each file that this version knows. */
export const newestSchema: Readonly<Record<FileName, number>> = {
  'accounts.db': newestVersion(accountMigrations),
  'market.db': newestVersion(marketMigrations),
};
